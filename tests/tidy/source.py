"""The project's own source, as the tidy tests read it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ANALYSIS = ROOT / "analysis" / "memlane"


@cache
def tracked() -> tuple[Path, ...]:
    """All files of the project that are there: those git knows and those it would take; in a bare copy, all."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, timeout=600).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        return tuple(path for folder in ("analysis", "server", "tests", "docs", "examples") for path in _all(folder))
    return tuple(ROOT / name for name in listed if name and (ROOT / name).is_file())


def _all(folder: str) -> Iterator[Path]:
    return (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def python_files(folder: Path) -> list[Path]:
    """The Python files of a folder."""
    return sorted(path for path in tracked() if path.suffix == ".py" and path.is_relative_to(folder))


def imports(path: Path, typing: bool = True) -> set[str]:
    """The modules that a file imports anywhere in it, with full names; for `from a import b` both `a` and `a.b`.

    Those that only annotations need (`if TYPE_CHECKING:`) are left out with `typing=False`.
    """
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in [*tree.body]:
        if not typing and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            tree.body.remove(node)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full name"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def texts(path: Path) -> Iterator[ast.Constant]:
    """The string literals of a file that are not documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node
