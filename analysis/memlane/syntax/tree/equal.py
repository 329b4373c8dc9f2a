"""Two trees as whole values: are they the same, and where do they first differ?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from memlane.syntax.tree.tree import Op, Region, Tree, Use, Value


def difference(first: Tree, second: Tree) -> str | None:
    """Where two trees differ, for a message; None where all of them is equal: ops, places, links, problems."""
    if first.problems != second.problems:
        pairs = zip_longest(first.problems, second.problems)
        return next(f"problems: {one} and {other}" for one, other in pairs if one != other)
    for one, other in zip_longest(first.chunks, second.chunks):
        if one is None or other is None:
            return "number of chunks"
        if (one.span, one.title) != (other.span, other.title):
            return f"chunks: {one.span} {one.title!r} and {other.span} {other.title!r}"
        keys = [[(function.span, function.symbol) for function in chunk.functions] for chunk in (one, other)]
        if keys[0] != keys[1]:
            return f"functions: {keys[0]} and {keys[1]}"
    return op_difference(first.walk(), second.walk())


def op_difference(first: Iterable[Op], second: Iterable[Op]) -> str | None:
    """Where ops differ from others, in the order in which they are given; None where all is equal."""
    for one, other in zip_longest(first, second):
        if one is None or other is None or _op(one) != _op(other):
            return f"ops: {one and _op(one)} and {other and _op(other)}"
    return None


def _op(op: Op) -> tuple[Any, ...]:
    return (
        op.name, op.name_span, op.span, op.index, op.keywords, op.symbol, dict(op.attributes), op.literal, op.types,
        op.unparsed, op.parent and (op.parent.index, op.parent.region.index, op.parent.region.op.span),
        [_value(value) for value in op.results],
        [_use(use) for use in op.operands],
        [(one.name, one.span, one.label, one.block and one.block.span, [_use(use) for use in one.operands])
         for one in op.successors],
        [_region(region) for region in op.regions],
    )  # fmt: skip


def _region(region: Region) -> tuple[Any, ...]:
    return (
        region.label,
        [(block.label, block.span, [_value(value) for value in block.arguments]) for block in region.blocks],
    )


def _value(value: Value) -> tuple[Any, ...]:
    return (value.name, value.span, value.type, value.index, [use.span for use in value.uses])


def _use(use: Use) -> tuple[Any, ...]:
    return (use.name, use.span, use.index, use.group, use.value and (use.value.name, use.value.span))
