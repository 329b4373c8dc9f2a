"""Write the generated dialect files anew: `python -m memlane.dialects.regenerate [--check]`.

Needs `llvm-tblgen-22` and the ODS files of LLVM 22 (Debian: llvm-22, llvm-22-dev, libmlir-22-dev). With `--check`
nothing is written: the files that differ from what would be are named, and the exit code is 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memlane.dialects.declared import Tables, tables
from memlane.dialects.ods import operations
from memlane.dialects.toml_text import toml_text

TBLGEN = "llvm-tblgen-22"
ROOT = Path("/usr/lib/llvm-22/include")
INCLUDES = (ROOT, ROOT / "mlir/Dialect/ArmSME/IR", Path("/usr/include/llvm-22"))
HERE = Path(__file__).parent
COMMENT = """\
The dialect `{dialect}`, from the ODS files of LLVM 22. Generated: `python -m memlane.dialects.regenerate`.
What ODS cannot say stands in overlay/{dialect}.toml."""


def main(arguments: list[str]) -> int:
    """Writes the files, or with `--check` compares them; gives the exit code."""
    stale = {path: text for path, text in generated().items() if not path.is_file() or path.read_text("utf-8") != text}
    for path, text in stale.items():
        if "--check" in arguments:
            sys.stderr.write(f"stale: {path.name}; run python -m memlane.dialects.regenerate\n")
        else:
            path.write_text(text, "utf-8")
    return 1 if stale and "--check" in arguments else 0


def generated() -> Mapping[Path, str]:
    """The text of every generated file by its path."""
    merged: dict[str, Tables] = {}
    for dump in dumps():
        for dialect, found in tables(operations(dump)).items():
            here = merged.setdefault(dialect, {"op": {}, "dialect": {dialect: {"pure": []}}})
            here["op"].update(found["op"])
            pure = here["dialect"][dialect]["pure"]
            pure.extend(name for name in found["dialect"][dialect]["pure"] if name not in pure)
    for dialect, found in merged.items():
        found["op"] = dict(sorted(found["op"].items()))
        found["dialect"][dialect]["pure"].sort()
    return {
        HERE / f"{dialect}.toml": toml_text(COMMENT.format(dialect=dialect), found)
        for dialect, found in sorted(merged.items())
    }


def dumps() -> Iterator[dict[str, Any]]:
    """The records of each ODS file that stands on its own; the others are parts of one that includes them."""
    for path in sorted(ROOT.glob("mlir/**/*.td")):
        include = [argument for folder in INCLUDES for argument in ("-I", str(folder))]
        done = subprocess.run([TBLGEN, "--dump-json", *include, str(path)], capture_output=True, check=False)
        if done.returncode == 0:
            yield json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
