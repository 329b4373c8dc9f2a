"""Which of its arguments a function may free, at most: told from its text, whatever is passed, whichever way it goes.

Most functions free none, and who lends them a buffer need not know more. Following their paths, which differ with what
is passed, would say the same of each way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.alias import OriginKind
from memlane.flow.cycles import components
from memlane.flow.function import FunctionFlow
from memlane.flow.program import Program


class _Text(NamedTuple):
    """What the text of a function says.

    Args:
        freed: positions of the arguments that one of its ops may free.
        lent: the positions of arguments that may be passed to another function, which, and as which of its arguments.
    """

    freed: frozenset[int]
    lent: tuple[tuple[frozenset[int], FunctionFlow, int], ...]


def freed(program: Program, flow: FunctionFlow) -> frozenset[int]:
    """The positions of the arguments that `flow`, or what it calls, may free. Found out once."""
    if flow.freed is None:
        texts: dict[FunctionFlow, _Text] = {}

        def lent(one: FunctionFlow) -> Iterable[FunctionFlow]:
            if one.freed is not None:
                return ()
            poll()
            texts[one] = _read(program, one)
            return [callee for _, callee, _ in texts[one].lent]

        for members in components([flow], lent):
            if members[0].freed is None:
                _settle(members, texts)
    assert flow.freed is not None
    return flow.freed


def _read(program: Program, flow: FunctionFlow) -> _Text:
    graph = flow.graph
    freed: set[int] = set()
    lent: list[tuple[frozenset[int], FunctionFlow, int]] = []
    for cluster in program.aliases(flow).clusters.values():
        names = cluster.root
        own = frozenset(one.value.index for one in cluster.origins if one.kind is OriginKind.ARGUMENT)
        for op in {use.op: None for value in names for use in value.uses} if own else ():
            if any(free.value in names for free in graph.effects(op).frees):
                freed |= own
            callee = program.callee(op) if graph.call(op) is not None else None
            if callee is not None:
                lent += [(own, callee, at) for at, value in enumerate(graph.arguments(op)) if value in names]
    return _Text(frozenset(freed), tuple(lent))


def _settle(members: list[FunctionFlow], texts: Mapping[FunctionFlow, _Text]) -> None:
    """Of functions that call each other, the least that agrees with itself: all others that they call are known."""
    lending: dict[FunctionFlow, dict[FunctionFlow, None]] = {}
    for flow in members:
        flow.freed = texts[flow].freed
        for _, callee, _ in texts[flow].lent:
            lending.setdefault(callee, {})[flow] = None
    waiting = dict.fromkeys(members)
    while waiting:
        poll()
        flow, _ = waiting.popitem()
        inside = {at for own, callee, place in texts[flow].lent if place in (callee.freed or ()) for at in own}
        after = texts[flow].freed | inside
        if after != flow.freed:
            flow.freed = after
            waiting.update(lending.get(flow, {}))
