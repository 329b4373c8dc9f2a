"""Ownership flags: an `i1` goes along with a buffer wherever several may flow, and says whether this is its last name.

Where no existing condition distinguishes the paths, `threaded` gives the text with such flags added to results, block
arguments, `iter_args` and the operands forwarded to them. A flag is true where the buffer has no other name any more,
so that the holder of the flag has to free it; false for arguments, and for buffers that are known by another name
around. The deallocations themselves are placed afterwards, on the new text.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field

from memlane.fixes import printer
from memlane.fixes.edit_writer import Writer, apply
from memlane.fixes.generic import FormRefused
from memlane.fixes.ownership_flags import slots
from memlane.fixes.truths import Truths
from memlane.fixes.widen_signature import Widening
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block
from memlane.flow.cfg.scc import reachable
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class Threaded:
    """A text with flags.

    Args:
        names: of the values that were added.
        values: those that they are the flags of, where they are flags of single values.
        fewer: gives the text with those flags that have to be there where some of them, by name, are read; None: these
            are all, or none.
    """

    text: Text
    names: frozenset[str]
    values: frozenset[Value]
    fewer: Callable[[Container[str]], Threaded | None]


def merges(cluster: Cluster) -> list[list[Value]]:
    """The values that may be one buffer or another, those that need flags together in one list."""
    groups: dict[object, list[Value]] = {}
    values = [value for value, root in cluster.root.items() if value is root and _is_merge(cluster, value)]
    for value in sorted(values, key=lambda value: (value.span, value.index)):
        block = value.block
        key = value.op or (value if block is None or block.index else block.region.op)
        groups.setdefault(key, []).append(value)
    return list(groups.values())


def threaded(graph: Graph, cluster: Cluster, values: list[Value], text: Text) -> Threaded | None:
    """`text` with flags for `values`, whole groups of `merges` or what is read of them; None: it cannot be done."""
    writer = Writer(text)
    try:
        threading = Threading(cluster, values, Widening(graph, writer), Truths(graph, writer, printer.TakenNames(text)))
        threading.run()
        threading.lists.finish()
        threading.truths.finish()
    except FormRefused:
        return None

    def fewer(names: Container[str]) -> Threaded | None:
        read = threading.read(value for value, name in threading.flags.items() if name in names)
        rest = [value for value in values if value in read]
        return threaded(graph, cluster, rest, text) if len(rest) < len(values) else None

    new = Text(apply(text.source, writer.edits()))
    return Threaded(new, frozenset(threading.flags.values()), frozenset(values), fewer) if values else None


def _is_merge(cluster: Cluster, value: Value) -> bool:
    """Whether edges bind `value`: several buffers may flow there."""
    if any(origin.value is value for origin in cluster.origins):
        return False
    return value.block is not None or (value.op is not None and bool(value.op.regions))


@dataclass(slots=True)
class Threading:
    """Writes flags for `values` of one function. Raises `FormRefused`, also while it runs."""

    cluster: Cluster
    values: list[Value]
    lists: Widening
    truths: Truths
    flags: dict[Value, str] = field(default_factory=dict[Value, str])
    handed: set[tuple[Op, int]] = field(default_factory=set[tuple[Op, int]])
    handed_out: set[Value] = field(default_factory=set[Value])
    _fed: dict[Value, set[Value]] = field(default_factory=dict[Value, set[Value]])
    graph: Graph = field(init=False)

    def __post_init__(self) -> None:
        self.graph = self.truths.graph

    def run(self) -> None:
        """Write the flags of all values."""
        for value in self.values:
            self.flags[value] = self.fresh(value)
        for value in self.values:
            self._thread(value)

    def read(self, flags: Iterable[Value]) -> set[Value]:
        """The values of which the flags have to be there where those of some are read.

        These come from them, or receive the same operand as one of them.
        """
        return set(reachable(flags, lambda value: (*self._fed.get(value, ()), *self._along(value))))

    def _along(self, value: Value) -> Iterator[Value]:
        """The values with flags that receive the same operands as `value`."""
        op = value.op or (value.block.region.op if value.block is not None and not value.block.index else None)
        for other in slots(list(self._edges(op))).get(value, ()) if op is not None else ():
            if other in self.flags:
                yield other

    def hand_out(self, last: Op, value: Value) -> None:
        """The operation that leaves the function with `value` hands out its flag, too."""
        if self.cluster.root.get(value) is not value or not last.operands:
            raise FormRefused
        self.handed_out.add(value)
        self.lists.handed(last, self._owned(value, last))

    def fresh(self, value: Value) -> str:
        """A name for the flag of `value`."""
        return printer.fresh(printer.derived(value.name, "owned"), self.truths.used)

    # What the flag of a value is on each edge that binds it.

    def _thread(self, value: Value) -> None:
        block = value.block
        if block is not None and block.index > 0:
            self.lists.argument(block, self.flags[value])
            for other in block.region.blocks:
                last = other.ops[-1] if other.ops else None
                for position, successor in enumerate(last.successors) if last is not None else ():
                    if last is not None and successor.block is block:
                        self._hand_to_successor(last, position, value)
            return
        op = value.op or (block.region.op if block is not None else None)
        assert op is not None
        if value.op is not None:
            self.lists.result(op, self.flags[value])
        elif block is not None and block.label is not None:
            self.lists.argument(block, self.flags[value])
        for edge in self._edges(op):
            for position, (source, receiver) in enumerate(edge.bindings):
                if receiver is value:
                    self._hand(edge, position, source, value, op)

    def _edges(self, op: Op) -> Iterator[Edge]:
        yield from self.graph.entries(op)
        for region in op.regions:
            for block in region.blocks:
                yield from self.graph.written_exits(block)

    def _hand(self, edge: Edge, position: int, source: Value | None, value: Value, op: Op) -> None:
        """The flag of `value` is handed over: at the start by the op, later by what ends a region."""
        last = edge.place
        if source is None:
            raise FormRefused
        if last is op:
            if value.block is not None:
                self.lists.carried(value.block, self.flags[value], self._flag(source, value, op))
            return
        if not last.operands:
            raise FormRefused
        if (last, position) in self.handed:  # a result and an argument of the body get the same
            return
        self.handed.add((last, position))
        self.lists.handed(last, self._flag(source, value, last))

    def _hand_to_successor(self, last: Op, position: int, value: Value) -> None:
        target = value.block
        there = [at for at, one in enumerate(last.successors) if one.block is target]
        edges = [edge for edge in self.graph.written_exits(last.parent) if edge.block is target] if last.parent else []
        # The operands of an incomplete branch are unknown, so it has no edge.
        edge = edges[there.index(position)] if len(edges) == len(there) else None
        source = next((source for source, receiver in edge.bindings if receiver is value), None) if edge else None
        if source is None:
            raise FormRefused
        self.lists.to_successor(last, position, self._flag(source, value, last))

    def _flag(self, source: Value, value: Value, before: Op) -> str:
        """The flag that goes with `source` where `value` receives it."""
        root = self.cluster.root.get(source)
        if root is None or root is not source or self._stays(root, value):
            return self.truths.name(before, False)
        if root in self.flags:
            self._fed.setdefault(value, set()).add(root)
        return self._owned(root, before)

    def _owned(self, root: Value, before: Op) -> str:
        """The flag that says whether this function owns `root`."""
        if root in self.flags:
            return self.flags[root]
        call = root.op if root.op is not None and self.graph.call(root.op) is not None else None
        if call is not None and call.results and call.results[-1].type == "i1":
            return call.results[-1].name  # comes with it
        owned = any(origin.value is root and origin.owned for origin in self.cluster.origins)
        return self.truths.name(before, owned)

    def _stays(self, source: Value, value: Value) -> bool:
        """Whether the buffer is still known by `source` where `value` is."""
        if source is value:
            return False
        around, block = defining_block(source), defining_block(value)
        if value.block is not None and value.block.index == 0:
            block = value.block.region.op.parent
        elif value.block is not None and around is block:
            return False
        while block is not None:
            if block is around:
                return True
            if around is not None and block.region is around.region:
                return not self.graph.cycle(block) and around.index == 0
            block = block.region.op.parent if block.region.op is not self.graph.function else None
        return False
