"""What paths may forget where it is asked where their buffers can be freed: names, one place after their last use.

There a buffer can still be freed under the name, and behind it paths that differ in nothing else go on alike. Names
that are doubled may be forgotten in any case: what they denote has another name wherever they could be used. The result
of a choice between values (`arith.select`, an operation with regions that yields a value from outside) is such a name;
n choices in a row would make 2 to the power of n ways. Others may be the last names of buffers that are to be freed
later; they may be forgotten only if all these are freed before.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.liveness import Fading
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region, Value

_NOTHING = frozenset[Value]()


class Forgetting:
    """See the module.

    Args:
        graph, part: the function and the slice that is followed.
        last: forget last names, too, buffers that have none, and conditions.
    """

    def __init__(self, graph: Graph, part: Slice, last: bool) -> None:
        self._graph, self._part, self._last = graph, part, last
        doubled = Doubled(graph, part)
        self._doubled = frozenset(value for value in {*part.root.values()} if not last and doubled.is_doubled(value))
        self._fading = Fading(graph, part, summarise=False) if last or self._doubled else None
        self._alike: dict[tuple[OriginKind, str], Origin] = {}
        self._starts: dict[Region, dict[Block, set[Value]]] = {}

    def __bool__(self) -> bool:
        """Whether there is anything to forget."""
        return self._fading is not None

    def before(self, point: Point, state: State) -> State:
        """The state with which paths go on from a point."""
        if self._fading is None:
            return state
        past = self._fading.after(point) if point.stop else self._at_start(point.block, self._fading)
        gone = past if self._last else past & self._doubled
        state = self._fading.forget(state, gone) if gone else state
        if not self._last:
            return state
        return state._replace(heap=frozenset(self._like(one) for one in state.heap if one.holders))

    def _like(self, held: Instance) -> Instance:
        """A buffer as good as this one: how it is freed is known by its resource, wherever it was made."""
        origin = held.origin
        if origin.owned and origin.symbol is None:
            origin = self._alike.setdefault((origin.kind, origin.resource), origin)
        return held._replace(origin=origin, written=True)

    def _at_start(self, block: Block, fading: Fading) -> frozenset[Value]:
        """What is known at the start of a block and asked neither there nor later."""
        found = self._starts.get(block.region)
        if found is None:
            found = self._starts[block.region] = {}
            for source in block.region.blocks:
                for edge in self._graph.exits(source):
                    if edge.block is not None and edge.block.region is block.region:
                        found.setdefault(edge.block, set()).update(fading.along(edge, source))
        return frozenset(found.get(block, _NOTHING))


class Doubled:
    """Which names of a slice are doubled: results of choices between buffers that have been made before."""

    def __init__(self, graph: Graph, part: Slice) -> None:
        self._graph, self._part = graph, part

    def is_doubled(self, value: Value) -> bool:
        """Whether whatever `value` may denote has another name wherever `value` can be used."""
        op = value.op
        sources = [*self.sources(value)] if op is not None else []
        return op is not None and len(sources) > 1 and all(self._outside(source, op) for source in sources)

    def sources(self, value: Value) -> Iterator[Value | None]:
        """The values of which a result may be any."""
        op = value.op
        if op is None:
            return
        for view in effects_at(self._graph, op).views:
            if view.result is value:
                yield from view.sources
        for edge in edges_within(self._graph, op):
            yield from (source for source, receiver in edge.bindings if receiver is value)

    def _outside(self, source: Value | None, op: Op) -> bool:
        """Whether a value is a buffer that is made before `op`, not in its regions."""
        if source is None or source not in self._part.root:
            return False
        block = source.block if source.block is not None else source.op.parent if source.op is not None else None
        while block is not None and block.region.op is not op:
            block = block.region.op.parent
        return block is None
