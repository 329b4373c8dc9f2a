"""Write the tables of the grammar that ship with the package: `python tests/syntax/make_tables.py [--check]`.

To be done whenever `mlir.lark` has changed. `--check` writes nothing and fails where that would change the file.
"""

from __future__ import annotations

import json
import sys

from memlane.syntax.shapes.grammar import FILE, fingerprint
from memlane.syntax.shapes.tables import made


def written() -> str:
    """The file."""
    return json.dumps({"grammar": fingerprint(), **made()._asdict()}, separators=(",", ":"), sort_keys=True) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the file; 0 when all is well."""
    text = written()
    if "--check" in arguments:
        current = FILE.exists() and FILE.read_text(encoding="utf-8") == text
        print("the tables are current" if current else "they are not: run python tests/syntax/make_tables.py")
        return not current
    FILE.write_text(text, encoding="utf-8")
    print(f"{len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
