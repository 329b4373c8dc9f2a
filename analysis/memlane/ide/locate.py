"""Offset -> the names that stand there, and what they name.

An offset touches a name when it lies in it or directly at its end, where a cursor is after typing it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Successor, Tree, Use, Value, starts_at

SYMBOL = regex(r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the text and what it stands for.

    Args:
        span: of the name in the text.
        thing: a value where it is defined; a use; a mention of a block; a block where its label is; an op's name.
        op: the op whose text the name is in; the op that holds the block for labels and block arguments.
    """

    span: Span
    thing: Value | Use | Successor | Block | Op
    op: Op

    @property
    def value(self) -> Value | None:
        """The SSA value that is named, if it is one."""
        if isinstance(self.thing, Use):
            return self.thing.value
        return self.thing if isinstance(self.thing, Value) else None

    @property
    def block(self) -> Block | None:
        """The block that is named, if it is one."""
        if isinstance(self.thing, Successor):
            return self.thing.block
        return self.thing if isinstance(self.thing, Block) else None


def enclosing(tree: Tree, offset: int) -> list[Op]:
    """The ops whose text `offset` touches, outermost first.

    An op of which a region is not closed, as while one types, reaches as far as what follows it in its block.
    """
    return around(_child([chunk.ops for chunk in tree.chunks if touches(chunk.span, offset)], offset), offset)


def around(op: Op | None, offset: int) -> list[Op]:
    """The same from `op` on, whose text `offset` touches."""
    found: list[Op] = []
    while op is not None:
        found.append(op)
        op = _child((block.ops for region in op.regions for block in region.blocks), offset)
    return found


def at(offset: int) -> Span:
    """The span of no length at `offset`."""
    return Span(offset, offset)


def name_at(tree: Tree, offset: int) -> Name | None:
    """The name that `offset` touches; where two meet, the one that begins there."""
    found = [name for op in enclosing(tree, offset)[-1:] for name in names(op) if touches(name.span, offset)]
    return max(found, key=lambda name: name.span.start, default=None)


def names(op: Op) -> Iterator[Name]:
    """The names in the text of `op` itself, those in nested ops apart. A pack of results is one name."""
    yield Name(op.name_span, op, op)
    yield from (Name(value.span, value, op) for value in op.results)
    yield from (Name(use.span, use, op) for use in op.operands)
    for successor in op.successors:
        yield Name(successor.span, successor, op)
        yield from (Name(use.span, use, op) for use in successor.operands)
    for region in op.regions:
        for block in region.blocks:
            if block.label is not None:
                yield Name(Span(block.span.start, block.span.start + len(block.label)), block, op)
            yield from (Name(value.span, value, op) for value in block.arguments)


def ops_in(tree: Tree, span: Span) -> Iterator[Op]:
    """The ops whose text touches `span`, in text order; costs no more than those."""
    waiting = [_slice(chunk.ops, span) for chunk in reversed(tree.chunks)]
    while waiting:
        ops = waiting[-1]
        op = next(ops, None)
        if op is None:
            waiting.pop()
            continue
        yield op
        waiting.extend(_slice(block.ops, span) for region in reversed(op.regions) for block in reversed(region.blocks))


def touches(span: Span, offset: int) -> bool:
    """Whether `offset` lies in `span` or at its end."""
    return span.start <= offset <= span.end


def line_of(source: str, offset: int) -> str:
    """The text of the line around `offset`, without white space at its ends."""
    start = source.rfind("\n", 0, offset) + 1
    end = source.find("\n", offset)
    return source[start : len(source) if end < 0 else end].strip()


def _child(lists: Iterable[list[Op]], offset: int) -> Op | None:
    """The op among some blocks' ops that `offset` touches, preferring the one that begins there."""
    best: Op | None = None
    for ops in lists:
        at = bisect_right(ops, offset, key=starts_at) - 1
        if at < 0 or not (touches(ops[at].span, offset) or left_open(ops[at])):
            continue
        if best is None or best.span.start < ops[at].span.start:
            best = ops[at]
    return best


def left_open(op: Op) -> bool:
    """Whether nothing closes the last region of `op`: its text ends where that begins."""
    return bool(op.regions) and op.regions[-1].blocks[0].span.start >= op.span.end


def _slice(ops: list[Op], span: Span) -> Iterator[Op]:
    """The ops of a block whose text touches `span`."""
    first = bisect_right(ops, span.start, key=lambda op: op.span.end)
    last = bisect_right(ops, span.end, key=starts_at)
    return iter(ops[max(0, first - 1) if first and ops[first - 1].span.end == span.start else first : last])
