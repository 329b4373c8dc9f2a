"""What the explorations of one slice of a function give: what goes wrong, how certainly, and along which path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from memlane.findings import Certainty
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.dataflow.budget import Purse
from memlane.flow.dataflow.events import Event, EventKind, Goal, Point
from memlane.flow.dataflow.solver import BudgetExceeded, Reached
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.interproc.calling_contexts import told_apart
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.memory.async_free import working
from memlane.flow.scalars.spmd_regions import shared_by
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.bug_path import PathStep
from memlane.flow.typestate.certainty import avoidable
from memlane.flow.typestate.cluster_result import Incident
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.must_violations import unavoidable
from memlane.flow.typestate.nonterminating import note_lost
from memlane.flow.typestate.path_choices import Reasons

KNOWN_SHARE = 0.9
"""Of the steps that following may take, from which on it is what is known that is too much, not the buffers."""
OUTCOMES_PER_STEP = 4
"""So many ways of calls, each asked for its conditions, cost about as much as a step."""


def explored(
    program: Program, flow: FunctionFlow, part: Slice, callees: Inquiry, purse: Purse, how: type[Explorer] = Explorer
) -> Explorations | None:
    """What following a slice gives; None: it is too much. `how` it is followed."""
    try:
        purse.spend(part.points())  # what the slice has cost
        return Explorations(program, flow, part, callees, purse, how)
    except BudgetExceeded:
        return None


class Explorations:
    """The explorations of one slice, one for each way the function is entered. Arguments: see `explored`."""

    def __init__(
        self, program: Program, flow: FunctionFlow, part: Slice, callees: Inquiry, purse: Purse, how: type[Explorer]
    ) -> None:
        self._callees = callees
        self._part = part
        contexts = told_apart(part.graph, part, program.contexts(flow))
        self._explored = [how(part.graph, part, callees, context=context) for context in contexts]
        self._reached = [_run(explorer, part, purse) for explorer in self._explored]
        for explorer, reached in zip(self._explored, self._reached, strict=True):
            note_lost(explorer.log, part.graph, reached)
        self._goals = self._seen()
        if any(not event.unsure for _, event in self._goals.values()):  # as many steps again, to grade them
            purse.spend(sum(len(reached.pairs) for reached in self._reached))

    @property
    def clean(self) -> bool:
        """Whether no violation occurs."""
        return not self._goals

    @property
    def unavoidable(self) -> bool:
        """Whether something goes wrong whatever is known of the paths."""
        return bool(unavoidable(self._part.graph, self._part, self._goals.keys()))

    @property
    def kinds(self) -> set[EventKind]:
        """What goes wrong."""
        return {goal.kind for goal in self._goals}

    def goals(self) -> set[Goal]:
        """The same, with where it does; of leaks all buffers that are lost."""
        found = {*self._goals}
        for explorer, whence in zip(self._explored, self._whence, strict=True):
            lost = [event for event in explorer.log.events if event.kind is EventKind.LEAK]
            found.difference_update(event.goal for event in lost)
            made = {origin: None for event in lost for origin in whence(event)[1]}
            found.update(Goal(EventKind.LEAK, one.value.op, one.value.name) for one in made if one.value.op is not None)
        return found

    @cached_property
    def _whence(self) -> list[Callable[[Event], tuple[Origin, Collection[Origin]]]]:
        return [one.whence(reached) for one, reached in zip(self._explored, self._reached, strict=True)]

    @property
    def too_many(self) -> bool:
        """Whether there are far too many states if buffers that are alike are distinguished."""
        for explorer, reached in zip(self._explored, self._reached, strict=True):
            most = 2 * explorer.budget
            if len(reached.pairs) * len(self._part.origins) > most and explorer.told_apart(reached) > most:
                return True
        return False

    def buffers(self) -> set[Instance]:
        """All that may be at some point of some path."""
        return {held for reached in self._reached for _, state in reached.pairs for held in state.heap}

    def _seen(self) -> dict[Goal, tuple[int, Event]]:
        """What goes wrong, one for each kind and place, and the context in which it was seen."""
        seen: dict[Goal, tuple[int, Event]] = {}
        for context, explorer in enumerate(self._explored):
            for event in explorer.log.events:
                goal = event.goal
                if goal not in seen or (seen[goal][1].unsure and not event.unsure):
                    seen[goal] = context, event
        return seen

    def incidents(self, leaks: bool = True) -> Iterator[Incident]:
        """The same, graded. `leaks`: with those."""
        told: dict[int, Reasons] = {}
        goals = {goal: seen for goal, seen in self._goals.items() if leaks or goal.kind is not EventKind.LEAK}
        avoidable = self._avoidable if leaks else self._passed(goals)
        for goal, (context, event) in goals.items():
            if context not in told:
                told[context] = Reasons(self._explored[context], self._reached[context], self._part.graph, self._part)
            certainty = Certainty.SOME if event.unsure or goal in avoidable else Certainty.ALWAYS
            event = self._shortest(context, event, told[context])
            same = self._explored[context].passed_as(event.origin.value)
            explained = told[context].of(event, certainty is Certainty.ALWAYS)
            yield Incident(
                event.kind,
                certainty,
                event.place,
                event.value,
                self._whence[context](event)[0],
                event.cause,
                event.inside if event.inside is None or event.inside.name_span != event.place.name_span else None,
                (*explained.steps, *self._at_once(event)),
                event.unsure,
                made=explained.made,
                caused=explained.caused,
                same=same,
                caller=next(iter(self._explored[context].callers), "") if same else "",
            )

    def _shortest(self, context: int, event: Event, reasons: Reasons) -> Event:
        """Of the events that differ in their cause alone the one with the fewest choices before it."""
        explorer = self._explored[context]
        if not explorer.retraceable or event.kind is EventKind.LEAK:
            return event
        same = [one for one in explorer.log.events if one._replace(cause=event.cause) == event]
        return min(same, key=reasons.depth) if len(same) > 1 else event

    def _at_once(self, event: Event) -> Iterator[PathStep]:
        """What else goes on when something perhaps happens: where the order is open, or several threads do it."""
        graph = self._part.graph
        if event.unsure and event.cause is not None and event.kind is EventKind.USE_AFTER_FREE:
            work = working(graph, event.cause)
            if work is not None and not is_inside(event.place, work):
                yield PathStep(work, "started here, perhaps not waited for")
        elif event.unsure and event.cause is None and event.kind is EventKind.DOUBLE_FREE:
            team = shared_by(graph, event.place, event.origin.value)
            if team is not None:
                yield PathStep(team, "each of its threads runs this")

    @cached_property
    def _avoidable(self) -> set[Goal]:
        """Those whose place some path passes without them."""
        return self._passed(self._goals)

    def _passed(self, seen: Iterable[Goal]) -> set[Goal]:
        """The same of some."""
        goals = [goal for goal in seen if not self._goals[goal][1].unsure]
        certain = unavoidable(self._part.graph, self._part, goals)
        goals = [goal for goal in goals if goal not in certain]
        found: set[Goal] = set()
        for explorer, reached in zip(self._explored, self._reached, strict=True) if goals else ():
            found |= avoidable(explorer, reached, self._part.graph, self._part, goals)
        return found


def _run(explorer: Explorer, part: Slice, purse: Purse) -> Reached[Point, State]:
    """Explore everything that `purse` can pay for."""
    try:
        found = explorer.run(purse.left)
    except BudgetExceeded as exceeded:
        if type(explorer) is Explorer:
            known = {(point, state.facts) for point, state in exceeded.reached if isinstance(state, State)}
            part.hopeless |= len(known) > KNOWN_SHARE * explorer.budget
        purse.spend(explorer.begun + explorer.budget)
        raise
    purse.spend(explorer.begun + len(found.pairs) + explorer.invoke.tried // OUTCOMES_PER_STEP)
    return found
