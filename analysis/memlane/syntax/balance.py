"""Braces that do not balance: the indentation of closing braces tells which region was left open, which is stray."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from memlane.syntax.holes import Places, clean
from memlane.syntax.shape import Close, Open
from memlane.syntax.statements import NO_POPS, Leaf


class _Brace(NamedTuple):
    """Event `position` of statement `statement` of leaf `leaf`.

    Args:
        indent: of the line that the statement starts with if it opens, else of the line that it stands in.
        leads: it closes, at the start of its line.
    """

    leaf: int
    statement: int
    position: int
    indent: int
    opens: bool
    leads: bool


def balanced(leaves: Iterable[Leaf]) -> bool:
    """Whether every region that opens is closed, and no other."""
    depth = 0
    for leaf in leaves:
        for template in leaf.statements.templates:
            if depth + template.lowest < 0:
                return False
            depth += template.depth
    return not depth


def popped(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The leaves, told how many regions each closing brace closes, where it is not one.

    A closing brace behind other text closes what is open, unless braces at the start of lines then close nothing.
    """
    braces = list(_braces(leaves))
    pops = _pops(braces, anywhere=True)
    if _strays(braces, pops):
        less = _pops(braces, anywhere=False)
        pops = less if _strays(braces, less) < _strays(braces, pops) else pops
    by_leaf: dict[int, dict[tuple[int, int], int]] = {}
    for (number, statement, position), count in pops.items():
        by_leaf.setdefault(number, {})[statement, position] = count
    return [
        replace(leaf, statements=replace(leaf.statements, pops=by_leaf.get(number, NO_POPS)))
        for number, leaf in enumerate(leaves)
    ]


def _braces(leaves: Sequence[Leaf]) -> Iterator[_Brace]:
    for at, leaf in enumerate(leaves):
        cleaned, statements = clean(leaf.text), leaf.statements
        ends = [*statements.starts[1:], len(cleaned)]
        for number, (template, start) in enumerate(zip(statements.templates, statements.starts, strict=True)):
            if not any(isinstance(event, (Open, Close)) for event in template.events):
                continue
            places = Places(cleaned, start, ends[number], 0)
            indent = _indent(cleaned, start)[0]
            for position, event in enumerate(template.events):
                if isinstance(event, Open):
                    yield _Brace(at, number, position, indent, opens=True, leads=False)
                elif isinstance(event, Close):
                    own, leads = _indent(cleaned, places.at(event.start))
                    yield _Brace(at, number, position, own, opens=False, leads=leads)


def _indent(text: str, at: int) -> tuple[int, bool]:
    """How far the line of `at` is indented, and whether nothing stands before `at` in it."""
    start = text.rfind("\n", 0, at) + 1
    before = text[start:at]
    return len(before) - len(before.lstrip()), not before.strip()


def _pops(braces: Iterable[_Brace], anywhere: bool) -> dict[tuple[int, int, int], int]:
    """How many regions closing braces close where it is not one; `anywhere`: those that do not lead a line as well."""
    stack: list[int] = []
    pops: dict[tuple[int, int, int], int] = {}
    for leaf, statement, position, indent, opens, leads in braces:
        if opens:
            stack.append(indent)
            continue
        taken = bool(stack) and (anywhere or stack[-1] >= indent)
        count = _closes(stack, indent) if leads else int(taken)
        if count != 1:
            pops[leaf, statement, position] = count
        del stack[len(stack) - count :]
    return pops


def _strays(braces: Iterable[_Brace], pops: dict[tuple[int, int, int], int]) -> int:
    """How many braces at the start of lines close nothing, or more than one region."""
    return sum(1 for brace in braces if brace.leads and brace[:3] in pops)


def _closes(stack: list[int], indent: int) -> int:
    if indent in stack:
        return len(stack) - (len(stack) - 1 - stack[::-1].index(indent))
    if not stack or stack[-1] < indent:
        return 0
    return max(1, sum(1 for opened in stack if opened > indent))
