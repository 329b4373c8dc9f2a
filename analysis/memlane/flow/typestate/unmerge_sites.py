"""Which buffers those are of which one stands for others (merged_sites.py): where each was made that is at a point of a
path.

An exploration that tells buffers apart would take the same steps, as what it does with a buffer does not depend on
where that was made. So each step is taken once more, with marks on the buffers, which tell what each was before; along
these go sets of origins (Kildall, "A unified approach to global program optimization", 1973), in the order of the
strongly connected components of the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from memlane.cancellation import poll
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.events import Pair, Point
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import Instance, State

Whence = Instance | Origin
"""What a buffer was before a step; of one that is made in it its origin."""
Moved = tuple[Instance, Whence]
_Step = Callable[[Pair], Iterable[tuple[Pair, list[Moved]]]]


class Provenance:
    """Finds out for one exploration. Sets of origins are numbers, a bit for each.

    Args:
        reached: what it reached.
        step: the pairs that follow directly on one, each with its buffers.
    """

    def __init__(self, reached: Reached[Point, State], step: _Step) -> None:
        self._reached = reached
        self._origins: dict[Origin, int] = {}
        self._may: list[dict[Instance, int]] = [dict.fromkeys(state.heap, 0) for _, state in reached.pairs]
        self._first: list[dict[Instance, Origin]] = [{} for _ in reached.pairs]
        self._kept: list[list[tuple[int, Instance, Instance]]] = []
        self._trace(step)
        self._spread()

    def origins(self, pair: Pair, whence: Whence) -> Collection[Origin]:
        """All that a buffer of a pair may come from, on whatever path."""
        if isinstance(whence, Origin):
            return [whence]
        found = f"{self._may[self._reached.numbers[pair]].get(whence, 0):b}"
        return [origin for origin, bit in zip(self._origins, reversed(found), strict=False) if bit == "1"]

    @property
    def pairs(self) -> int:
        """A lower bound of their number if all buffers are distinguished."""
        return sum(max((found.bit_count() for found in may.values()), default=1) for may in self._may)

    def first(self, pair: Pair, whence: Whence) -> Origin:
        """The one that it comes from on the path by which the pair was first reached."""
        if isinstance(whence, Origin):
            return whence
        return self._first[self._reached.numbers[pair]].get(whence, whence.origin)

    def _trace(self, step: _Step) -> None:
        """Take each step once more. Pairs come after those from which they were first reached."""
        sources = self._reached.sources
        for number, pair in enumerate(self._reached.pairs):
            if number % 256 == 0:
                poll()
            if sources[number] is None:
                for held in pair[1].heap:
                    self._make(number, held, held.origin, first=True)
            kept: list[tuple[int, Instance, Instance]] = []
            for after, buffers in step(pair):
                for to in self._among(number, after):
                    first = sources[to] == number
                    for held, whence in buffers:
                        if isinstance(whence, Origin):
                            self._make(to, held, whence, first)
                            continue
                        kept.append((to, whence, held))
                        if first and whence in self._first[number]:
                            self._first[to].setdefault(held, self._first[number][whence])
            self._kept.append(kept)

    def _among(self, number: int, after: Pair) -> list[int]:
        """Those of the pairs that follow on one which a step taken again leads to. Ways of a call are one where they
        leave the buffers alike (merge_outcomes.py); marked buffers they do not."""
        found = self._reached.numbers.get(after)
        if found is not None:
            return [found]
        pairs, (point, state) = self._reached.pairs, after
        following = self._reached.following[number]
        return [one for one in following if pairs[one][0] == point and pairs[one][1].heap == state.heap]

    def _make(self, number: int, held: Instance, origin: Origin, first: bool) -> None:
        self._may[number][held] |= 1 << self._origins.setdefault(origin, len(self._origins))
        if first:
            self._first[number].setdefault(held, origin)

    def _spread(self) -> None:
        """Let sets of origins go along the steps. Buffers that become each other in turn have the same."""
        after: dict[tuple[int, Instance], list[tuple[int, Instance]]] = {}
        for number, kept in enumerate(self._kept):
            for to, before, held in kept:
                after.setdefault((number, before), []).append((to, held))
        for members in reversed([*components([*after], lambda one: after.get(one, ()))]):
            poll()
            union = 0
            for number, held in members:
                union |= self._may[number][held]
            for number, held in members:
                self._may[number][held] = union
                for to, next_ in after.get((number, held), ()):
                    self._may[to][next_] |= union
