"""Where regions end that nothing closes: the lines behind them tell, by how far they are indented.

While somebody types a region, all that follows in the function would be in it: what is freed behind a loop would be
freed in each iteration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from memlane.syntax.brace_lines import Brace, Key, indent_at
from memlane.syntax.holes import clean
from memlane.syntax.shape import Close, Label
from memlane.syntax.statements import BEFORE, Leaf


def ended(leaves: Sequence[Leaf], braces: Sequence[Brace], pops: Mapping[Key, int]) -> dict[Key, int]:
    """`pops`, and how many of the regions that are left open end before which statement (`BEFORE`)."""
    left = _left_open(braces, pops)
    found = dict(pops)
    if not left:
        return found
    stack: list[Brace] = []
    over: set[Key] = set()
    inside = iter(braces)
    brace = next(inside, None)
    for leaf, statement, indent, label in _lines(leaves):
        while brace is not None and brace.key[:2] < (leaf, statement):
            _take(brace, stack, over, found)
            brace = next(inside, None)
        count = _ends(stack, over, left, indent, label)
        if count:
            found[leaf, statement, BEFORE] = count
            over.update([one.key for one in stack if one.key not in over][-count:])
    while brace is not None:
        _take(brace, stack, over, found)
        brace = next(inside, None)
    return found


def _left_open(braces: Iterable[Brace], pops: Mapping[Key, int]) -> set[Key]:
    """The braces inside the function that no other closes."""
    stack: list[Key] = []
    left: set[Key] = set()
    for brace in braces:
        if brace.opens:
            stack.append(brace.key)
            continue
        count = pops.get(brace.key, 1)
        gone = stack[len(stack) - count :]
        left.update(gone[1:])
        del stack[len(stack) - count :]
    return left.union(stack[1:])


def _take(brace: Brace, stack: list[Brace], over: Collection[Key], found: dict[Key, int]) -> None:
    """Open or close: a brace closes none of those that are over."""
    if brace.opens:
        stack.append(brace)
        return
    count = found.pop(brace.key, 1)
    gone = stack[len(stack) - count :]
    count -= sum(1 for one in gone if one.key in over)
    if count != 1:
        found[brace.key] = count
    del stack[len(stack) - len(gone) :]


def _ends(stack: Sequence[Brace], over: Collection[Key], left: Collection[Key], indent: int, label: bool) -> int:
    """How many regions end before a line that is indented so; a block's name may stand where its operation does."""
    open_ = [one for one in stack if one.key not in over]
    for number in range(1, len(open_)):
        inner = open_[number:]
        if all(one.key in left for one in inner) and open_[number - 1].indent < indent <= inner[0].indent - label:
            return len(inner)
    return 0


def _lines(leaves: Sequence[Leaf]) -> Iterator[tuple[int, int, int, bool]]:
    """The statements that begin their line, but with a closing brace: leaf, number, indentation, is it a label."""
    for at, leaf in enumerate(leaves):
        cleaned, statements = clean(leaf.text), leaf.statements
        for number, (template, start) in enumerate(zip(statements.templates, statements.starts, strict=True)):
            first = template.events[0] if template.events else None
            indent, leads = indent_at(cleaned, start)
            if leads and first is not None and not isinstance(first, Close):
                yield at, number, indent, isinstance(first, Label)
