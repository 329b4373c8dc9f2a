"""The ops of a function by their names, found once and kept over edits."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable

from memlane.syntax.tree.tree import Op, starts_at


def by_name(top: Op) -> dict[str, list[Op]]:
    """An op and all that are nested in it, in text order."""
    named: dict[str, list[Op]] = {}
    for op in top.walk():
        named.setdefault(op.name, []).append(op)
    return named


def put_right(named: dict[str, list[Op]], gone: Collection[Op], fresh: Iterable[Op]) -> None:
    """Ops are gone and others new; `named`, which is changed, lists them by name in text order."""
    for name in {op.name for op in gone}:
        known = [op for op in named.pop(name) if op not in gone]
        if known:
            named[name] = known
    for op in fresh:
        insort(named.setdefault(op.name, []), op, key=starts_at)
