"""Write `vocabulary.txt` from the LLVM that is installed: `python tests/syntax/make_vocabulary.py [--check]`.

Operations are the names in libMLIR that `mlir-opt-22` knows as registered. Keywords are those of the file and those of
the assembly formats in LLVM's ODS files: custom forms that C++ parses have others, which were added by hand where a
test of LLVM has them. `--check` writes nothing and fails where that would change the file.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from syntax_oracle import MLIR_OPT

from memlane.syntax.shapes import mistakes

FILE = Path(mistakes.__file__).with_name("vocabulary.txt")
LLVM = Path("/usr/lib/llvm-22")
_NAME = re.compile(rb"[a-z_][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+")
_FORMAT = re.compile(r'assemblyFormat\s*=\s*((?:\[\{.*?\}\]|"(?:[^"\\]|\\.)*"|\s|#)+)', re.DOTALL)
_KEYWORD = re.compile(r"`([A-Za-z_]\w*)`")
_UNKNOWN = re.compile(r"unregistered operation|unregistered dialect|Dialect `\w*' not found")


def candidates() -> list[str]:
    """What may be the name of an operation: strings of libMLIR."""
    found = {name.decode() for name in _NAME.findall((LLVM / "lib" / "libMLIR.so").read_bytes())}
    return sorted(found)


def registered(names: list[str]) -> list[str]:
    """Those of `names` that are operations: mlir-opt complains of something else than the name, or not at all.

    Some operations cannot be made without operands and end mlir-opt: then the names are tried in smaller groups.
    """
    program = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    command = [str(MLIR_OPT), "--split-input-file", "-o", "/dev/null"]
    done = subprocess.run(command, input=program.encode(), capture_output=True, check=False)
    if done.returncode not in (0, 1) and len(names) > 1:
        half = len(names) // 2
        return [*registered(names[:half]), *registered(names[half:])]
    unknown: set[int] = set()
    for line in done.stderr.decode(errors="replace").splitlines():
        match = re.match(r"<stdin>:(\d+):\d+: error: (.*)", line)
        if match and _UNKNOWN.search(match.group(2)):
            unknown.add((int(match.group(1)) - 1) // 2)
    return [name for number, name in enumerate(names) if number not in unknown]


def keywords() -> set[str]:
    """The words of all assembly formats."""
    found: set[str] = set()
    for path in (LLVM / "include" / "mlir").rglob("*.td"):
        for written in _FORMAT.findall(path.read_text(encoding="utf-8", errors="replace")):
            found.update(_KEYWORD.findall(written))
    return found


def made(file: str) -> str:
    """The file, given what it was."""
    comments = [line for line in file.splitlines() if line.startswith("#")]
    old = dict(line.split(": ", 1) for line in file.splitlines() if not line.startswith("#"))
    dialects: dict[str, list[str]] = {}
    ours = [name for name in candidates() if name.partition(".")[0] in old and name[-2] != "."]
    for name in registered(ours):
        dialect, _, rest = name.partition(".")
        dialects.setdefault(dialect, []).append(rest)
    words = {name: " ".join(sorted(names)) for name, names in dialects.items()}
    words["keywords"] = " ".join(sorted({*old["keywords"].split(), *keywords()}))
    return "\n".join([*comments, *(f"{name}: {words[name]}" for name in sorted(words))]) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the file; 0 when all is well."""
    if MLIR_OPT is None or not LLVM.exists():
        print("LLVM 22 with its headers is needed (Debian: mlir-22-tools, libmlir-22-dev)")
        return 2
    file = FILE.read_text(encoding="utf-8")
    found = made(file)
    if "--check" in arguments:
        print("current" if found == file else "not current: run python tests/syntax/make_vocabulary.py")
        return int(found != file)
    FILE.write_text(found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
