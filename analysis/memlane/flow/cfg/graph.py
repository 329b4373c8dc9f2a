"""The control flow graph of one function, branches and regions alike: where an op may go, under which guard, with which
values.

`Graph` answers for structured ops (region edges of the model) and for unstructured ones (successors) in the same form,
an `Edge`. It holds no analysis results: what is derived of a function is a function of its graph, in a module of its
own, and remembered in the graph's memo (derived.py). Ops without a model go to each of their regions in any order, as
MLIR's RegionBranchOpInterface says of an op that does not restrict its successors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import NamedTuple

from memlane.dialects import select, successor_uses
from memlane.dialects.model import Call, Guard, Models, OpModel, RegionEdge
from memlane.flow.cfg.buffer_reductions import with_carried
from memlane.flow.cfg.callee import as_called
from memlane.flow.cfg.case_labels import cases_of
from memlane.flow.cfg.edge import Bindings, Edge
from memlane.flow.cfg.edge_operands import any_order, bind, forwarded_at, settled_target, slice_of
from memlane.flow.cfg.incomplete_names import closes, unfinished
from memlane.flow.cfg.loops import Loops
from memlane.flow.cfg.name_index import by_name, put_right
from memlane.flow.derived import Memoized
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Block, Op, Region, Use, Value

Source = str | Callable[[], str]  # a text, or what gives it


_ASKING = frozenset(Guard) - {Guard.ALWAYS, Guard.TRIPS, Guard.DONE}
"""What an op at the end of a region is asked; of the rounds of a loop the op around it is."""


def comes_back(_: Op) -> bool:
    """Of a call of which nothing else is known."""
    return False


class EdgeMeaning(NamedTuple):
    """What the edges of a function depend on besides the models of its terminators.

    Args:
        bindings: what an edge hands over, with the fields of aggregates (opaque_aggregates.py).
        stopping: of blocks to the end of which control never comes, the op behind which it does not (aborting_ops.py).
    """

    bindings: Callable[[Graph, Bindings], Bindings]
    stopping: Callable[[Graph], Mapping[Block, Op]]


class Graph(Memoized):
    """Control flow of the ops of one function.

    Args:
        function: the function-like op.
        models: what the ops do.
        meaning: see the class.
        source: the text, for bounds that only stand there; or what gives it, where that costs something.
        defined: symbols of functions with a body: their effects are those of the body, whatever their name.
        ends: whether a call is of one of those, and control does not come back.

    Attributes:
        taken_out: the ops whose deallocations are taken out of the function.
    """

    __slots__ = (
        *("_described", "_edges", "_entering", "_exits", "_loops", "_meaning", "_named", "_named_models", "_source"),
        *("_stopping", "defined", "ends", "function", "models", "taken_out"),
    )

    def __init__(
        self,
        function: Op,
        models: Models,
        meaning: EdgeMeaning,
        source: Source = "",
        defined: Container[str] = (),
        ends: Callable[[Op], bool] = comes_back,
    ) -> None:
        super().__init__()
        self.defined, self.ends = defined, ends
        self._meaning, self._source = meaning, source
        self.function, self.models = function, models
        self._described = models.described
        self.taken_out: Container[Op] = ()
        self._edges: dict[Op, tuple[Edge, ...]] = {}
        self._exits: dict[Block, tuple[Edge, ...]] = {}
        self._entering: dict[Region, dict[Block, list[Edge]]] = {}
        self._loops: dict[Region, Loops] = {}
        self._named: dict[str, list[Op]] | None = None
        self._named_models: dict[str, OpModel | None] | None = None
        self._stopping: Mapping[Block, Op] | None = None

    # ---- the ops ----------------------------------------------------------------------------------------------------

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
        model = self._described[op.name]
        if model is None or model.call is None:
            return model
        return as_called(op, model, model.call, self.models, self.defined)

    def call(self, op: Op) -> Call | None:
        """How `op` calls, if it does; calls of well-known functions are ops like others."""
        model = self.model(op)
        return model.call if model is not None else None

    def selects(self, op: Op) -> bool:
        """Whether the first operand tells which of two sources the result is."""
        model = self.model(op)
        return model is not None and model.compute == "select"

    def unsettled(self, op: Op) -> Value | None:
        """The buffer whose name an operation ends with, if its name may go on (incomplete_names.py)."""
        value = unfinished(op)
        if value is None or (end := op.operands[-1].span.end) == op.span.end or closes(self.source[end : op.span.end]):
            return value
        return None

    @property
    def entry(self) -> Block | None:
        """The first block of the body; None for a declaration."""
        regions = self.function.regions
        return regions[0].blocks[0] if regions and regions[0].blocks else None

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

    # ---- where control goes -----------------------------------------------------------------------------------------

    def entries(self, op: Op) -> tuple[Edge, ...]:
        """Where control goes from an op that has regions: into them or past it."""
        if op not in self._edges:
            self._edges[op] = tuple(self._region_edges(op, None, op, op.operands))
        return self._edges[op]

    def exits(self, block: Block) -> tuple[Edge, ...]:
        """Where control goes at the end of `block`: to successors, sibling regions or past the op around it; nowhere
        where it does not come there (aborting_ops.py)."""
        return self.written_exits(block) if block not in self.stopping else ()

    def asks(self, op: Op) -> bool:
        """Whether control may go several ways by what an op is given."""
        if not op.regions:
            edges = self.written_exits(op.parent) if op.parent is not None and op is op.parent.ops[-1] else ()
            return bool(op.successors) or any(edge.place is op and edge.guard in _ASKING for edge in edges)
        described = model.regions if (model := self.model(op)) is not None else None
        return described is None or any(edge.guard is not Guard.ALWAYS for edge in described)

    def written_exits(self, block: Block) -> tuple[Edge, ...]:
        """The same as the text has it, whether or not control comes there."""
        found = self._exits.get(block)
        if found is None:
            found = self._exits[block] = self._exits_of(block)
        return found

    def known_exits(self, block: Block) -> tuple[Edge, ...]:
        """The same, of a block of which it has been asked."""
        return self._exits.get(block, ())

    def entering(self, block: Block) -> Sequence[Edge]:
        """The edges that lead to a block from the ends of those of its region."""
        region = block.region
        if region not in self._entering:
            found = self._entering[region] = dict[Block, list[Edge]]()
            for edge in (edge for source in region.blocks for edge in self.exits(source)):
                if edge.block is not None:
                    found.setdefault(edge.block, []).append(edge)
        return self._entering[region].get(block, ())

    @property
    def stopping(self) -> Mapping[Block, Op]:
        """Of blocks to the end of which control never comes, the op behind which it does not."""
        if self._stopping is None:
            self._stopping = {}  # what is asserted may be asked of edges
            self._stopping = self._meaning.stopping(self)
        return self._stopping

    def stops(self, block: Block) -> bool:
        """Whether execution ends in a block, without returning."""
        return block in self.stopping or (bool(block.ops) and self.ends_execution(block.ops[-1]))

    def ends_execution(self, op: Op) -> bool:
        """Whether execution ends with an op, without returning."""
        model = self.model(op)
        if model is None or model.stops:
            return model is not None
        return model.terminator and not (model.exits or model.unwinds or op.successors) and self.is_outermost(op)

    def is_outermost(self, op: Op) -> bool:
        """Whether an op stands in no other op of the function."""
        return op.parent is not None and op.parent.region.op is self.function

    def goes_on(self, block: Block) -> bool:
        """Whether control comes to the end of a block, and that says to which others it goes."""
        return block not in self.stopping and bool(block.ops and block.ops[-1].successors)

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

    def ends_region(self, op: Op) -> bool:
        """Whether an op may be the terminator of a region."""
        model = self.model(op)
        return model is None or model.terminator or model.exits

    def lacks_yield(self, block: Block) -> bool:
        """Whether the terminator that yields the buffers of a region is not written yet at the end of a block."""
        holder, last = block.region.op, block.ops[-1] if block.ops else None
        if holder is self.function or not holder.results or (last is not None and self.ends_region(last)):
            return False
        model = self.model(holder)
        edges = [edge for edge in (model.regions or () if model else ()) if edge.source in (-1, block.region.index)]
        types = [result.type or "" for result in holder.results]
        # Of tensors and vectors the one operation of a region may be what it gives: `vector.mask`.
        buffers = any(may_hold_buffer(one) and not one.startswith(("tensor", "vector")) for one in types)
        return buffers and any(edge.target is None and edge.forwards is not None for edge in edges)

    # ---- how edges are made -----------------------------------------------------------------------------------------

    def _exits_of(self, block: Block) -> tuple[Edge, ...]:
        last = block.ops[-1] if block.ops else None
        if last is not None and last.successors:
            return tuple(self._successor_edges(last))
        holder = block.region.op
        if holder is self.function or self.lacks_yield(block):
            return ()
        if last is None or self.ends_region(last) or not holder.results:
            operands = self._settled(last) if last is not None and self.ends_region(last) else ()
            return tuple(self._region_edges(holder, block.region, last or holder, operands))
        choices = dict.fromkeys((self._yielded(last), ()))
        return tuple(edge for uses in choices for edge in self._region_edges(holder, block.region, last, uses))

    def _settled(self, op: Op) -> tuple[Use, ...]:
        """The operands of an operation but the last, if the name of that may go on."""
        return op.operands if self.unsettled(op) is None else op.operands[:-1]

    def _yielded(self, last: Op) -> tuple[Use, ...]:
        """What a region without a terminator may hand on, as that of `vector.mask` is written: the result of its last
        op, which then has no name, and is perhaps what that op is given."""
        model = self.model(last)
        return tuple([use for view in model.view for use in select(last, view.of, model)]) if model is not None else ()

    def _successor_edges(self, op: Op) -> list[Edge]:
        model = self.model(op)
        guards = model.successors if model and len(op.successors) >= len(model.successors) else ()  # else: being typed
        cases = cases_of(op, model, [successor.label for successor in op.successors])
        others = tuple(case for case in cases if case is not None)
        received = successor_uses(op, model) if model is not None else [one.operands for one in op.successors]
        edges: list[Edge] = []
        for position, (successor, uses) in enumerate(zip(op.successors, received, strict=True)):
            guard, number = guards[min(position, len(guards) - 1)] if guards else (Guard.ALWAYS, 0)
            if successor.block is None:
                continue
            if model is not None and len(uses) != len(successor.block.arguments):
                continue  # one of the two is being typed: see incomplete_cfg.py
            bindings = self._meaning.bindings(self, bind(uses, successor.block.arguments, None))
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
        return with_carried(model, op, source, edges)

    def _towards(self, op: Op, edge: RegionEdge, place: Op, forwarded: Sequence[Use]) -> list[Edge]:
        bindings_of = self._meaning.bindings
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

    def share(self, graph: Graph) -> None:
        """Be another view of what `graph` is: what is known of the function is shared."""
        for name in (*Memoized.__slots__, *Graph.__slots__):
            setattr(self, name, getattr(graph, name))

    # ---- edits ------------------------------------------------------------------------------------------------------

    def put_right(
        self,
        gone: set[Op],
        others: Collection[Op],
        fresh: Collection[Op],
        defined: Container[str],
        ends: Callable[[Op], bool],
    ) -> None:
        """Ops are gone with all that is in them, others new or use something else; all else is the same. Edges that
        rest on ops that are the same stay known; what was derived is forgotten."""
        self.defined, self.ends = defined, ends
        self.memo, self._entering, self._stopping = {}, {}, None
        if self._named is not None:
            put_right(self._named, gone, fresh)
            self._named_models = None
        self._edges = {op: edges for op, edges in self._edges.items() if op not in gone and op not in others}
        near = blocks_near(gone, others)
        stay = [block for block in self._exits if block not in near and block.region.op not in gone]
        self._exits = {block: self._exits[block] for block in stay}
        self._loops = {region: found for region, found in self._loops.items() if region.op not in gone}


def blocks_near(gone: Collection[Op], others: Collection[Op]) -> set[Block | None]:
    """The blocks of ops that are gone and of others that are new or use something else, and those in the latter."""
    inner = (block for op in others for region in op.regions for block in region.blocks)
    return {op.parent for op in (*gone, *others)}.union(inner)
