"""How often counted loops run: bounds as operands, as attributes of the generic form, or as they stand in the text.

Iterations that may run at once come in no order. What they do is followed one after the other all the same, but no
argument of theirs counts them: only the range of the arguments is known. Loops over several dimensions run as often as
the product of these says; where more than one of them is not known, any number of times.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memlane.dialects import select
from memlane.dialects.model import OpModel, Selector, Trip
from memlane.dialects.text_patterns import match_head
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.scalars.affine_ops import bound_by, bound_of, bounds_written
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.limits import MAX_HOLES
from memlane.flow.symbolic.affine_maps import Affine, affine_of
from memlane.flow.symbolic.comparisons import is_plain
from memlane.flow.symbolic.constant_folding import in_type, width
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.scalar import TRUE, Expr, constant
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Value

ZERO, ONE = constant(0), constant(1)
_UNSIGNED = {"unsigned", "unsignedCmp"}
"""What a loop says whose bounds are compared as unsigned numbers: numbers are followed as signed ones."""
_INDEX_BITS = 64


class TripOf(NamedTuple):
    """The bounds of a counted loop, and what counts: a block argument, or nothing that the program names.

    Args:
        inside: what is known of the arguments that count in each iteration.
        wraps: the bounds are numbers of so many bits without a sign, of which what counts may be negative with one.
    """

    lower: Expr
    upper: Expr
    step: Expr
    counter: Expr
    inside: tuple[tuple[Expr, Expr | Range], ...] = ()
    wraps: int | None = None

    @property
    def times(self) -> int | None:
        """How many iterations there are; None: not known."""
        return _count(_Dimension(self.lower, self.upper, self.step))

    def signed(self, number: int) -> int:
        """What counts, as it is followed, where it has come to a number between the bounds."""
        return number if self.wraps is None else in_type(number, f"i{self.wraps}")

    def counted(self, fact: Expr) -> Expr:
        """The other way round: the number that it has come to."""
        return fact if self.wraps is None or fact[0] != "const" else constant(fact[1] % (1 << self.wraps))

    def stretch(self, number: int, numbers: Sequence[int]) -> Expr | Range:
        """What counts, from where it has come to a number of its own up to the next at which a comparison with one of
        some numbers may come out otherwise: a number, or all of a range. Bounds and step are constants.

        Args:
            number: one of the numbers that it comes to.
            numbers: in ascending order.
        """
        lower, step = self.lower[1], self.step[1]
        at = bisect_right(numbers, number)
        first = numbers[at - 1] if at else lower
        low = max(lower, first + (lower - first) % step)
        before = min(numbers[at] if at < len(numbers) else self.upper[1], self.upper[1]) - 1
        high = before - (before - lower) % step
        return constant(low) if low == high else Range(low, high)

    def since(self, number: int) -> Range:
        """What counts, once it has come to a number, and from then on. The lower bound is a constant."""
        if self.wraps is None:
            return Range(number)
        past = frozenset(map(self.signed, range(self.lower[1], number, self.step[1])))
        half = 1 << (self.wraps - 1)
        return Range(holes=past).cut(-half, half - 1) or Range()


class _Dimension(NamedTuple):
    lower: Expr
    upper: Expr
    step: Expr


def trip_of(graph: Graph, op: Op) -> TripOf | None:
    """The bounds of a counted loop; None where they are unknown, and for other ops."""
    known = query(graph, _known)
    if op not in known:
        model = graph.model(op)
        known[op] = _trip(graph, op, model, model.trip) if model is not None and model.trip is not None else None
    return known[op]


def _known(_: Graph) -> dict[Op, TripOf | None]:
    return {}


def trips_of(graph: Graph, ops: Iterable[Op]) -> Iterator[tuple[Op, TripOf]]:
    """The counted loops among some ops, each with its bounds."""
    for op in ops:
        trip = trip_of(graph, op) if op.regions and op is not graph.function else None
        if trip is not None:
            yield op, trip


def _trip(graph: Graph, op: Op, model: OpModel, trip: Trip) -> TripOf | None:
    if not op.regions or not op.regions[0].blocks:
        return None
    lists = _written(graph, op, trip) if trip.text is not None else None
    lists = lists or (_listed(graph, op, trip, model) if trip.attributes else None)
    if lists is None and trip.text is None:
        lists = [_given(graph, op, one, model) for one in (trip.lower, trip.upper, trip.step)]
    dimensions = _dimensions(lists) if lists is not None else []
    body = op.regions[0].blocks[0]
    if model.parallel and lists == _NO_DIMENSIONS and not body.arguments:
        return TripOf(ZERO, ONE, ONE, _nameless(op))
    if not dimensions or trip.counter >= len(body.arguments):
        return None
    if model.parallel:
        return _unordered(dimensions, body)
    if len(dimensions) > 1:
        return None
    counter: Expr = ("leaf", body.arguments[trip.counter])
    if _UNSIGNED.isdisjoint((*op.keywords, *op.attributes)):
        return TripOf(*dimensions[0], counter, tuple(_inside(body.arguments[trip.counter], dimensions[0])))
    return _unsigned(dimensions[0], counter, _bits(op, trip, model))


def _bits(op: Op, trip: Trip, model: OpModel) -> int | None:
    """How wide the bounds of a loop are that are given as operands."""
    types = [use.value.type for use in select(op, trip.lower, model) if use.value is not None]
    return _INDEX_BITS if types == ["index"] else width(types[0]) if types else None


def _unsigned(one: _Dimension, counter: Expr, bits: int | None) -> TripOf | None:
    """The same for bounds without a sign. Where both have the same sign with one, it does not matter."""
    if bits is None or not one.lower[0] == one.upper[0] == one.step[0] == "const":
        return None
    low, high, step = (number[1] % (1 << bits) for number in one)
    if not step or low >= high:
        return TripOf(ZERO, ZERO, ONE, counter) if step else None
    if (one.lower[1] < 0) is (one.upper[1] < 0):
        return TripOf(one.lower, one.upper, constant(step), counter)
    return TripOf(constant(low), constant(high), constant(step), counter, wraps=bits)


_List = list[Expr | None]
"""A bound in each dimension; None: unknown."""
_NO_DIMENSIONS: list[_List] = [[], [], []]


def _given(graph: Graph, op: Op, selector: Selector, model: OpModel) -> _List:
    values = [use.value for use in select(op, selector, model)]
    return [scalar_of(graph, value) if value is not None else None for value in values]


def _written(graph: Graph, op: Op, trip: Trip) -> list[_List] | None:
    """Bounds in the text: numbers, and operands by their names."""
    found = match_head(trip.text or "", graph.source, op)
    if found is None:
        return None
    named = {use.name: scalar_of(graph, use.value) for use in op.operands if use.value is not None}
    if len(found.groups()) == 1:
        texts = bounds_written(found[1])
        return [[bound_of(text, op, named, text is texts[1])] if text else [] for text in texts] or None
    lists = [[named.get(part) or _number(part) for part in _parts(text)] for text in found.groups()]
    return [*lists, *([] for _ in range(3 - len(lists)))]


def _parts(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",")] if text is not None and text.strip() else []


_ARRAY = regex(r"array<i\d+\s*(?::([^>]*))?>|\[([^\]]*)\]|(-?\d+)\b")


def _listed(graph: Graph, op: Op, trip: Trip, model: OpModel) -> list[_List] | None:
    """Bounds in attributes: affine maps, arrays of numbers and of what operands give, numbers."""
    texts = [op.attributes.get(name, "") for name in trip.attributes]
    if not texts[0]:
        return None
    operands = [scalar_of(graph, use.value) if use.value is not None else None for use in op.operands]
    lists: list[_List] = []
    for text, selector in zip(texts, (trip.lower, trip.upper, trip.step), strict=False):
        if (affine := affine_of(text)) is not None:
            arguments, operands = operands[: affine.arguments], operands[affine.arguments :]
            lists.append(_results(affine, arguments, op, model, upper=bool(lists)))
            continue
        found = _ARRAY.match(text)
        parts = _parts(next((g for g in found.groups() if g is not None), "")) if found is not None else [""]
        numbers = [numeral(part.split(":")[0].strip()) for part in parts]
        given = iter(_given(graph, op, selector, model) if _DYNAMIC in numbers else [])
        lists.append([next(given, None) if one == _DYNAMIC else _constant(one) for one in numbers])
    return lists


def _results(affine: Affine, arguments: Sequence[Expr | None], op: Op, model: OpModel, upper: bool) -> _List:
    """What a map gives: a bound in each dimension, or of one dimension the largest or the smallest."""
    if not model.parallel:
        return [bound_by(affine, arguments, upper)]
    known = [one for one in arguments if one is not None]
    results = affine.applied(known) if len(known) == len(arguments) else None
    dimensions = len(op.regions[0].blocks[0].arguments)
    return [*results] if results is not None and len(results) == dimensions else [None]


_DYNAMIC = -(1 << 63)
"""What stands in an array in the place of an operand."""


def _number(text: str) -> Expr | None:
    return _constant(numeral(text))


def _constant(number: int | None) -> Expr | None:
    return constant(number) if number is not None and number != _DYNAMIC else None


def _dimensions(lists: list[_List]) -> list[_Dimension]:
    """The bounds in each dimension, those that are left out being 0 and 1; nothing where one is not known."""
    lower, upper, step = lists
    count = len(upper)
    rows = zip(lower or [ZERO] * count, upper, step or [ONE] * count, strict=False)
    found = [_Dimension(low, high, by) for low, high, by in rows if low is not None and high is not None and by]
    return found if len(found) == count else []


def _nameless(op: Op) -> Expr:
    """What counts a loop in which nothing has a name for that: another thing in each of the loops around it."""
    depth = 0
    while op.parent is not None:
        op, depth = op.parent.region.op, depth + 1
    return ("round", ("holds", str(depth)), ZERO)


def _unordered(dimensions: Sequence[_Dimension], body: Block) -> TripOf:
    counter: Expr = ("round", ("leaf", body.arguments[0]), ZERO)
    counts = [_count(one) for one in dimensions]
    if 0 in counts:
        return TripOf(ZERO, ZERO, ONE, counter)
    each = zip(body.arguments, dimensions, strict=False)
    inside = tuple([fact for value, one in each for fact in _inside(value, one)])
    if len(dimensions) == 1:
        return TripOf(*dimensions[0], counter, inside)
    product, unknown = 1, [one for one, count in zip(dimensions, counts, strict=True) if count is None]
    for count in counts:
        product *= count if count is not None else 1
    if not unknown:
        return TripOf(ZERO, constant(product), ONE, counter, inside)
    lower, upper, step = unknown[0]
    if len(unknown) > 1 or lower != ZERO or step != ONE:
        return TripOf(ZERO, ("round", ("leaf", body.arguments[0]), ONE), ONE, counter, inside)  # who knows how often
    return TripOf(ZERO, upper if product == 1 else ("muli", upper, constant(product)), ONE, counter, inside)


def _inside(value: Value, one: _Dimension) -> Iterator[tuple[Expr, Expr | Range]]:
    """What is known of the argument that counts a dimension, while it does."""
    counter: Expr = ("leaf", value)
    count = _count(one)
    if count is not None:
        if count:
            yield counter, _between(one, count)
        return
    low = one.lower[1] if one.lower[0] == "const" else -INFINITY
    high = one.upper[1] - 1 if one.upper[0] == "const" else INFINITY
    if (low, high) != (-INFINITY, INFINITY):
        yield counter, Range(low, high)
    if one.lower[0] != "const" and is_plain(one.lower):
        yield ("cmpi", "sle", one.lower, counter), TRUE
    if one.upper[0] != "const" and is_plain(one.upper):
        yield ("cmpi", "slt", counter, one.upper), TRUE


def _between(one: _Dimension, count: int) -> Range:
    """The numbers that a dimension of so many iterations, one at least, counts through."""
    low, step = one.lower[1], one.step[1]
    high = low + (count - 1) * step
    holes = frozenset(n for n in range(low, high) if (n - low) % step) if high - low <= MAX_HOLES else frozenset[int]()
    return Range(low, high, holes)


def _count(one: _Dimension) -> int | None:
    """The number of iterations in a dimension; None: unknown."""
    if one.lower[0] == one.upper[0] == one.step[0] == "const" and one.step[1] > 0:
        return max(0, -(-(one.upper[1] - one.lower[1]) // one.step[1]))
    return None
