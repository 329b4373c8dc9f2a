"""Places in local memory, as operations write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.lowered_sizes import offset_in
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value

_WRITTEN = regex(r"\s*\[([^\[\]]*)\]((?:(?!\bloc\().)*)")
_INDEX = regex(r"-?\d+|%[-\w$.#]+")
_DYNAMIC = "-2147483648"
"""Of the generic form, for one that an operand gives."""


_ELEMENT = regex(r"\)\s*->\s*!llvm\.ptr(?:<\d+>)?\s*,\s*(.+)", re.DOTALL)
"""Behind the indices of `llvm.getelementptr`, what they count."""
_BYTES = "bytes"


class Location(NamedTuple):
    """Where in local memory something is: numbers, counted in what `unit` tells; none: at its start, or `ANYWHERE`."""

    unit: str = ""
    indices: tuple[int, ...] = ()

    @property
    def offset(self) -> int | None:
        """How many bytes it is from the start; None where that is not known."""
        if not self.unit and not self.indices:
            return 0
        return self.indices[0] if self.unit == _BYTES else None


ANYWHERE = Location("anywhere")


def index_of(graph: Graph, value: Value | None) -> int | None:
    """The constant that a value is; None for others."""
    model = graph.model(value.op) if value is not None and value.op is not None else None
    if value is None or model is None or model.compute != "constant":
        return None
    number = scalar_of(graph, value)
    return number[1] if number[0] == "const" else None


def moved_to(graph: Graph, op: Op, place: Location, start: bool) -> Location | None:
    """Where what an op makes of a pointer points; None where no constants tell.

    Args:
        place: where the pointer points.
        start: it is the memory itself.
    """
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
    element = _ELEMENT.search(unit)
    by = offset_in(element[1] if element is not None else unit, known)
    if by is not None and place.offset is not None:
        return Location(_BYTES, (place.offset + by,)) if place.offset + by else Location()
    return None if not start else Location(unit, known) if any(known) else place
