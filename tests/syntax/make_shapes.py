"""Write the shapes that ship with the package: `python tests/syntax/make_shapes.py [--check] [--train [FOLDER...]]`.

Without an option, the shapes of the file are read again: to be done whenever something that decides what a shape says
has changed. `--check` writes nothing and fails where that would change the file. `--train` adds the shapes of our own
programs (`examples`, `tests`, the pages of rules and of the documentation, and `FOLDER`s of generated programs) and of
what `mlir-opt-22` makes of them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from syntax_oracle import MLIR_OPT, chunks

from memlane.syntax.editing.document import Document
from memlane.syntax.lines.memo import Memo
from memlane.syntax.lines.remembered import FILE, Known, fingerprint, listed, spelled, unpacked

ROOT = Path(__file__).parents[2]
_PAGE = re.compile(r"^( *)```mlir\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_MADE = (
    ("--mlir-print-op-generic",),
    ("--canonicalize", "--cse"),
    ("--convert-linalg-to-loops", "--buffer-deallocation-pipeline", "--canonicalize"),
    ("--convert-linalg-to-affine-loops",),
    ("--convert-linalg-to-parallel-loops", "--convert-scf-to-cf"),
    ("--lower-affine", "--convert-scf-to-cf", "--expand-strided-metadata", "--finalize-memref-to-llvm"),
    ("--lower-affine", "--convert-scf-to-cf", "--convert-to-llvm"),
    ("--one-shot-bufferize=bufferize-function-boundaries=true",),
)
"""What `mlir-opt-22` makes of each program: dialects and forms that people do not write by hand."""


def programs(folders: Iterable[Path]) -> Iterator[str]:
    """Our own programs."""
    for folder in (ROOT / "examples", ROOT / "tests"):
        for text in _files(folder):
            yield text
            yield from _made(text)
    for folder in folders:
        yield from _files(folder)
    for page in (*sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("analysis/memlane/rules/*.py"))):
        for _, text in _PAGE.findall(page.read_text(encoding="utf-8")):
            yield text


def _files(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.mlir")):
        yield from (text for _, text in chunks(path.read_text(encoding="utf-8", errors="replace")))


def _made(program: str) -> Iterator[str]:
    if MLIR_OPT is None:
        return
    for passes in _MADE:
        command = [str(MLIR_OPT), "--allow-unregistered-dialect", *passes]
        done = subprocess.run(command, input=program.encode(), capture_output=True, check=False)
        if done.returncode == 0:
            yield done.stdout.decode()


def learned(texts: Iterable[str]) -> dict[str, Known]:
    """What the shapes of programs without a problem say."""
    memo = Memo(remembered=False)
    for text in texts:
        Document(text, memo=memo)
    shapes = memo.shapes.keys() | memo.templates.keys()
    found = {shape: Known(memo.shapes.get(shape), memo.templates.get(shape)) for shape in shapes}
    return {shape: known for shape, known in found.items() if known.template is None or not known.template.faults}


def written(found: dict[str, Known]) -> str:
    """The file."""
    lines = sorted(line for shape, known in found.items() if (line := spelled(shape, known)))
    return "".join((fingerprint(), "\n", *lines))


def again(file: str) -> dict[str, Known]:
    """What the shapes of a file say now, each read by itself."""
    memo = Memo(remembered=False)
    found: dict[str, Known] = {}
    for packed_shape, packed in listed(file).items():
        shape = packed_shape.replace("`", "\n")
        was = unpacked(shape, packed)
        line = memo.shaped(shape) if was.line is not None else None
        found[shape] = Known(line, memo.template(shape) if was.template is not None else None)
    return found


def main(arguments: list[str]) -> int:
    """Write or check the file; 0 when all is well."""
    file = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    found = again(file)
    if "--check" in arguments:
        current = written(found) == file
        print(f"{len(found)} shapes", "are current" if current else "are not: run python tests/syntax/make_shapes.py")
        return not current
    if "--train" in arguments:
        folders = [Path(name) for name in arguments if not name.startswith("-")]
        found.update(learned(programs(folders)))
    FILE.write_text(written(found), encoding="utf-8")
    print(f"{len(found)} shapes, {FILE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
