"""What functions do to arguments that a call gives one buffer for: free it again, or use it after they have freed it.

By the text of the function these are two buffers, used correctly; only the call shows otherwise. So the violation is
reported at the call, except for violations that occur for all arguments, and those reported in the function: a private
function is analysed with the arguments of its callers, as far as their text shows which names are one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memlane.flow.dataflow.call_outcomes import Callees, Effect
from memlane.flow.dataflow.context import Context, repeated
from memlane.flow.dataflow.events import Goal
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.function import Passed, Question
from memlane.flow.interproc.limits import MAX_PARTITIONS
from memlane.flow.interproc.summary_engine import Ways
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.exit_state import ExitState
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax.tree.tree import Op

Partition = tuple[int | None, ...]


def own_wrongs(
    question: Question, endings: Iterable[ExitState], part: Slice, callees: Callees, recurs: Callable[[Op], bool]
) -> frozenset[Goal]:
    """What goes wrong in a function whatever it is passed twice, where more does as it is asked about.

    Args:
        endings: the ways out of `part` of it.
        callees: what the functions called do.
        recurs: whether a call may come back to the function. Violations there are not the function's own: if it passes
            one buffer twice itself, the answer would depend on itself, and be reported nowhere.
    """
    if not any(held.again or held.used for ending in endings for held in ending.state.heap):
        return frozenset()
    all_differ = tuple(at if group is not None else None for at, group in enumerate(question.partition))
    context = question.context()._replace(partition=all_differ)
    other = Explorer(question.callee.graph, part, callees, context=context, summarise=True)
    try:
        other.run()
    except BudgetExceeded:
        return frozenset()
    return frozenset(event.goal for event in other.log.events if not recurs(event.place))


def fewer_contexts(contexts: Iterable[Context]) -> list[Context]:
    """Of too many ways in which a function is entered those that differ in which arguments are one buffer."""
    found: dict[Partition, None] = {}
    for context in contexts:
        twice = zip(context.partition, repeated(context.partition), strict=True)
        known = tuple(group if is_one else None for group, is_one in twice)
        found[known if any(one is not None for one in known) else ()] = None
    return [*map(Context, found)] if len(found) <= MAX_PARTITIONS else [Context()]


def told_at_call(ways: Ways, partition: Partition, passed: Callable[[], Passed]) -> Ways:
    """The outcomes of a call of a private function, without the violations reported in that function.

    Args:
        partition: as in `Callees.outcomes`.
        passed: what the call passes, by the text around it.
    """
    if not any(effect.again or effect.used for way in ways for effect in way.groups):
        return ways
    known = passed().partition
    inside = {group for group in partition if group is not None and _one(group, partition, known)}
    found = (
        way._replace(groups=tuple(_quiet(e) if number in inside else e for number, e in enumerate(way.groups)))
        for way in ways
    )
    return tuple(dict.fromkeys(found))


def _one(group: int, partition: Partition, known: Partition) -> bool:
    """Whether the text says that the arguments of a group are one buffer."""
    names = {known[at] if at < len(known) else None for at, one in enumerate(partition) if one == group}
    return len(names) == 1 and None not in names


def _quiet(effect: Effect) -> Effect:
    return effect._replace(again=None, used=None)
