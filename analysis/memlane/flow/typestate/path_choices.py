"""The choices on the path to an event that explain it, and the order in which things happen there.

The path on which an event was first found also makes choices that are irrelevant to it. A choice is dropped if the
event still happens on every path that makes the remaining choices and passes the event's place. Choices are compared
point by point: at the n-th visit of a point, a path has to choose what the first path chose at its n-th visit, if that
choice remains; otherwise it may choose anything. Whether a set of choices suffices is one walk over the explored paths.
Large groups of choices are dropped before small ones (delta debugging: Zeller, Hildebrandt, "Simplifying and isolating
failure-inducing input", 2002).

An event that holds on every path that gets to its place needs no choices, but for those that lead to what is shown as
its cause.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.dialects.model import Guard
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import Event, EventKind, Goal, Pair, Point, Purpose, StepQuery
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import Instance, State, ordered
from memlane.flow.slicing.edge_effect import may_throw
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.bug_path import PathStep, step
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.limits import MAX_CHOICES_SHOWN, MAX_END, MAX_LOOKS_PER_PAIR, MIN_LOOKS
from memlane.syntax.tree.tree import Op, Value

AGAIN = " again"
"""Added to a choice that is made once more, as the next round of a loop does."""

_Label = tuple[PathStep, ...]


class Explanation(NamedTuple):
    """How an event comes about.

    Args:
        steps: the choices, in the order of time.
        made, caused: so many of them are made until the buffer is made, and until its cause has happened (None: it has
            none before the event, or that is the end of the path).
    """

    steps: tuple[PathStep, ...]
    made: int = 0
    caused: int | None = None


class _Way(NamedTuple):
    """What may follow on a pair: another one by its number, or (None) the end of what is followed.

    Args:
        label: the choice that it takes; (): none that can be named.
        made: leaks of what is made on the way.
        bad: what goes wrong on the way.
    """

    target: int | None
    label: _Label
    made: frozenset[Hashable]
    bad: frozenset[Hashable]


class _Choice(NamedTuple):
    """A choice of a path, at its pair number `at`."""

    at: int
    point: Point
    label: _Label


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """The path to an event: numbers of pairs.

    Args:
        pairs: the last of them; all of them if `first`, the place of the first one among all, is 0.
        choices: those that have a name; of many the last ones.
        unsaid: how many the others are.
        fixed: what follows where a choice has no name.
        whole: nothing is left out.
    """

    pairs: tuple[int, ...]
    first: int
    choices: tuple[_Choice, ...]
    unsaid: int
    fixed: dict[int, int | None]
    whole: bool


class _ChoiceLink(NamedTuple):
    """What a path chooses at its pair number `at`, and before that; so many of these choices have a name."""

    at: int
    number: int
    way: _Way
    before: _ChoiceLink | None
    named: int


class _WayTo(NamedTuple):
    """How a path comes to its pair number `at`: the last choice on the way."""

    at: int
    last: _ChoiceLink | None


class _Untold(Exception):
    """The walk has looked at too much, or steps that are taken again do not lead where they led."""


class Reasons:
    """Explains the events of one exploration.

    Args:
        explorer: one that has explored to the end, and what it `reached`.
        graph, part: the function and the slice that it follows.
    """

    def __init__(self, explorer: Explorer, reached: Reached[Point, State], graph: Graph, part: Slice) -> None:
        self._explorer, self._graph, self._part = explorer, graph, part
        self._pairs, self._numbers = reached.pairs, reached.numbers
        self._source, self._following = reached.sources, reached.following
        self._first = reached.starts
        self._taken = explorer.log.taken
        self._ways: dict[int, list[_Way]] = {}
        self._left = MIN_LOOKS + MAX_LOOKS_PER_PAIR * len(self._pairs)
        self._depths: list[int] = []
        self._ways_to: dict[int, _WayTo] = {}

    def of(self, event: Event, certain: bool) -> Explanation:
        """How an event comes about. `certain`: it does on every path that gets to its place."""
        if certain and event.kind is EventKind.LEAK:
            return Explanation(())
        path = self._path(event)
        try:
            kept, unsaid = self._enough(event, path), 0
        except _Untold:
            kept, unsaid = path.choices, path.unsaid
        return self._explained(event, path, kept, unsaid)

    def depth(self, event: Event) -> int:
        """How many choices the path to an event makes."""
        if not self._depths:
            for number, source in enumerate(self._source):
                more = len(self._following[source]) > 1 if source is not None else False
                self._depths.append((self._depths[source] if source is not None and source < number else 0) + more)
        return self._depths[self._numbers[self._explorer.log.events[event]]]

    # ---- the path ----------------------------------------------------------------------------------------------

    def _path(self, event: Event) -> _Path:
        """The path to an event; its end only, where there is no time left to find out which choices are needed."""
        last = self._numbers[self._explorer.log.events[event]]
        at, link = self._way_to(last)
        way = self._chosen(last, None, event)
        if way is not None:
            link = _link(at, last, way, link)
        choices: list[_Choice] = []
        fixed: dict[int, int | None] = {}
        while link is not None and (self._left >= 0 or len(choices) < MAX_CHOICES_SHOWN):
            self._left -= 1
            if link.way.label:
                choices.append(_Choice(link.at, self._pairs[link.number][0], link.way.label))
            else:
                fixed[link.number] = link.way.target
            link = link.before
        pairs = self._end(last)
        unsaid = link.named if link is not None else 0
        whole = link is None and len(pairs) == at + 1
        return _Path(tuple(pairs[::-1]), at + 1 - len(pairs), tuple(choices[::-1]), unsaid, fixed, whole)

    def _end(self, last: int) -> list[int]:
        """The pairs of the path to one, the last first; not all of them if there is no time left."""
        found: list[int] = []
        number: int | None = last
        while number is not None and (self._left >= 0 or len(found) < MAX_END):
            self._left -= 1
            found.append(number)
            number = self._source[number]
        return found

    def _way_to(self, number: int) -> _WayTo:
        trail: list[int] = []
        while number not in self._ways_to:
            trail.append(number)
            source = self._source[number]
            if source is None:
                self._ways_to[trail.pop()] = _WayTo(0, None)
            else:
                number = source
        found = self._ways_to[number]
        for target in reversed(trail):
            way, last = self._chosen(number, target, None), found.last
            if way is not None:
                last = _link(found.at, number, way, last)
            found = self._ways_to[target] = _WayTo(found.at + 1, last)
            number = target
        return found

    def _chosen(self, number: int, target: int | None, event: Event | None) -> _Way | None:
        """What a path does at a pair; `target`: the next one, or None at the event. None: nothing else is possible."""
        if not self._may_choose(number):
            return None
        if not self._explorer.retraceable:
            edge = self._taken.get(self._pairs[target]) if target is not None else None
            label = (step(edge),) if edge is not None and edge.guard is not Guard.ALWAYS else ()
            return _Way(target, label, frozenset(), frozenset())
        ways = self._after(number)
        if len(ways) < 2:
            return None
        if target is not None:
            return next((way for way in ways if way.target == target), None)
        return next((way for way in ways if event is not None and event.shown in way.bad), None)

    def _may_choose(self, number: int) -> bool:
        block, stop = self._pairs[number][0]
        if len(self._following[number]) > 1:
            return True
        return stop == len(self._part.stops.get(block, ())) and self._explorer.ends(block)

    # ---- what is enough ----------------------------------------------------------------------------------------

    def _enough(self, event: Event, path: _Path) -> Sequence[_Choice]:
        """As few choices of a path as are enough for an event to happen anyway.

        Raises:
            _Untold: it is not known that all of them are.
        """
        if not self._explorer.retraceable or not path.whole:
            raise _Untold
        if self._happens(event, path, ()):
            return ()
        if not self._happens(event, path, path.choices):
            raise _Untold
        kept, middle = list(path.choices), len(path.choices) // 2
        pending = [(0, middle), (middle, len(kept))] if middle else []
        try:
            while pending:
                first, last = pending.pop()
                without = set(path.choices[first:last])
                rest = [choice for choice in kept if choice not in without]
                if self._happens(event, path, rest):
                    kept = rest
                elif last - first > 1:
                    middle = (first + last) // 2
                    pending += [(first, middle), (middle, last)]
        except _Untold:
            pass  # what is kept is enough, if not the least
        return kept

    def _happens(self, event: Event, path: _Path, kept: Collection[_Choice]) -> bool:
        """Whether an event happens on each path that makes some choices and passes its place."""
        wanted = self._wanted(path, kept)
        index = {point: number for number, point in enumerate(wanted)}
        leak, seen = event.kind is EventKind.LEAK, False
        pending = [(start, (0,) * len(index), False) for start in self._first]
        known = set(pending)
        while pending:
            self._look()
            number, counts, passed = pending.pop()
            point = self._pairs[number][0]
            passed = passed or (not leak and self._op(number) is event.place)
            place, label = index.get(point), None
            if place is not None:
                labels, count = wanted[point], counts[place]
                label = labels[count] if count < len(labels) else None
                counts = (*counts[:place], min(count + 1, len(labels)), *counts[place + 1 :])
            for way in self._after(number):
                if label is not None and way.label != label:
                    continue
                if number in path.fixed and path.fixed[number] != way.target:
                    continue
                if event.shown in way.bad:
                    seen = True
                    continue
                then = passed or event.goal in way.made
                if way.target is None:
                    if then:
                        return False
                    continue
                after = way.target, counts, then
                if after not in known:
                    known.add(after)
                    pending.append(after)
        return seen

    def _wanted(self, path: _Path, kept: Collection[_Choice]) -> dict[Point, list[_Label | None]]:
        """Of each point with choices that are kept: what is chosen there the first time, the second and so on."""
        labels = {choice.at: choice.label for choice in kept}
        found: dict[Point, list[_Label | None]] = {choice.point: [] for choice in kept}
        for at, number in enumerate(path.pairs):
            point = self._pairs[number][0]
            if point in found:
                found[point].append(labels.get(at))
        return found

    def _look(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _Untold
        if self._left % 256 == 0:
            poll()

    # ---- steps taken again -------------------------------------------------------------------------------------

    def _after(self, number: int) -> list[_Way]:
        """What may follow on a pair."""
        found = self._ways.get(number)
        if found is None:
            with self._asking() as told:
                found = self._ways[number] = list(self._taken_again(number, told))
        return found

    @contextmanager
    def _asking(self) -> Generator[StepQuery]:
        """Steps may be taken again."""
        log = self._explorer.log
        before = log.purpose, log.taken, log.ended, log.events
        log.purpose, log.taken, log.ended, log.events = Purpose.GRADES, {}, None, {}
        log.told = StepQuery()
        try:
            yield log.told
        finally:
            log.purpose, log.taken, log.ended, log.events = before
            log.told = None

    def _taken_again(self, number: int, told: StepQuery) -> Iterator[_Way]:
        log, op = self._explorer.log, self._op(number)
        thrown = op is not None and may_throw(self._graph, op)
        for at, (point, state) in enumerate([*self._explorer.step(*self._pairs[number])]):
            target = self._numbers.get((point, state.taken()))
            if target is None:
                raise _Untold
            edge = log.taken.get((point, state))
            if edge is not None:
                label = (step(edge),) if edge.guard is not Guard.ALWAYS else ()
            else:
                label = tuple(PathStep(*one) for one in told.following[at]) if at < len(told.following) else ()
            yield _Way(target, label, frozenset() if thrown else _leaks(state.made), state.bad)
        if log.ended is not None:
            yield _Way(None, (), frozenset(), log.ended)

    def _op(self, number: int) -> Op | None:
        block, stop = self._pairs[number][0]
        stops = self._part.stops.get(block, ())
        return stops[stop] if stop < len(stops) else None

    # ---- in words ----------------------------------------------------------------------------------------------

    def _explained(self, event: Event, path: _Path, kept: Sequence[_Choice], unsaid: int) -> Explanation:
        made, caused = self._story(event, path)
        again = _repeated(path)
        own = [(choice.at, _again(one) if choice.at in again else one) for choice in kept for one in choice.label]
        found = [one for _, one in own]
        count = unsaid + len(own)
        until = [None if at is None else unsaid + sum(1 for place, _ in own if place <= at) for at in (made, caused)]
        shown = found[-MAX_CHOICES_SHOWN:]
        hidden = count - len(shown)
        if hidden:
            shown = [PathStep(shown[0].op, f"after {hidden} other choices"), *shown]
        first, second = (None if at is None else max(0, at - hidden) + bool(hidden and at) for at in until)
        return Explanation(tuple(shown), first or 0, second)

    # ---- the buffer --------------------------------------------------------------------------------------------

    def _story(self, event: Event, path: _Path) -> tuple[int | None, int | None]:
        """At which pair of a path the buffer of its event is made, and at which what is shown as the cause happens."""
        origin, cause = event.origin.value.op, event.cause if event.kind is not EventKind.LEAK else None
        before = [self._op(number) for number in path.pairs[:-1]]
        made = [at for at, op in enumerate(before, path.first) if op is origin and op is not None]
        caused = [at for at, op in enumerate(before, path.first) if op is cause and op is not None]
        if (len(made) > 1 or len(caused) > 1) and cause is not None and self._explorer.retraceable and path.whole:
            traced = self._traced(event, path)
            if traced is not None:
                return traced
        if path.first and not caused and cause is not None and cause is not self._op(path.pairs[-1]):
            caused = [path.first - 1]
        return made[-1] if made else None, caused[-1] if caused else None

    def _traced(self, event: Event, path: _Path) -> tuple[int | None, int | None] | None:
        """The same where the path passes these ops more than once, for other buffers: the buffer is followed backwards;
        None: it gets lost on the way."""
        held, at = self._about(event, path.pairs[-1]), len(path.pairs) - 1
        made = caused = None
        while held is not None and at:
            self._left -= 1
            if self._left < 0:
                return None
            at -= 1
            before = self._was(path.pairs[at], path.pairs[at + 1], held)
            if isinstance(before, Origin):
                made = at
                break
            if before is not None and caused is None and held.freed is event.cause and before.freed is not event.cause:
                caused = at
            held = before
        return None if held is None else (made, caused)

    def _about(self, event: Event, number: int) -> Instance | None:
        """The buffer at a pair to which an event happens there."""
        found: list[Instance] = []
        marked = ordered(self._pairs[number][1].heap)

        def about(one: Event, held: Instance) -> None:
            if one.shown == event.shown and isinstance(held.tag, int):
                found.append(marked[held.tag])

        self._explorer.log.about = about
        self._again(number, marked)
        self._explorer.log.about = None
        return found[0] if found else None

    def _was(self, number: int, target: int, held: Instance) -> Instance | Origin | None:
        """What a buffer of a pair was at the one before; its origin: it was made in between; None: unknown."""
        marked = ordered(self._pairs[number][1].heap)
        point, state = self._pairs[target]
        for after, then in self._again(number, marked):
            # Of those that become one it was the first.
            plain = {one._replace(tag=None): one for one in reversed(ordered(then.heap))}
            if after == point and then.facts == state.facts and plain.keys() == state.heap:
                tag = plain[held].tag
                return marked[tag] if isinstance(tag, int) else held.origin
        return None

    def _again(self, number: int, marked: Sequence[Instance]) -> list[Pair]:
        """The pairs that follow on one, with the buffers marked by their place among some."""
        point, state = self._pairs[number]
        heap = frozenset(held._replace(tag=mark) for mark, held in enumerate(marked))
        with self._asking():
            return [*self._explorer.step(point, state._replace(heap=heap))]


def _link(at: int, number: int, way: _Way, before: _ChoiceLink | None) -> _ChoiceLink:
    return _ChoiceLink(at, number, way, before, bool(way.label) + (before.named if before is not None else 0))


def _repeated(path: _Path) -> set[int]:
    """Where a path chooses what it has chosen there before."""
    known: set[tuple[Point, _Label]] = set()
    found: set[int] = set()
    for choice in path.choices:
        if (choice.point, choice.label) in known:
            found.add(choice.at)
        known.add((choice.point, choice.label))
    return found


def _again(one: PathStep) -> PathStep:
    return one if one.choice.endswith(AGAIN) else PathStep(one.op, one.choice + AGAIN)


def _leaks(names: Collection[Value]) -> frozenset[Hashable]:
    return frozenset(Goal(EventKind.LEAK, name.op, name.name) for name in names if name.op is not None)
