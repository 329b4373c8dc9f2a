"""Control flow of one function, branches and regions alike: where an op may go, under which guard, with which values.

`Graph` answers for structured ops (region edges of the model) and for unstructured ones (successors) in the
same form, an `Edge`. It also turns operations into `Effects` in values. It holds no analysis results.
Ops without a model go to each of their regions in any order, as MLIR's RegionBranchOpInterface says of an op
that does not restrict its successors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from memlane.dialects import select, successor_uses
from memlane.dialects.model import Call, Guard, Models, OpModel, RegionEdge
from memlane.flow.control.aborting_ops import stopping
from memlane.flow.control.aggregate_buffers import Fields, is_packing, through_fields
from memlane.flow.control.assertions import as_asserted
from memlane.flow.control.buffer_reductions import with_carried
from memlane.flow.control.call_arguments import Passing
from memlane.flow.control.callee import as_called, behind_callee
from memlane.flow.control.cost_model import OpCosts, WorkCount
from memlane.flow.control.edge_operands import any_order, bind, forwarded_at, settled_target, slice_of
from memlane.flow.control.effects import NO_EFFECTS, Effects, effects_of, looks_far, silent, undescribed
from memlane.flow.control.expressions import Expressions, asked_by, cases_of
from memlane.flow.control.extern_aliases import FINDING, Indirects, forget_indirects, indirects_of, through_indirects
from memlane.flow.control.function_pointers import FunctionValues
from memlane.flow.control.incomplete_cfg import lacks_yield
from memlane.flow.control.incomplete_names import settled, unsettled
from memlane.flow.control.incomplete_ops import Begun
from memlane.flow.control.loops import Loops
from memlane.flow.control.multi_free import MultiFree
from memlane.flow.control.opaque_aggregates import bindings_of, through_untold
from memlane.flow.control.ops_by_name import by_name, put_right
from memlane.flow.control.pointer_memory import Slots, slots_of, through_slots
from memlane.flow.control.scalar_memory import Cells
from memlane.flow.control.token_chains import ChainLink
from memlane.flow.control.trip_count import TripOf, trip_of
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.syntax.tree.tree import Block, Op, Region, Use, Value, around

_VALUE = attrgetter("value")


class Edge(NamedTuple):
    """One way control may go.

    Args:
        block: where to; None: to the op after `leaves` (its results are bound).
        leaves: the op whose regions control flow exits; with it, `block` is not set.
        bindings: pairs (value passed on or None where unknown, value that receives it).
        guard, number: as in the model; `place` is the op whose operands the guard reads.
        case: the constants a CASE guard compares with; None for the default, which excludes `others`.
    """

    block: Block | None
    leaves: Op | None
    bindings: tuple[tuple[Value | None, Value], ...]
    guard: Guard
    place: Op
    number: int = 0
    case: int | None = None
    others: tuple[int, ...] = ()


def _comes_back(call: Op) -> bool:
    return False


Source = str | Callable[[], str]  # a text, or what gives it


class Graph:
    """Control flow and effects of the ops of one function.

    Args:
        function: the function-like op.
        models: what the ops do.
        source: the text, for bounds that only stand there; or what gives it, where that costs something.
        defined: symbols of functions with a body: their effects are those of the body, whatever their name.
        ends: whether a call is of one of those, and control does not come back.
    """

    __slots__ = (
        *("_doubtful", "_edges", "_effects", "_entering", "_exits", "_loops", "_named", "_named_models", "_silent"),
        *("_source", "_stopping", "_trips", "_works", "begun", "cells", "chains", "chosen", "defined", "expressions"),
        *("ends", "fields", "freeing", "function", "indirects", "models", "passing", "repeating", "slots", "taking"),
    )

    def __init__(
        self,
        function: Op,
        models: Models,
        source: Source = "",
        defined: Container[str] = (),
        ends: Callable[[Op], bool] = _comes_back,
    ) -> None:
        self.defined, self.ends = defined, ends
        self._source = source
        self.function = function
        self.models = models
        self.taking: dict[Block, list[int]] = {}  # see flow/control/alloc_counts.py
        self.freeing: dict[Op, MultiFree] = {}  # see flow/control/multi_free.py
        self.repeating: dict[Block, dict[Block, bool]] = {}  # see flow/control/region_edges.py
        self.chains: dict[Op, ChainLink] = {}  # see flow/control/token_chains.py
        self.passing: dict[Op, Passing] = {}  # see flow/control/call_arguments.py
        self.chosen = FunctionValues(function, models)
        self.slots: Slots | None = None  # see flow/control/pointer_memory.py
        self.indirects: Indirects | None = None  # see flow/control/extern_aliases.py
        self.cells = Cells()  # see flow/control/scalar_memory.py
        self.fields = Fields()  # see flow/control/aggregate_buffers.py
        self.begun = Begun()  # see flow/control/incomplete_ops.py
        self._edges: dict[Op, tuple[Edge, ...]] = {}
        self._loops: dict[Region, Loops] = {}
        self._exits: dict[Block, tuple[Edge, ...]] = {}
        self._silent: dict[str, bool] = {}
        self._trips: dict[Op, TripOf | None] = {}
        self._works = OpCosts()  # see flow/control/cost_model.py
        self._entering: dict[Region, dict[Block, list[Edge]]] = {}
        self._doubtful: dict[int, tuple[Edge, bool]] = {}
        self._effects: dict[Op, Effects] = {}
        self.expressions = Expressions()
        self._named: dict[str, list[Op]] | None = None
        self._named_models: dict[str, OpModel | None] | None = None
        self._stopping: Mapping[Block, Op] | None = None

    @property
    def source(self) -> str:
        """The text."""
        if not isinstance(self._source, str):
            self._source = self._source()
        return self._source

    @source.setter
    def source(self, source: Source) -> None:
        """The text that contains the ops from now on, or a function that returns it on demand."""
        self._source = source

    def model(self, op: Op) -> OpModel | None:
        """The model of `op`, for calls of well-known external functions the function's; None: no model."""
        model = self.models.of(op.name)
        if model is None or model.call is None:
            return model
        return as_called(op, model, model.call, self.models, self.defined)

    def works(self, op: Op) -> bool:
        """Whether an op between a last use and a deallocation makes it late: all but constants and frees do."""
        return self._works.is_work(self, op)

    def work(self, block: Block, start: int, stop: int) -> WorkCount:
        """What works in that sense, of the ops of a block from number `start` up to `stop` (exclusive)."""
        return self._works.between(self, block, start, stop)

    def call(self, op: Op) -> Call | None:
        """How `op` calls, if it does; calls of well-known functions are ops like others."""
        model = self.model(op)
        return model.call if model is not None else None

    def arguments(self, op: Op) -> list[Value | None]:
        """What a call passes, behind that its fields, and what it is lent in slots."""
        model = self.model(op)
        if model is None or model.call is None:
            return []
        begun = unsettled(self, op)
        passed = [use.value if use.value is not begun else None for use in select(op, model.call.arguments, model)]
        passed = behind_callee(op, model.call, self.models, passed, self.chosen)
        return [*passed, *self.fields.inside(passed), *slots_of(self).lent.get(op, ())]

    def results(self, op: Op) -> tuple[Value, ...]:
        """What an op gives, and behind that its fields."""
        return (*op.results, *self.fields.inside(op.results))

    def handed(self, op: Op) -> list[Value | None]:
        """What an op at the end of the function hands to the caller, and behind that its fields."""
        values = [*map(_VALUE, op.operands)]
        return [*values, *self.fields.inside(values)]

    @property
    def formals(self) -> tuple[Value, ...]:
        """The arguments of the function, and behind them their fields."""
        return self.fields.formals(self.entry.arguments) if self.entry is not None else ()

    def selects(self, op: Op) -> bool:
        """Whether the first operand tells which of two sources the result is."""
        model = self.model(op)
        return model is not None and model.compute == "select"

    @property
    def entry(self) -> Block | None:
        """The first block of the body; None for a declaration."""
        regions = self.function.regions
        return regions[0].blocks[0] if regions and regions[0].blocks else None

    def entries(self, op: Op) -> tuple[Edge, ...]:
        """Where control goes from an op that has regions: into them or past it."""
        if op not in self._edges:
            self._edges[op] = tuple(self._region_edges(op, None, op, op.operands))
        return self._edges[op]

    def exits(self, block: Block) -> tuple[Edge, ...]:
        """Where control goes at the end of `block`: to successors, sibling regions or past the op around it; nowhere
        where it does not come there (aborting_ops.py)."""
        return self.written_exits(block) if block not in self.stopping else ()

    @property
    def stopping(self) -> Mapping[Block, Op]:
        """Of blocks to the end of which control never comes, the op behind which it does not."""
        if self._stopping is None:
            self._stopping = {}  # what is asserted may be asked of edges
            self._stopping = stopping(self)
        return self._stopping

    def stops(self, block: Block) -> bool:
        """Whether execution ends in a block, without returning."""
        return block in self.stopping or (bool(block.ops) and self.effects(block.ops[-1]).stops)

    def goes_on(self, block: Block) -> bool:
        """Whether control comes to the end of a block, and that says to which others it goes."""
        return block not in self.stopping and bool(block.ops and block.ops[-1].successors)

    def written_exits(self, block: Block) -> tuple[Edge, ...]:
        """The same as the text has it, whether or not control comes there."""
        found = self._exits.get(block)
        if found is None:
            found = self._exits[block] = self._exits_of(block)
        return found

    def entering(self, block: Block) -> Sequence[Edge]:
        """The edges that lead to a block from the ends of those of its region."""
        region = block.region
        if region not in self._entering:
            found = self._entering[region] = dict[Block, list[Edge]]()
            for edge in (edge for source in region.blocks for edge in self.exits(source)):
                if edge.block is not None:
                    found.setdefault(edge.block, []).append(edge)
        return self._entering[region].get(block, ())

    def may_repeat(self, region: Region) -> bool:
        """Whether control may come back to a place of `region` without leaving the op around it."""
        return len(region.blocks) > 1 or any(
            edge.block is not None for block in region.blocks for edge in self.exits(block)
        )

    def loops(self, region: Region) -> Loops:
        """The loops of a region's blocks."""
        found = self._loops.get(region)
        return found if found is not None else self._loops.setdefault(region, Loops(region))

    def cycle(self, block: Block) -> frozenset[Block]:
        """See `Loops.cycle`."""
        return self.loops(block.region).cycle(block)

    def _exits_of(self, block: Block) -> tuple[Edge, ...]:
        last = block.ops[-1] if block.ops else None
        if last is not None and last.successors:
            return tuple(self._successor_edges(last))
        holder = block.region.op
        if holder is self.function or lacks_yield(self, block):
            return ()
        if last is None or self.ends_region(last) or not holder.results:
            operands = settled(self, last) if last is not None and self.ends_region(last) else ()
            return tuple(self._region_edges(holder, block.region, last or holder, operands))
        choices = dict.fromkeys((self._yielded(last), ()))
        return tuple(edge for uses in choices for edge in self._region_edges(holder, block.region, last, uses))

    def _yielded(self, last: Op) -> tuple[Use, ...]:
        """What a region without a terminator may hand on, as that of `vector.mask` is written: the result of its last
        op, which then has no name, and is perhaps what that op is given."""
        model = self.model(last)
        return tuple([use for view in model.view for use in select(last, view.of, model)]) if model is not None else ()

    def ends_region(self, op: Op) -> bool:
        """Whether an op may be the terminator of a region."""
        model = self.model(op)
        return model is None or model.terminator or model.exits

    def _successor_edges(self, op: Op) -> list[Edge]:
        model = self.model(op)
        guards = model.successors if model and len(op.successors) >= len(model.successors) else ()  # else: being typed
        cases = cases_of(op, model, [successor.label for successor in op.successors])
        others = tuple(case for case in cases if case is not None)
        edges: list[Edge] = []
        for position, successor in enumerate(op.successors):
            guard, number = guards[min(position, len(guards) - 1)] if guards else (Guard.ALWAYS, 0)
            if successor.block is None:
                continue
            uses = successor_uses(op, position, model) if model is not None else successor.operands
            if model is not None and len(uses) != len(successor.block.arguments):
                continue  # one of the two is being typed: see incomplete_cfg.py
            bindings = bindings_of(self, bind(uses, successor.block.arguments, None))
            edges.append(Edge(successor.block, None, bindings, guard, op, number, cases[position], others))
        return edges

    def _region_edges(self, op: Op, source: Region | None, place: Op, operands: tuple[Use, ...]) -> list[Edge]:
        model = self.model(op)
        described = model.regions if model else None
        if described is None:
            described = any_order(op, len(op.regions))
        edges: list[Edge] = []
        for edge in described:
            if edge.source is None and source is not None:
                continue
            if edge.source is not None and (source is None or edge.source not in (-1, source.index)):
                continue
            forwarded: Sequence[Use] = forwarded_at(op, edge, operands)
            if edge.forwards is not None and source is None and model is not None:
                forwarded = select(op, edge.forwards, model)  # groups go by their ODS names
            elif edge.forwards is not None:
                forwarded = slice_of(operands, edge.forwards)
            edges.extend(self._towards(op, settled_target(edge, source), place, forwarded))
        return with_carried(self, op, source, edges)

    def _towards(self, op: Op, edge: RegionEdge, place: Op, forwarded: Sequence[Use]) -> list[Edge]:
        cases = cases_of(op, self.model(op), [one.label for one in op.regions]) if edge.guard is Guard.CASE else ()
        others = tuple([number for number in cases if number is not None])
        targets = range(len(op.regions)) if edge.target == -1 else [] if edge.target is None else [edge.target]
        made: list[Edge] = []
        for index in targets:
            if index >= len(op.regions) or not op.regions[index].blocks:
                made.append(Edge(None, op, (), edge.guard, place, edge.number))
                continue
            block = op.regions[index].blocks[0]
            bindings = bindings_of(self, bind(forwarded, block.arguments, edge.onto))
            case = cases[index] if cases else None
            made.append(Edge(block, None, bindings, edge.guard, place, edge.number, case, others))
        if edge.target is None:
            keeps = edge.forwards is None and (model := self.model(op)) and model.view  # whatever its regions do
            bindings = () if keeps else bindings_of(self, bind(forwarded, op.results, edge.onto))
            made.append(Edge(None, op, bindings, edge.guard, place, edge.number))
        return made

    def doubtful(self, edge: Edge, source: Block | None) -> bool:
        """Whether the guard of an edge (from the end of `source`, None: from an op) depends on an op without a model,
        or on a constant that is not a number."""
        if edge.guard is Guard.ALWAYS:
            return False
        found = self._doubtful.get(id(edge))  # which is kept, and comparing edges costs more
        if found is None:
            asked = (leaf for expr in self._asked(edge, source) for leaf in leaves(expr))
            models = (self.model(leaf.op) for leaf in asked if leaf.op is not None)
            doubtful = any(model is None or model.compute == "constant" for model in models)
            found = self._doubtful[id(edge)] = edge, doubtful
        return found[1]

    def _asked(self, edge: Edge, source: Block | None) -> Iterator[Expr]:
        if edge.guard in (Guard.TRIPS, Guard.DONE):
            trip = self.trip(edge.place if source is None else source.region.op)
            yield from (trip.lower, trip.upper, trip.step) if trip is not None else ()
        elif (expr := self.asks(edge)) is not None:
            yield expr

    def asks(self, edge: Edge) -> Expr | None:
        """What decides whether an edge is taken, a number or a flag; None: nothing, or the bounds of a loop."""
        if edge.guard in (Guard.HOLDS, Guard.FAILS):
            return asked_by(self, edge.place)
        if edge.guard in (Guard.ALWAYS, Guard.TRIPS, Guard.DONE) or edge.number >= len(edge.place.operands):
            return None
        value = edge.place.operands[edge.number].value
        return as_asserted(self, self.expression(value), edge.place) if value is not None else None

    def effects(self, op: Op) -> Effects:
        """What `op` itself does to memory; its regions' ops speak for themselves."""
        found = self._effects.get(op)
        if found is None:
            found, known = self.own_effects(op), self.indirects or indirects_of(self)
            if known.views:
                found = through_indirects(known, op, found)
            if known is not FINDING:  # else asked again
                self._effects[op] = found
        return found

    def own_effects(self, op: Op) -> Effects:
        """The same without what it does to the names of `extern_aliases.py`."""
        model = self.model(op)
        if model is None:
            found = undescribed(op)
            return through_untold(self, op, through_fields(self, op, found)) if is_packing(op) else found
        if model.call is None and model is self.models.of(op.name):  # not known by the function it calls: others differ
            if (quiet := self._silent.get(op.name)) is None:
                quiet = self._silent[op.name] = silent(model)
            if quiet:
                return NO_EFFECTS
        found = effects_of(self, op, model)
        if not is_packing(op):
            return through_slots(self, op, model, found)
        return through_untold(self, op, through_slots(self, op, model, through_fields(self, op, found)))

    @property
    def named(self) -> dict[str, list[Op]]:
        """The ops of the function, itself included, by their names, in text order. Not to be changed."""
        if self._named is None:
            self._named = by_name(self.function)
        return self._named

    @property
    def named_models(self) -> Mapping[str, OpModel | None]:
        """The models of those names. Kinds of ops are looked up by these few names, not op by op."""
        if self._named_models is None:
            self._named_models = {name: self.models.of(name) for name in self.named}
        return self._named_models

    def put_right(
        self,
        gone: set[Op],
        others: Collection[Op],
        fresh: Collection[Op],
        defined: Container[str],
        ends: Callable[[Op], bool],
    ) -> Mapping[Op, Effects]:
        """Ops are gone with all that is in them, others new or use something else; all else is the same. What is known
        of the rest stays known where it rests on the op itself. Gives the effects that are not known any more."""
        self.defined, self.ends, self.chosen = defined, ends, FunctionValues(self.function, self.models)
        self._trips, self._doubtful, self.freeing, self.repeating, self.expressions = {}, {}, {}, {}, Expressions()
        self.taking, self.chains, self.passing, self.slots, self.cells, self._entering = {}, {}, {}, None, Cells(), {}
        if self._named is not None:
            put_right(self._named, gone, fresh)
            self._named_models = None
        self._stopping = None
        far = [op for name, ops in self.named.items() if looks_far(self.models.of(name)) for op in ops]
        rest = {*self.fields.forget(), *around((*gone, *others), self.function)}  # what is inside may say what is read
        rest.update(forget_indirects(self))
        forgotten = {op: self._effects.pop(op) for op in {*gone, *others, *far, *rest} if op in self._effects}
        self._edges = {op: edges for op, edges in self._edges.items() if op not in gone and op not in others}
        inner = (block for op in others for region in op.regions for block in region.blocks)
        near = {op.parent for op in (*gone, *others)}.union(inner)
        self._works.stay(gone, near)
        self.begun.put_right(self, gone, others)
        stay = [block for block in self._exits if block not in near and block.region.op not in gone]
        self._exits = {block: self._exits[block] for block in stay}
        self._loops = {region: found for region, found in self._loops.items() if region.op not in gone}
        return forgotten

    def trip(self, op: Op) -> TripOf | None:
        """The bounds of a counted loop; None for other ops."""
        if op not in self._trips:
            model = self.model(op)
            self._trips[op] = trip_of(self, op, model) if model is not None else None
        return self._trips[op]

    def expression(self, value: Value) -> Expr:
        """The scalar expression of `value`; computations without a model, and deep ones, are leaves."""
        return self.expressions.of(self, value)
