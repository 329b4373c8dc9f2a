"""The code blocks of README and documentation, and a place to run them in.

A block is run by what its language says: `sh` and `shell-session` in a copy of the parts of the repository that pages
speak of, page by page and in order, and so on (test_blocks.py). An HTML comment before a block says what is special:

    <!-- run: .ci/newcomer -->      that script runs it, word for word, in a fresh environment
    <!-- run: tests/editors/... --> that test does
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COPIED = ("examples", "README.md", "pyproject.toml")
LLVM = ("mlir-opt", "mlir-runner", "llvm-tblgen", "FileCheck", "not")

_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w-]+)(?P<rest>[^\n]*)\n(?P<body>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_RUN = re.compile(r"<!-- run: (?P<where>\S+)[^\n]*-->\s*\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """One block.

    Args:
        page: relative to the root.
        line: of its fence, 1-based.
        where: what runs it instead, "" where its language decides.
    """

    page: str
    line: int
    language: str
    title: str
    body: str
    where: str

    @property
    def name(self) -> str:
        """For people and parametrised tests."""
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """README and all pages, those of rules too: their blocks are MLIR."""
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md") if (ROOT / name).exists()]
    return [*found, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        run = _RUN.search(text, 0, match.start())
        indent = match["indent"]
        body = re.sub(rf"^{indent}", "", match["body"], flags=re.MULTILINE) if indent else match["body"]
        yield Block(
            page.relative_to(ROOT).as_posix(),
            text.count("\n", 0, match.start()) + 1,
            match["language"],
            match["rest"].strip(),
            body,
            run["where"] if run else "",
        )


ALL = [block for page in pages() for block in blocks(page)]


def sandbox(folder: Path) -> dict[str, str]:
    """Make `folder` look like the root of a clone; the environment in which `memlane` is this one."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    tools = folder / ".tools"
    tools.mkdir()
    for name in LLVM:
        found = shutil.which(f"{name}-22") or shutil.which(name)
        if found is not None:
            (tools / name).symlink_to(found)
    ods = next(iter(sorted(Path("/usr/lib").glob("llvm-*/include/mlir/IR/OpBase.td"), reverse=True)), None)
    llvm = str(ods.parents[3]) if ods is not None else ""
    path = f"{tools}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder), "NO_COLOR": "1", "MEMLANE_NO_CACHE": "1", "LLVM": llvm}


def missing(body: str) -> list[str]:
    """The tools of LLVM that a block needs and that are not here."""
    scripts = "mlir-opt mlir-runner" if "examples/run.sh" in body else ""
    return [
        name
        for name in LLVM
        if re.search(rf"(?<![\w-]){name}(?![\w-])", f"{body} {scripts}")
        and not (shutil.which(f"{name}-22") or shutil.which(name))
    ]
