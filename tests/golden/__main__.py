"""`python -m tests.golden` writes the findings of the test programs to `findings.txt`: `git diff` shows changes."""

from tests.golden.recorded import RECORD, current

RECORD.write_text("\n".join(current(fixes=True)) + "\n", encoding="utf-8")
