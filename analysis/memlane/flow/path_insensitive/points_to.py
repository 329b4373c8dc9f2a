"""Which buffers each name of some clusters may denote, wherever control comes from: sets of bits.

An origin has two bits: the buffer that it made last, and those that it made before (Balakrishnan, Reps, "Recency
abstraction for heap-allocated storage", 2006). Its own name denotes the last one; names that get it from there may
denote earlier ones, where control comes to the origin again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.bits import single
from memlane.flow.dataflow.solver import worklist
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region, Value, starts_at


class Holding:
    """See the module.

    Args:
        graph, part: the function, and the slice of the clusters.
        partition: per argument the number of the buffer it is, where several are one.
        twice: pairs of results of one call, of which the second may be the new buffer of the first.

    Attributes:
        origins: with the bits of the last buffer of origin n at 2n, and of those before at 2n + 1.
        fresh: of the value of each origin the bit of the last buffer.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        clusters: Collection[Cluster],
        partition: tuple[int | None, ...],
        twice: Collection[tuple[Value, Value]] = (),
    ) -> None:
        self._graph, self._root = graph, part.root
        self.origins: list[Origin] = []
        self.fresh: dict[Value, int] = {}
        self._may: dict[Value, int] = dict.fromkeys(part.root.values(), 0)
        self._names = {root: 1 << number for number, root in enumerate(self._may)}
        self._called: set[Value] = set()
        self._namers: Unions | None = None
        self._denoted: Unions | None = None
        self._others: dict[Value, tuple[int, int]] = {}
        self._elsewhere: set[Value] = set()
        self._inside: dict[Value, int] = {}
        self._again = 0
        self._by_block: dict[Block, int] = {}
        self._number([origin for cluster in clusters for origin in cluster.origins], partition)
        into: dict[Value, list[Value]] = {}
        for source, target in (*self._flows(part), *twice):
            if source is None or source not in self._root:
                self._elsewhere.add(target)
            else:
                into.setdefault(self._root[source], []).append(target)
        self._spread(into)

    def _number(self, origins: Iterable[Origin], partition: tuple[int | None, ...]) -> None:
        known: dict[object, int] = {}
        for origin in origins:
            key: object = origin.symbol if origin.symbol is not None else origin.value
            if origin.kind is OriginKind.ARGUMENT and origin.value.index < len(partition):
                group = partition[origin.value.index]
                key = group if group is not None else key
            bit = known.get(key)
            if bit is None:
                bit = known[key] = 1 << 2 * len(self.origins)
                self.origins.append(origin)
            self.fresh[origin.value] = bit
            if origin.kind is OriginKind.CALL:
                self._elsewhere.add(origin.value)
                self._called.add(origin.value)
            if origin.value.op is not None and origin.symbol is None and _again(self._graph, origin.value.op):
                self._again |= bit
                block = origin.value.op.parent
                if block is not None:
                    self._by_block[block] = self._by_block.get(block, 0) | bit

    def _flows(self, part: Slice) -> Iterator[tuple[Value | None, Value]]:
        """What may be bound to the names: pairs (value passed on or None where unknown, name)."""
        graph, ops = self._graph, list(part.position)
        regions: set[Region] = {
            part.scope,
            *(region for op in ops if op is not graph.function for region in op.regions),
        }
        edges = [edge for region in regions for block in region.blocks for edge in graph.exits(block)]
        edges += [edge for op in ops if op.regions and op is not graph.function for edge in graph.entries(op)]
        for edge in edges:
            yield from ((value, receiver) for value, receiver in edge.bindings if receiver in self._root)
            if edge.leaves is not None and not edge.bindings:  # a region that is missing
                yield from ((None, result) for result in results_of(graph, edge.leaves) if result in self._root)
        for op in ops:
            effects = effects_at(graph, op)
            for view in effects.views:
                if self._root.get(view.result) is view.result:
                    yield from ((source, view.result) for source in view.sources)
                    if view.unsure:
                        yield None, view.result
            for value in effects.loaded:
                if value in self._root:
                    yield from ((origin.value, value) for origin in self.origins)
                    yield None, value
            if graph.call(op) is not None:
                for result in results_of(graph, op):
                    if result in self._root:
                        yield from ((value, result) for value in arguments_of(graph, op) if value is not None)

    def _spread(self, into: dict[Value, list[Value]]) -> None:
        for value, bit in self.fresh.items():
            self._may[self._root[value]] |= bit
        flows = reversed([*components(sorted(into, key=starts_at), lambda source: into.get(source, ()))])
        order = {source: number for number, source in enumerate(one for members in flows for one in members)}

        def visit(source: Value) -> Iterator[Value]:
            doubt = source in self._elsewhere
            for target in into[source]:
                may = self._may[source]
                may |= (may & self._again & ~self._meanwhile(target)) << 1
                if may | self._may[target] != self._may[target] or (doubt and target not in self._elsewhere):
                    self._may[target] |= may
                    if doubt:
                        self._elsewhere.add(target)
                    if target in into:
                        yield target

        worklist(into, visit, order.__getitem__)

    def _meanwhile(self, target: Value) -> int:
        """The origins to which control does not come again between them and an op that gives `target` after them."""
        found = self._inside.get(target)
        if found is None:
            found, block = 0, target.op.parent if target.op is not None else None
            while block is not None:
                found |= self._by_block.get(block, 0)
                block = block.region.op.parent
            self._inside[target] = found
        return found

    def may(self, value: Value) -> int:
        """The buffers that a value may denote."""
        root = self._root.get(value)
        return self._may[root] if root is not None else 0

    def must(self, value: Value) -> bool:
        """Whether it denotes one of those whenever there is such a value."""
        return value in self._root and self._root[value] not in self._elsewhere

    def one(self, value: Value) -> bool:
        """Whether it denotes a buffer that is known, and the only one of its bit."""
        may = self.may(value)
        return self.must(value) and may & (may - 1) == 0 and self.last(may) == may

    def owner(self, value: Value) -> bool:
        """Whether it denotes the only buffer of its bit, if there is one: a call need not make what its result is."""
        root = self._root.get(value)
        return self.one(value) or (root in self._called and self._may[root] == self.fresh[root])

    def name(self, value: Value) -> int:
        """The bit of the name that a value is a view of, in sets of names; nothing for what is not followed."""
        root = self._root.get(value)
        return self._names[root] if root is not None else 0

    def others(self, value: Value) -> tuple[int, int]:
        """The other names that may denote the buffer of a value, and those of them that do."""
        root = self._root[value]
        found = self._others.get(root)
        if found is None:
            may, same = self.names(self._may[root]), 0
            if self.one(root):
                for name, number in self._names.items():
                    same |= number if self._may[name] == self._may[root] and self.one(name) else 0
            found = self._others[root] = may & ~self._names[root], same & ~self._names[root]
        return found

    def names(self, bits: int) -> int:
        """The names that may denote one of some buffers."""
        if self._namers is None:
            namers: dict[int, int] = {}
            for name, number in self._names.items():
                for bit in single(self._may[name]):
                    namers[bit] = namers.get(bit, 0) | number
            self._namers = Unions(namers)
        return self._namers.of(bits)

    def buffers(self, names: int) -> int:
        """The buffers that one of some names may denote."""
        if self._denoted is None:
            self._denoted = Unions({number: self._may[name] for name, number in self._names.items()})
        return self._denoted.of(names)

    def last(self, bits: int) -> int:
        """Those of the bits that are of last buffers."""
        return bits & self._lasts

    @property
    def width(self) -> int:
        """How many bits there are."""
        return 2 * len(self.origins)

    @property
    def all_names(self) -> int:
        """All names, as a set."""
        return (1 << len(self._names)) - 1

    @property
    def _lasts(self) -> int:
        return ((1 << 2 * len(self.origins)) - 1) // 3

    def origin(self, bits: int) -> Origin:
        """The first of the origins of some bits."""
        return self.origins[((bits & -bits).bit_length() - 1) // 2]

    def of(self, origins: Collection[Origin]) -> int:
        """The bits of the buffers of some origins."""
        found = 0
        for origin in origins:
            found |= 3 * self.fresh[origin.value]
        return found


class Unions:
    """Unions of sets that are numbered by bits. `table`: the set of each bit, where there is one."""

    def __init__(self, table: Mapping[int, int]) -> None:
        self._table = table
        self._known: dict[int, int] = {}

    def of(self, bits: int) -> int:
        """The union of the sets of some bits: what is known of fewer is made use of."""
        more: list[int] = []
        while bits and bits not in self._known:
            more.append(1 << bits.bit_length() - 1)
            bits ^= more[-1]
        found = self._known.get(bits, 0)
        for bit in reversed(more):
            bits |= bit
            found |= self._table.get(bit, 0)
        self._known[bits] = found
        return found


def _again(graph: Graph, op: Op) -> bool:
    """Whether control may come to `op` again."""
    block = op.parent
    while block is not None:
        region = block.region
        if graph.cycle(block) or (
            region.op is not graph.function and len(region.blocks) == 1 and graph.may_repeat(region)
        ):
            return True
        block = region.op.parent if region.op is not graph.function else None
    return False
