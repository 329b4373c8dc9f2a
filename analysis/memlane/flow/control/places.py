"""Places in local memory, as operations write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memlane.numerals import numeral
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph

_WRITTEN = re.compile(r"\s*\[([^\[\]]*)\]((?:(?!\bloc\().)*)")
_INDEX = re.compile(r"-?\d+|%[-\w$.#]+")
_DYNAMIC = "-2147483648"
"""Of the generic form, for one that an operand gives."""


class Place(NamedTuple):
    """Where in local memory something is: numbers, counted in what `unit` tells; none: at its start."""

    unit: str = ""
    indices: tuple[int, ...] = ()


def index_of(graph: Graph, value: Value | None) -> int | None:
    """The constant that a value is; None for others."""
    model = graph.model(value.op) if value is not None and value.op is not None else None
    if value is None or model is None or model.compute != "constant":
        return None
    number = graph.expression(value)
    return number[1] if number[0] == "const" else None


def moved_to(graph: Graph, op: Op, place: Place) -> Place | None:
    """Where what an op makes of a pointer to the start of memory points; None where no constants tell."""
    if "rawConstantIndices" in op.attributes:
        unit, written = op.attributes.get("elem_type", ""), op.attributes["rawConstantIndices"].partition(":")[2]
    elif found := _WRITTEN.match(graph.source, op.operands[0].span.end, op.span.end):
        written, unit = found[1], found[2].strip()
    else:
        return None
    given = iter(op.operands[1:])
    numbers: list[int | None] = []
    for index in _INDEX.findall(written):
        use = next(given, None) if index[0] == "%" or index == _DYNAMIC else None
        numbers.append(index_of(graph, use.value) if use is not None else numeral(index))
    known = tuple(number for number in numbers if number is not None)
    if len(known) < len(numbers):
        return None
    return Place(unit, known) if any(known) else place
