"""Print the table: `python -m tests.cases`; `-v` lists every miss and every false alarm."""

from __future__ import annotations

import sys

from tests.cases.truth import measure, programs

score = measure(programs())
print(score.table())
if "-v" in sys.argv:
    print(*("missed " + line for line in score.missed), *("wrong  " + line for line in score.wrong), sep="\n")
