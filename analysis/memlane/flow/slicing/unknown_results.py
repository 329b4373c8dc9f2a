"""Names that may stand for a buffer and may not, and by which it is at most looked at.

The result of an operation without a model may be any of its operands' buffers, or no buffer. Were each such name bound
to one of them, path by path, there would be as many states as there are ways to choose for all the names. Where nothing
frees, keeps or forwards a name, nor compares addresses, it makes no difference which it is: whatever is done by it may
be done to each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.dataflow.events import EventKind, Log
from memlane.flow.dataflow.state import State, begun
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.types import is_buffer, is_pointer
from memlane.syntax.tree.tree import Op, Use, Value


class Through:
    """Those of a slice.

    Args:
        followed: there are none: a caller asks which buffer each name denotes.

    Attributes:
        names: the roots that denote nothing.
    """

    def __init__(self, graph: Graph, part: Slice, followed: bool = False) -> None:
        self._graph, self._part = graph, part
        self._root = part.root
        self._stack = any(origin.resource == "stack" for origin in part.origins.values())
        roots = {*part.root.values()} if not followed and not compares_addresses(graph) else ()
        sources = {root: found for root in roots if (found := self._unsure(root))}
        self.names = self._only_looked_at(sources)
        self._bases = _bases({root: sources[root] for root in self.names})
        self._at: dict[Op, dict[Value, Value]] = {}
        for value, root in part.root.items() if self.names else ():
            if root in self.names:
                for use in value.uses:
                    self._at.setdefault(use.op, {}).setdefault(root, value)

    def named(self, op: Op) -> Iterator[Value]:
        """The roots of the buffers that an op names, or may name through others."""
        yield from self._part.named(op)
        for root in self._at.get(op, ()):
            yield from self._bases[root]

    def touch(self, op: Op, effects: Effects, state: State, log: Log) -> State:
        """The state once an op has read or written what it names through others."""
        named = self._at.get(op)
        if named is None:
            return state
        touched = {self._root.get(value) for value in (*effects.reads, *effects.writes, *effects.returned)}
        for root, value in named.items():
            for base in self._bases[root] if root in touched else ():
                if (held := state.holding(base)) is None:
                    continue
                if held.freed is not None:
                    log.add(EventKind.USE_AFTER_FREE, op, held, value, unsure=True)
                pending = begun(held.pending, effects.completion) if effects.completion else held.pending
                state = state.replace(held, held._replace(written=True, unsure=True, pending=pending))
        return log.mark(state)

    def _unsure(self, root: Value) -> frozenset[Value]:
        """The roots one of which a root may be; none: it is another thing."""
        if root.op is None or root in self._part.origins or not effects_at(self._graph, root.op).unknown:
            return frozenset()
        views = [view for view in effects_at(self._graph, root.op).views if view.result is root]
        if not all(view.unsure and view.through is None for view in views):
            return frozenset()
        sources = {source for view in views for source in view.sources}
        return frozenset(self._root[source] for source in sources if source in self._root)

    def _only_looked_at(self, sources: Mapping[Value, frozenset[Value]]) -> frozenset[Value]:
        """Of roots those by whose names buffers are read and written, and no more, nor by what is made of them."""
        names: dict[Value, list[Value]] = {root: [] for root in sources}
        for value, root in self._root.items() if sources else ():
            if root in names:
                names[root].append(value)
        found = set(sources)
        pending = [root for root, those in names.items() if not self._are_looked_at(those, found)]
        while pending:
            root = pending.pop()
            if root in found:
                found.remove(root)
                pending += (source for source in sources[root] if source in found)
        return frozenset(found)

    def _are_looked_at(self, names: Iterable[Value], others: Collection[Value]) -> bool:
        return all(self._is_looked_at(use, value, others) for value in names for use in value.uses)

    def _is_looked_at(self, use: Use, value: Value, others: Collection[Value]) -> bool:
        op, graph = use.op, self._graph
        effects = effects_at(graph, op)
        if use.successor is not None or graph.call(op) is not None or value in (*effects.escapes, *effects.acquires):
            return False
        if any(value is free.value or value in free.retained for free in effects.frees):
            return False
        if value in (*effects.returned, *effects.packed) and not self._may_return(op, value):
            return False
        for view in effects.views:
            result = self._root.get(view.result)
            own = result is self._root[value] or result in others
            if view.moves or value is view.through or (value in view.sources and not own):
                return False
        return not self._hands_on(op, value, others)

    def _hands_on(self, op: Op, value: Value, others: Collection[Value]) -> bool:
        """Whether `op` hands `value` on along an edge."""
        block = op.parent
        ends = self._graph.exits(block) if block is not None and op is block.ops[-1] else ()
        return any(given is value for edge in (*edges_within(self._graph, op), *ends) for given, _ in edge.bindings)

    def _may_return(self, op: Op, value: Value) -> bool:
        """Whether it says nothing that a value is returned: a guess of a type that need not be one of memory."""
        sure = is_buffer(value.type) or is_pointer(value.type)
        twice = sum(self._root.get(use.value) is self._root[value] for use in op.operands if use.value is not None) > 1
        return not (sure or twice or self._stack)


def _bases(sources: Mapping[Value, frozenset[Value]]) -> dict[Value, tuple[Value, ...]]:
    """For each root what it may be in the end: it is made of what stands before it."""
    found: dict[Value, tuple[Value, ...]] = {}
    for root in sorted(sources, key=lambda one: (one.span.start, one.index)):
        found[root] = tuple({base: None for one in sources[root] for base in found.get(one, (one,))})
    return found
