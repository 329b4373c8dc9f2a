"""Which functions a value may be, where it is one of several: selections, branches and regions hand them on.

Computed once for all values of a function. An unknown value may forward any function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.dialects import select, successor_uses
from memlane.dialects.model import Models, RegionEdge
from memlane.flow.cfg.edge_operands import bind, forwarded_at, slice_of
from memlane.flow.cfg.limits import MAX_FUNCTIONS
from memlane.syntax.tree.tree import Block, Op, Region, Use, Value


class Ones(NamedTuple):
    """What a value may be.

    Args:
        symbols: of functions.
        others: arguments of the function, and what operations give of which nothing is known.
        anything: or something else.
    """

    symbols: frozenset[str] = frozenset()
    others: frozenset[Value] = frozenset()
    anything: bool = False

    def joined(self, other: Ones) -> Ones:
        """One of both."""
        if other is self or (other.symbols <= self.symbols and other.others <= self.others):
            return self if self.anything or not other.anything else self._replace(anything=True)
        symbols, others = self.symbols | other.symbols, self.others | other.others
        if len(symbols) + len(others) > MAX_FUNCTIONS:
            return self._replace(anything=True)
        return Ones(symbols, others, self.anything or other.anything)


_NOTHING = Ones()
_ANYTHING = Ones(anything=True)


class FunctionValues:
    """The values of one function. `models`: what its ops do."""

    __slots__ = ("_branches", "_function", "_known", "_mentioned", "_models")

    def __init__(self, function: Op, models: Models) -> None:
        self._function = function
        self._models = models
        self._known: dict[Value, Ones] = {}
        self._branches: dict[Region, dict[Block, list[Sequence[Use]]]] = {}
        self._mentioned: frozenset[str] | None = None

    def of(self, value: Value) -> Ones:
        """What a value may be."""
        if value not in self._known:
            self._find(value)
        return self._known[value]

    @property
    def mentioned(self) -> frozenset[str]:
        """The symbols of all functions that ops of the function name."""
        if self._mentioned is None:
            named = (op.symbol for op in self._function.walk() if op.results and names_function(op, self._models))
            self._mentioned = frozenset(symbol for symbol in named if symbol is not None)
        return self._mentioned

    def _find(self, asked: Value) -> None:
        """Look at all that `asked` may be: what each of those may be grows until it is settled."""
        found: dict[Value, Ones] = {}
        receivers: dict[Value, list[Value]] = {}
        pending = [asked]
        while pending:
            value = pending.pop()
            if value in found or value in self._known:
                continue
            found[value] = ones = self._alone(value)
            for given in self._given(value) if ones is _NOTHING else ():
                if given is None:
                    found[value] = _ANYTHING
                else:
                    receivers.setdefault(given, []).append(value)
                    pending.append(given)
        waiting = dict.fromkeys(receivers)
        while waiting:
            value, _ = waiting.popitem()
            ones = found[value] if value in found else self._known[value]
            for receiver in receivers.get(value, ()):
                after = found[receiver].joined(ones)
                if after != found[receiver]:
                    found[receiver] = after
                    waiting[receiver] = None
        self._known.update(found)

    def _alone(self, value: Value) -> Ones:
        """The function or opaque value that a value is by itself; nothing: it forwards other values."""
        op = value.op
        if op is None:
            enters = value.block is None or is_entry(value.block, self._models)
            return Ones(others=frozenset((value,))) if enters else _NOTHING
        if op.symbol is not None and names_function(op, self._models):
            return Ones(frozenset((op.symbol,)))
        return _NOTHING if op.regions or is_selection(op, self._models) else Ones(others=frozenset((value,)))

    def _given(self, value: Value) -> Iterator[Value | None]:
        """The values of which one is forwarded as a value; None: unknown."""
        op, block = value.op, value.block
        if op is not None and not op.regions:
            yield from [use.value for use in op.operands[1:]] if len(op.operands) == 3 else (None,)
        elif op is not None:
            yield from self._through(op, None, op.results, value.index)
        elif block is not None:
            branches = self._branching(block.region).get(block, ())
            for uses in branches:
                yield uses[value.index].value if len(uses) == len(block.arguments) else None
            if not block.index:
                yield from self._through(block.region.op, block.region.index, block.arguments, value.index)
            elif not branches:
                yield None

    def _branching(self, region: Region) -> dict[Block, list[Sequence[Use]]]:
        """What branches hand over to each block of a region."""
        if region not in self._branches:
            found = self._branches[region] = dict[Block, list[Sequence[Use]]]()
            for op in (block.ops[-1] for block in region.blocks if block.ops):
                model = self._models.of(op.name)
                received = successor_uses(op, model) if model is not None else [one.operands for one in op.successors]
                for successor, uses in zip(op.successors, received, strict=True):
                    if successor.block is not None:
                        found.setdefault(successor.block, []).append(uses)
        return self._branches[region]

    def _through(self, op: Op, target: int | None, receivers: Sequence[Value], index: int) -> Iterator[Value | None]:
        """What the edges of an op to one of its regions, or past it, hand over as one of some receivers."""
        model = self._models.of(op.name)
        if model is None or not model.regions or model.view or any(not region.blocks for region in op.regions):
            yield None
            return
        told = False
        for edge in model.regions:
            if edge.target == target or (edge.target == -1 and target is not None):
                told = True
                for uses in self._forwarded(op, edge):
                    given = {receiver: value for value, receiver in bind(uses, tuple(receivers), edge.onto)}
                    yield given.get(receivers[index])
            elif edge.target is not None and edge.target >= len(op.regions):
                yield None  # past a region that the op does not have
        if not told:
            yield None

    def _forwarded(self, op: Op, edge: RegionEdge) -> Iterator[Sequence[Use]]:
        """What an edge hands over, from each place where control may take it."""
        model = self._models.of(op.name)
        if edge.source is None:
            yield select(op, edge.forwards, model) if edge.forwards is not None and model is not None else ()
            return
        for region in op.regions if edge.source == -1 else op.regions[edge.source : edge.source + 1]:
            for block in region.blocks:
                last = block.ops[-1] if block.ops else None
                if last is not None and last.successors:
                    continue
                ends = self._models.of(last.name) if last is not None else None
                operands = last.operands if last is not None and ends is not None and ends.terminator else ()
                yield slice_of(operands, edge.forwards) if edge.forwards else forwarded_at(op, edge, operands)


def names_function(op: Op, models: Models) -> bool:
    """Whether an op may give the function that its symbol names."""
    model = models.of(op.name)
    return op.symbol is not None and is_constant(op) and (model is None or model.call is None)


def is_constant(op: Op) -> bool:
    """Whether what an op gives rests on its text alone."""
    return not op.operands and not op.regions


def is_selection(op: Op, models: Models) -> bool:
    """Whether an op gives one of two values, as the first says."""
    model = models.of(op.name)
    return model is not None and model.compute == "select"


def is_entry(block: Block, models: Models) -> bool:
    """Whether a function begins with a block."""
    return models.is_function(block.region.op.name) and block is block.region.blocks[0]
