"""Which operation of a deallocation's block was the last to name the buffer, as asked once all has been explored.

Kept in the states it would tell paths apart that differ in nothing else: n branches that each may name a buffer would
make n states of each point behind them, for each of the buffers. So it is looked for backwards, from where the buffer
is freed: by a name that is bound no later than in that block, and denotes it until there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Graph
from memlane.flow.dataflow.events import Log, Pair, Point
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.transfer import Transfer
from memlane.syntax.tree.tree import Block, Op, Value

Last = tuple["Op | None", "set[Origin]"]


class Lasts:
    """Those of one exploration.

    Args:
        graph, part, transfer: of the function and the slice that were followed.
        reached: what that came to.
        made: where a buffer of a pair may come from.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        transfer: Transfer,
        reached: Reached[Point, State],
        made: Callable[[Pair, Instance], Iterable[Origin]] = lambda _, held: (held.origin,),
    ) -> None:
        self._graph, self._part, self._transfer, self._reached = graph, part, transfer, reached
        self._made = made
        self._naming: dict[Block, list[int]] = {}
        self._sources: dict[Pair, list[Pair]] | None = None

    def of(self, log: Log) -> dict[Op, dict[Op | None, set[Origin]]]:
        """Per deallocation that was seen the last op of its block that names the buffer on some path before it (None:
        no op does), and where the buffers come from of which that is true."""
        found: dict[Op, dict[Op | None, set[Origin]]] = {}
        for (op, root), pairs in log.freed.items():
            last, origins = self._last(op, root, pairs)
            found.setdefault(op, {}).setdefault(last, set()).update(origins)
        return found

    def surely_soon(self, log: Log) -> bool:
        """Whether none of these deallocations is late, whatever is known of the paths: there is no work between it and
        an op before it that names the buffer as it does."""
        return all(self._surely_soon(op, [*last], log) for op, last in self.of(log).items())

    def _surely_soon(self, op: Op, last: list[Op | None], log: Log) -> bool:
        roots = [root for at, root in log.freed if at is op]
        if len(roots) > 1 or len(last) > 1 or op in log.unclear or op.parent is None:
            return False
        use = last[0]
        if use is not None and use is not roots[0].op and roots[0] not in self._transfer.named(use):
            return False
        return self._graph.work(op.parent, use.index + 1 if use is not None else 0, op.index).first is None

    def _last(self, op: Op, root: Value, pairs: Collection[Pair]) -> Last:
        """The last op of its block to name what `root` denotes before `op` frees it where it does, at `pairs`."""
        block = op.parent
        assert block is not None
        stops = self._part.stops[block]
        bound = root.op if root.op is not None and root.op.parent is block else None
        end = next(iter(pairs))[0].stop
        for number in reversed(self._candidates(block)):
            if number >= end:
                continue
            naming = stops[number]
            if bound is not None and naming.index <= bound.index:
                break
            if root in self._transfer.named(naming):
                return naming, self._origins(root, pairs)
            pairs, seen = self._before(Point(block, number), root, pairs)
            if seen:
                return naming, seen
        return bound, self._origins(root, pairs)

    def _candidates(self, block: Block) -> list[int]:
        """The stops of a block that may be the last to name a buffer, by number."""
        found = self._naming.get(block)
        if found is None:
            stops = enumerate(self._part.stops[block])
            found = self._naming[block] = [number for number, op in stops if op.regions or self._names(op)]
        return found

    def _names(self, op: Op) -> bool:
        effects = self._graph.effects(op)
        return any(True for _ in self._transfer.named(op)) or bool(
            effects.joins or self._part.awaited.get(op, effects.waits)
        )

    def _before(self, point: Point, root: Value, pairs: Collection[Pair]) -> tuple[list[Pair], set[Origin]]:
        """The pairs at a point of the block from which some further down in it are reached, and where what `root`
        denotes comes from, if the op there names that on the way."""
        sources = self._come_from()
        found: list[Pair] = []
        origins: set[Origin] = set()
        pending, seen = [*pairs], set(pairs)
        while pending:
            pair = pending.pop()
            for before in sources.get(pair, ()):
                held = before[1].holding(root)
                made = self._made(before, held) if held is not None else ()
                if held is not None and not origins.issuperset(made) and self._does_name(before, pair, held, root):
                    origins.update(made)
                if before not in seen:
                    seen.add(before)
                    (found if before[0] == point else pending).append(before)
        return found, origins

    def _come_from(self) -> dict[Pair, list[Pair]]:
        """The pairs on which each follows directly."""
        if self._sources is None:
            self._sources = {}
            for pair, following in zip(self._reached.came_from, self._reached.following, strict=True):
                for after in following:
                    self._sources.setdefault(after, []).append(pair)
        return self._sources

    def _does_name(self, pair: Pair, after: Pair, held: Instance, root: Value) -> bool:
        """Whether the step from one pair to another names a buffer: by its own name, or those of what is waited for."""
        (block, stop), _ = pair
        stops = self._part.stops.get(block, ())
        op = stops[stop] if stop < len(stops) else None
        if op is not None and not held.holders.isdisjoint(self._transfer.named(op)):
            return True
        then = after[1].holding(root)
        if then is None:
            return False
        if op is not None and then.pending != held.pending:
            return True
        return self._part.plain and any(self._part.names_inside(then.holders, left) for left in _left(pair, after, op))

    def _origins(self, root: Value, pairs: Iterable[Pair]) -> set[Origin]:
        held = ((pair, pair[1].holding(root)) for pair in pairs)
        return {origin for pair, one in held if one is not None for origin in self._made(pair, one)}


def _left(pair: Pair, after: Pair, op: Op | None) -> Iterator[Op]:
    """The op whose regions a step leaves, or passes by. Where conditions are free choices, so is the way through it:
    then what the regions name was named."""
    source, target = pair[0].block, after[0].block
    if op is not None and op.regions and source is target:
        yield op
    elif op is None and source.region is not target.region:
        yield source.region.op
