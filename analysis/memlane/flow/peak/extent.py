"""How much memory a new buffer takes, as an `Amount` in the scalar expressions of its function.

Dimensions come from the operands of the allocation, or bytes do (malloc_size.py). A dimension that an operation reads
off another buffer is looked up there; an unknown one is a symbol of its own, `("dim", value, position)` (scalar.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from math import gcd, prod

from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.malloc_size import requested
from memlane.flow.peak.limits import MAX_STEPS
from memlane.flow.scalars.dimensions import keeps_shape
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.amounts import Amount, number, product, text
from memlane.flow.symbolic.scalar import Expr, Facts, dimension, operands, simplify
from memlane.flow.symbolic.sizes import shape_of
from memlane.flow.symbolic.width_casts import plain
from memlane.integers import numeral
from memlane.syntax.tree.tree import Op, Value


class Extents:
    """Sizes of the buffers of one function.

    Args:
        graph: the function.
        assumed: numbers for names of values (`%n`) and dimensions (`dim(%x,0)`), and under `?` for those that are not
            known otherwise.
        aligned: with the bytes that fill a buffer up to a multiple of its alignment, as allocators do; where its size
            is not known, the most that may be needed.
    """

    def __init__(self, graph: Graph, assumed: Mapping[str, int], aligned: bool = False) -> None:
        self._graph = graph
        self._assumed = assumed
        self._aligned = aligned
        self._requested: dict[Value, Amount | None] = {}

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
        return [expr for expr in dimensions if next(_dimensions(expr), None) is None]

    def _asked(self, value: Value) -> Amount | None:
        """Bytes that the op asks for which makes the buffer that `value` is a name of."""
        if value not in self._requested:
            self._requested[value] = requested(self._graph, value)
        return self._requested[value]

    def dimension(self, value: Value, position: int) -> Expr:
        """Elements of one dimension."""
        for _ in range(MAX_STEPS):
            shape = shape_of(value.type)
            if shape is None or position >= len(shape[0]):
                break
            known = shape[0][position]
            if known is not None:
                return ("const", known)
            op = value.op
            if op is None:
                break
            made = next((alloc for made, alloc in effects_at(self._graph, op).allocs if made is value), None)
            if made is not None:
                return self._allocated(op, value, position, shape[0]) if made.sized else dimension(value, position)
            source = self._same_shape(op, value)
            if source is None:
                break
            value = source
        return dimension(value, position)

    def _allocated(self, op: Op, value: Value, position: int, shape: tuple[int | None, ...]) -> Expr:
        """The operand of an allocation that gives the dimension."""
        sizes = [use.value for use in op.operands if use.value is not None and use.value.type in ("index", None)]
        order = shape[:position].count(None)
        return plain(self.expression(sizes[order])) if order < len(sizes) else dimension(value, position)

    def _same_shape(self, op: Op, value: Value) -> Value | None:
        """What `value` is a cast of."""
        for view in effects_at(self._graph, op).views:
            if view.result is value and len(view.sources) == 1 and len(op.operands) == 1:
                source = view.sources[0]
                return source if keeps_shape(self._graph.model(op), source, value) else None
        return None

    def expression(self, value: Value) -> Expr:
        """The scalar expression of `value`; a dimension read off a buffer is looked up there."""
        if value.name in self._assumed:
            return ("const", self._assumed[value.name])
        expr = scalar_of(self._graph, value)
        return self.dimension(expr[1][1], expr[2][1]) if expr[0] == "dim" else expr

    @cached_property
    def _said(self) -> Facts:
        """What is assumed of values by their names, whatever they are computed of."""
        ops = list(self._graph.function.walk())
        results = (value for op in ops for value in op.results)
        arguments = (value for op in ops for one in op.regions for block in one.blocks for value in block.arguments)
        named = [value for value in chain(results, arguments) if value.name in self._assumed]
        return {scalar_of(self._graph, value): ("const", self._assumed[value.name]) for value in named}

    def settled(self, value: Value, facts: Facts) -> Expr:
        """The scalar expression of `value`, with what is known and assumed put in."""
        return self._settle(self.expression(value), facts)

    def _settle(self, expr: Expr, facts: Facts) -> Expr:
        if self._assumed:
            dims = {one: ("const", self._assumed[text(one)]) for one in _dimensions(expr) if text(one) in self._assumed}
            facts = {**facts, **self._said, **dims}
        expr = simplify(expr, facts)
        if expr[0] != "const" and "?" in self._assumed:
            return ("const", self._assumed["?"])
        return expr


def alignment_of(value: Value) -> int:
    """The alignment that the op asks for which makes a buffer; 1 where it says nothing."""
    written = value.op.attributes.get("alignment", "") if value.op is not None else ""
    digits = written.partition(":")[0].strip()
    return max(1, numeral(digits) or 1) if digits.isdecimal() else 1


def _dimensions(expr: Expr) -> Iterator[Expr]:
    """The unknown dimensions in an expression."""
    stack = [expr]
    while stack:
        item = stack.pop()
        if item[0] == "dim":
            yield item
        elif item[0] != "leaf":
            stack.extend(operands(item))
