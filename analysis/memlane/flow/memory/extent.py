"""How much memory a new buffer takes, as an `Amount` in the scalar expressions of its function.

Dimensions come from the operands of the allocation (control/dimensions.py), or bytes do (requested.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, prod

from memlane.flow.control.dimensions import dimension
from memlane.flow.control.graph import Graph
from memlane.flow.control.requested import requested
from memlane.flow.scalars.amounts import Amount, number, product
from memlane.flow.scalars.resized import plain
from memlane.flow.scalars.scalar import Expr, Facts, leaves, simplify
from memlane.flow.scalars.sizes import shape_of
from memlane.numerals import numeral
from memlane.syntax.tree.tree import Value


class Extents:
    """Sizes of the buffers of one function.

    Args:
        graph: the function.
        assumed: numbers for names of values (`%n`), and under `?` for dimensions that are not known otherwise.
        aligned: with the bytes that fill a buffer up to a multiple of its alignment, as allocators do; where its size
            is not known, the most that may be needed.
    """

    def __init__(self, graph: Graph, assumed: Mapping[str, int], aligned: bool = False) -> None:
        self._graph = graph
        self._assumed = assumed
        self._aligned = aligned
        self._requested: dict[Value, Amount | None] = {}
        self._read_off = _read_off(graph, assumed)

    def of(self, value: Value, facts: Facts) -> Amount | None:
        """Bytes of the buffer whose first name is `value`; None where its type does not tell."""
        shape = shape_of(value.type)
        if shape is None:
            asked = self._asked(value)
            return asked.change(lambda expr: self._settle(expr, facts)) if asked is not None else None
        dimensions, element = shape
        unknown = [self._settle(self.dimension(value, i), facts) for i, d in enumerate(dimensions) if d is None]
        factor = element * prod(d for d in dimensions if d is not None)
        amount = product(factor, unknown)
        return amount + self._padding(value, amount, factor) if self._aligned else amount

    def _padding(self, value: Value, amount: Amount, factor: int) -> Amount:
        alignment = alignment_of(value)
        if amount.bytes is not None:
            return number(-amount.bytes % alignment)
        return number(alignment - gcd(factor, alignment))

    def wanted(self, value: Value) -> list[Expr]:
        """The expressions whose value decides the size."""
        shape = shape_of(value.type)
        if shape is None:
            asked = self._asked(value)
            return [expr for monomial, _ in asked.terms for expr in monomial] if asked is not None else []
        dimensions = [self.dimension(value, i) for i, d in enumerate(shape[0]) if d is None]
        return [expr for expr in dimensions if expr[0] != "dim"]

    def _asked(self, value: Value) -> Amount | None:
        """Bytes that the op asks for which makes the buffer that `value` is a name of."""
        if value not in self._requested:
            self._requested[value] = requested(self._graph, value)
        return self._requested[value]

    def dimension(self, value: Value, position: int) -> Expr:
        """Elements of one dimension."""
        found = dimension(self._graph, value, position)
        return plain(self.expression(found)) if isinstance(found, Value) else found

    def expression(self, value: Value) -> Expr:
        """The scalar expression of `value`."""
        return self._assumption(value) or self._graph.expression(value)

    def settled(self, value: Value, facts: Facts) -> Expr:
        """The scalar expression of `value`, with what is known and assumed put in."""
        return self._settle(self.expression(value), facts)

    def _settle(self, expr: Expr, facts: Facts) -> Expr:
        known = {("leaf", leaf): number for leaf in leaves(expr) if (number := self._assumption(leaf)) is not None}
        expr = simplify(expr, {**facts, **self._read_off, **known})
        if expr[0] != "const" and "?" in self._assumed:
            return ("const", self._assumed["?"])
        return expr

    def _assumption(self, value: Value) -> Expr | None:
        """The number that a value is said to be; None where nothing is said of it, or it is none."""
        number = self._assumed.get(value.name) if shape_of(value.type) is None else None
        return ("const", number) if number is not None else None


def _read_off(graph: Graph, assumed: Mapping[str, int]) -> Facts:
    """The dimensions that ops read off buffers and give one of some names."""
    models = [(name, graph.models.of(name)) for name in graph.named] if assumed else []
    reading = [name for name, model in models if model is not None and model.compute == "dim"]
    results = [result for name in reading for op in graph.named[name] for result in op.results]
    named = [(graph.expression(one), assumed[one.name]) for one in results if one.name in assumed]
    return {expr: ("const", number) for expr, number in named if expr[0] != "const"}


def alignment_of(value: Value) -> int:
    """The alignment that the op asks for which makes a buffer; 1 where it says nothing."""
    written = value.op.attributes.get("alignment", "") if value.op is not None else ""
    digits = written.partition(":")[0].strip()
    return max(1, numeral(digits) or 1) if digits.isdecimal() else 1
