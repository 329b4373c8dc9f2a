"""The limits of the analyses and of the server as a page: read from where they are defined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HEAD = """\
# Limits

No input makes Memlane run without end: what could grow faster than the text is bounded. Beyond a bound less is told
apart, and what is said is `possible-...` or nothing at all, never a wrong certainty; what a function loses where it is
too large is in [how it works](../how-it-works.md). Bounds that users set are [settings](settings.md). These are the
others, each in the `limits.py` of its package, with a test that reaches it where there is one: found by counting, in
all tests, how often a comparison with the limit came out on its far side. What holds for all of them together, that
work and memory grow no faster than the text, is measured by `tests/hostile`."""
TABLE = ("| Limit | Value | What it counts |", "| --- | --- | --- |")
NAMED = re.compile(r"_?(?:MAX|MIN)_[A-Z0-9_]+")


class Limit(NamedTuple):
    """A constant that bounds what is looked at.

    Args:
        name: as in the source. `value`: its expression there. `says`: what it counts, as said below it.
        path: of the module, from the root of the checkout.
    """

    name: str
    value: str
    says: str
    path: Path


def limits(root: Path) -> Iterator[Limit]:
    """All of the checkout at `root`, by package."""
    for folder in ("analysis/memlane", "server/memlane_server"):
        for path in sorted((root / folder).rglob("*limits.py")):
            yield from _limits_of(path, path.relative_to(root))


def _limits_of(path: Path, short: Path) -> Iterator[Limit]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        says = _text(after)
        for name, value in _named(node):
            if NAMED.fullmatch(name):
                yield Limit(name, ast.unparse(value), says, short)


def _named(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement defines, each with its value."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    assert node.value is not None
    if isinstance(target, ast.Name):
        yield target.id, node.value
    elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        pairs = zip(target.elts, node.value.elts, strict=True)
        yield from ((one.id, value) for one, value in pairs if isinstance(one, ast.Name))


def _text(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def page(root: Path) -> str:
    """The page about all of them."""
    every = list(limits(root))
    lines = [HEAD]
    for folder in dict.fromkeys(one.path.parent for one in every):
        lines += ["", f"## `{folder.as_posix()}`", "", *TABLE]
        lines += [_row(one) for one in every if one.path.parent == folder]
    return "\n".join(lines) + "\n"


def _row(one: Limit) -> str:
    cells = (f"`{one.name}`", f"`{one.value}`", one.says)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
