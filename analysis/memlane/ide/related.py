"""Which ops of a function name the same memory: noted while somebody has all of its ops, so that who asks about one
name later builds those alone.

What calls give back is taken to be any of what they are given: so a note holds as long as the function's text does.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.dialects.model import Models
from memlane.flow import FunctionFlow, Program
from memlane.flow.control.callee import called
from memlane.flow.control.slots import slots_of
from memlane.flow.scalars.types import may_hold_buffer
from memlane.flow.slices.hiding import hides
from memlane.incremental import Respaced
from memlane.syntax.editing.piece import Piece
from memlane.syntax.tree.tree import Op

if TYPE_CHECKING:
    from memlane.flow.alias.alias import Cluster

Notes = WeakKeyDictionary[Piece, "Related"]


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """Of one function.

    Args:
        places: where ops begin, from the start of the function's piece: group by group, in text order in each.
        ends: how many places there are as far as the end of each group.
    """

    places: array[int]
    ends: array[int]

    def of(self, ops: Sequence[tuple[int, int]]) -> set[int]:
        """Where the ops begin that name memory which all of some ops name.

        Args:
            ops: for each, the places between which it begins, the second exclusive.
        """
        found: set[int] = set()
        begin = 0
        for end in self.ends:
            if all(self._has(start, stop, begin, end) for start, stop in ops):
                found.update(self.places[begin:end])
            begin = end
        return found

    def moved(self, by: Respaced) -> Related:
        """The same where the function stands elsewhere in its piece."""
        return Related(array("i", map(by.place, self.places)), self.ends)

    def _has(self, start: int, stop: int, begin: int, end: int) -> bool:
        at = bisect_left(self.places, start, begin, end)
        return at < end and self.places[at] < stop


def related(program: Program, flow: FunctionFlow, start: int) -> Related | None:
    """The note on a function whose piece begins at `start`; None where a call may be of a function that is known by its
    name, as that depends on which ones the file defines, and where a buffer is stored somewhere: what loads stand for
    then depends on all that is done there."""
    graph = flow.graph
    if hides(graph) or not slots_of(graph).none:
        return None
    named = [(graph.models.of(name), ops) for name, ops in graph.named.items()]
    calls = [(op, model.call) for model, ops in named if model is not None and model.call is not None for op in ops]
    if any(called(op, call, graph.models) in graph.models.functions for op, call in calls):
        return None
    giving = {op for op, _ in calls if gives_back(graph.models, op)}
    groups = [_ops(cluster) for cluster in program.aliases(flow).clusters.values()]
    places, ends = array("i"), array("i")
    for group in _joined(groups, giving):
        poll()
        places.extend(sorted({op.span.start - start for op in group}))
        ends.append(len(places))
    return Related(places, ends)


def gives_back(models: Models, op: Op) -> bool:
    """Whether an op is a call that may give memory back."""
    model = models.of(op.name) if op.results else None
    return model is not None and model.call is not None and any(may_hold_buffer(one.type) for one in op.results)


def _ops(cluster: Cluster) -> set[Op]:
    """The ops that define a name of some memory, or use one."""
    found = {use.op for value in cluster.root for use in value.uses}
    for value in cluster.root:
        if value.op is not None:
            found.add(value.op)
        elif value.block is not None:
            found.add(value.block.region.op)
    return found


def _joined(groups: Iterable[set[Op]], calls: set[Op]) -> list[set[Op]]:
    """The groups, those that have a call in common made one."""
    found: list[set[Op]] = []
    for group in groups:
        poll()
        shared = group & calls
        others = [other for other in found if not shared.isdisjoint(other)] if shared else []
        for other in others:
            group |= other
            found.remove(other)
        found.append(group)
    return found
