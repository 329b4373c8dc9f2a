"""Braces that do not balance: indentation tells which region was left open, which brace is stray, which one missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memlane.syntax.lines.brace_lines import Brace, Key, braces_of
from memlane.syntax.lines.ends import ended
from memlane.syntax.lines.opened import opened
from memlane.syntax.lines.statements import NO_POPS, Leaf


def balanced(leaves: Iterable[Leaf]) -> bool:
    """Whether every region that opens is closed, and no other."""
    depth = 0
    for leaf in leaves:
        for template in leaf.statements.templates:
            if depth + template.lowest < 0:
                return False
            depth += template.depth
    return not depth


def popped(leaves: Sequence[Leaf], function: bool = False) -> list[Leaf]:
    """The leaves, with the number of regions that each closing brace closes, where it is not one.

    A closing brace behind other text closes what is open, unless braces at the start of lines then close nothing.
    In a function, a region that is left open ends where a line is indented no deeper than the operation that opened it,
    and one begins behind an operation where the lines that follow are indented deeper up to a brace that closes it.
    """
    braces, pops = _closed(leaves)
    if function:
        more = opened(leaves, braces, pops)
        if more is not None:
            leaves = more
            braces, pops = _closed(leaves)
        pops = ended(leaves, braces, pops)
    by_leaf: dict[int, dict[tuple[int, int], int]] = {}
    for (number, statement, position), count in pops.items():
        by_leaf.setdefault(number, {})[statement, position] = count
    return [
        replace(leaf, statements=replace(leaf.statements, pops=by_leaf.get(number, NO_POPS)))
        for number, leaf in enumerate(leaves)
    ]


def _closed(leaves: Sequence[Leaf]) -> tuple[list[Brace], dict[Key, int]]:
    """The braces, and how many regions they close, where it is not one."""
    braces = list(braces_of(leaves))
    pops = _pops(braces, anywhere=True)
    if _strays(braces, pops):
        less = _pops(braces, anywhere=False)
        pops = less if _strays(braces, less) < _strays(braces, pops) else pops
    return braces, pops


def _pops(braces: Iterable[Brace], anywhere: bool) -> dict[Key, int]:
    """How many regions closing braces close where it is not one; `anywhere`: those that do not lead a line as well.

    Of a row of stray braces in a line the first tells enough, where nothing is open: there is nothing to close.
    """
    stack: list[int] = []
    pops: dict[Key, int] = {}
    stray: tuple[int, int] | None = None
    for leaf, statement, position, indent, opens, leads in braces:
        if opens:
            stack.append(indent)
            continue
        taken = bool(stack) and (anywhere or stack[-1] >= indent)
        count = _closes(stack, indent) if leads else int(taken)
        if count != 1 and (leads or stack or stray != (leaf, statement)):
            pops[leaf, statement, position] = count
            stray = leaf, statement
        del stack[len(stack) - count :]
    return pops


def _strays(braces: Iterable[Brace], pops: dict[Key, int]) -> int:
    """How many braces at the start of lines close nothing, or more than one region."""
    return sum(1 for brace in braces if brace.leads and brace[:3] in pops)


def _closes(stack: list[int], indent: int) -> int:
    if indent in stack:
        return len(stack) - (len(stack) - 1 - stack[::-1].index(indent))
    if not stack or stack[-1] < indent:
        return 0
    return max(1, sum(1 for opened in stack if opened > indent))
