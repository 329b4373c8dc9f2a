"""Work on buffers that goes on in the background, as sets; see all_paths.py.

Work is known by the op that starts it. Two bits say of each whether it may be under way at a point, and whether it may
not be. A wait for the token of an op implies one for all that this op waited for: the op precedes the wait on every
path (Cytron et al., "Efficiently computing static single assignment form and the control dependence graph", 1991), so
that is derived from the text. A token is put into a group on some paths only: then a bit says that it may not have
been.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.bits import single
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.path_insensitive.points_to import Holding, Unions
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Op, Value, starts_at, used


class StartedWork(NamedTuple):
    """Work that an op starts.

    Args:
        buffers: those that it may be about. `known`: those that it is about in any case.
        since: the op that has made what stands for its completion; the first of them.
    """

    op: Op
    buffers: int
    known: int
    since: Op


class _Plan(NamedTuple):
    """What an op does to sets of works, for short.

    Args:
        starts: what it starts; `surely`: on each path. `loose`: that is in no group then.
        joins: the bits of works that may not be in a group, and are now.
        done: what it waits for. `groups`: works, each with the bit that says that it may not be in a group waited for.
        left: the works forwarded to where they are not followed.
    """

    starts: int
    surely: int
    loose: int
    joins: int
    done: int
    groups: tuple[tuple[int, int], ...]
    left: int


class StartedWorks:
    """The work that ops of a slice start.

    Args:
        graph, part, holding: the function, the slice, and what names may denote.
    """

    def __init__(self, graph: Graph, part: Slice, holding: Holding) -> None:
        self._graph, self._part, self._holding = graph, part, holding
        self.works: list[StartedWork] = []
        self._started: dict[Op, int] = {}
        self._of_token: dict[Value, int] = {}
        self._covered: dict[Value, int] = {}
        self._groups: dict[Value, list[tuple[int, int]]] = {}
        self._loose: dict[int, int] = {}
        self._plans: dict[Op, _Plan] = {}
        for op in part.position:
            completion = effects_at(graph, op).completion
            if completion and op is not graph.function:
                self._number(op, completion)
        about: dict[int, int] = {}
        for number, work in enumerate(self.works):
            for bit in single(work.buffers):
                about[bit] = about.get(bit, 0) | 1 << number
        self._about = Unions(about)
        bits = len(self.works)
        for op in part.position if self.works else ():
            for token, group in effects_at(graph, op).joins:
                for one in single(self._of_token.get(token, 0)):
                    self._groups.setdefault(group, []).append((one, 1 << bits))
                    self._loose[one] = self._loose.get(one, 0) | 1 << bits
                    bits += 1
        self.all = (1 << bits) - 1

    def _number(self, op: Op, completion: frozenset[Value]) -> None:
        effects, holding, bits, known = effects_at(self._graph, op), self._holding, 0, 0
        passed = arguments_of(self._graph, op)
        for value in (*effects.reads, *effects.writes):
            bits |= holding.may(value)
            known |= holding.may(value) if holding.one(value) and not op.regions else 0
        for value in (*filter(None, passed), *(self._part.named_inside(op) if op.regions else ())):
            bits |= holding.may(value)
        if bits:
            number = 1 << len(self.works)
            since = min((one.op for one in completion if one.op is not None), key=starts_at, default=op)
            self.works.append(StartedWork(op, bits | holding.last(bits) << 1, known, since))
            self._started[op] = number
            for token in completion:
                self._of_token[token] = self._of_token.get(token, 0) | number

    def started(self, op: Op) -> int:
        """The work that an op with regions starts when it is left, as a set."""
        return self._started.get(op, 0) if op.regions else 0

    def about(self, bits: int) -> int:
        """The works that may be about one of some buffers."""
        return self._about.of(bits)

    def surely_about(self, bit: int) -> int:
        """The works that are about a buffer in any case."""
        found = 0
        for one in single(self.about(bit)):
            found |= one if self.works[one.bit_length() - 1].known & bit else 0
        return found

    def solely_about(self, bit: int) -> int:
        """The works that are about no other buffer."""
        found = 0
        for one in single(self.about(bit)):
            found |= one if not self.works[one.bit_length() - 1].buffers & ~(bit | bit << 1) else 0
        return found

    def covered(self, tokens: Iterable[Value]) -> int:
        """The works that are complete once one of some tokens is."""
        found = 0
        for token in tokens:
            found |= self._cover(token)
        return found

    def _cover(self, first: Value) -> int:
        pending = [first]
        while pending:
            token = pending[-1]
            before = self._waited(token)
            unknown = [one for one in before if one not in self._covered]
            if token not in self._covered and unknown:
                self._covered[token] = self._of_token.get(token, 0)  # for tokens that wait for themselves
                pending.extend(unknown)
                continue
            found = self._of_token.get(token, 0)
            for one in before:
                found |= self._covered[one]
            self._covered[token] = found
            pending.pop()
        return self._covered[first]

    def _waited(self, token: Value) -> tuple[Value, ...]:
        """What the op that gave a token has waited for."""
        effects = effects_at(self._graph, token.op) if token.op is not None else None
        return effects.waits if effects is not None and token in effects.completion else ()

    def after(self, op: Op, effects: Effects, busy: int, calm: int) -> tuple[int, int]:
        """What may be under way after an op, and what may not be; before it frees anything."""
        plan = self._plans.get(op)
        if plan is None:
            plan = self._plans[op] = self._plan(op, effects)
        busy = (busy | plan.starts | plan.loose) & ~plan.joins
        calm &= ~plan.surely
        done = plan.done | plan.left
        for work, loose in plan.groups:
            if not busy & loose:
                done |= work
        return busy & ~done, calm | done

    def _plan(self, op: Op, effects: Effects) -> _Plan:
        starts = self._started.get(op, 0) if not op.regions else 0
        waited = self.covered(effects.waits)
        joins, left = 0, 0
        for token, group in effects.joins:
            for work, loose in self._groups.get(group, ()):
                joins |= loose if work & self._of_token.get(token, 0) else 0
        apart = {*effects.waits, *(token for token, _ in effects.joins)}
        for value in used(op):
            if value not in apart:
                left |= self.covered((value,))
        surely = starts if starts and self.works[starts.bit_length() - 1].known else 0
        return _Plan(
            starts,
            surely,
            self._loose.get(starts, 0),
            joins,
            0 if effects.completion else waited,
            () if effects.completion else tuple(pair for one in effects.waits for pair in self._groups.get(one, ())),
            left & ~waited & ~self.covered(effects.completion),
        )
