"""Which ops of a function name the same memory: recorded while all of its ops exist, so that a later request about one
name builds those alone.

What calls give back is taken to be any of what they are given: so a note holds as long as the function's text does.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.dialects.model import Models
from memlane.flow import FunctionFlow, Program
from memlane.flow.cfg.callee import called
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.pointer_memory import slots_of
from memlane.flow.slicing.hidden_dependences import hides
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.query import Respaced
from memlane.syntax.editing.piece import Piece
from memlane.syntax.tree.tree import Op, starts_at

if TYPE_CHECKING:
    from memlane.flow.alias.alias import Aliases, Cluster
    from memlane.flow.cfg.graph import Graph

Notes = WeakKeyDictionary[Piece, "Related"]


class Shared(NamedTuple):
    """Where ops begin that name some memory: those that tell what becomes of it, and those that just use it."""

    telling: set[int]
    plain: set[int]


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """Of one function.

    Args:
        places: where ops begin, from the start of the function's piece: group by group, in text order in each.
        ends: how many places there are as far as the end of each group.
        order: the numbers of the places, in text order.
        plain: of each place 1 where the op just reads or writes the memory, or looks at it.
    """

    places: array[int]
    ends: array[int]
    order: array[int]
    plain: bytes

    def of(self, ops: Iterable[tuple[int, int]]) -> Shared:
        """Where the ops begin that name memory which all of some ops name.

        Args:
            ops: for each, the places between which it begins, the second exclusive.
        """
        groups = [self._groups(start, stop) for start, stop in ops]
        found = Shared(set(), set())
        for group in groups[0].intersection(*groups) if groups else ():
            for number in range(self.ends[group - 1] if group else 0, self.ends[group]):
                found[self.plain[number]].add(self.places[number])
        return found

    def moved(self, by: Respaced) -> Related:
        """The same where the function stands elsewhere in its piece."""
        return Related(array("i", map(by.place, self.places)), self.ends, self.order, self.plain)

    def _groups(self, start: int, stop: int) -> set[int]:
        """The groups that an op is in which begins there."""
        first, last = (bisect_left(self.order, at, key=self.places.__getitem__) for at in (start, stop))
        return {bisect_right(self.ends, number) for number in self.order[first:last]}


def related(program: Program, flow: FunctionFlow, start: int) -> Related | None:
    """The note on a function whose piece begins at `start`; None where a call may be of a function that is known by its
    name, as that depends on which ones the file defines, and where a buffer is stored somewhere: what loads stand for
    then depends on all that is done there."""
    graph = flow.graph
    if hides(graph) or not slots_of(graph).none:
        return None
    named = [(model.call, graph.named[name]) for name, model in graph.named_models.items() if model is not None]
    calls = [(op, call) for call, ops in named if call is not None for op in ops]
    if any(called(op, call, graph.models) in graph.models.functions for op, call in calls):
        return None
    giving = {op for op, _ in calls if gives_back(graph.models, op)}
    aliases = program.aliases(flow)
    groups = [_ops(cluster) for cluster in aliases.clusters.values()]
    places, ends, plain = array("i"), array("i"), bytearray()
    for group in _joined(groups, giving):
        poll()
        ops = sorted(group, key=starts_at)
        places.extend([op.span.start - start for op in ops])
        plain.extend([_is_plain(graph, aliases, op) for op in ops])
        ends.append(len(places))
    order = array("i", sorted(range(len(places)), key=places.__getitem__))
    return Related(places, ends, order, bytes(plain))


def _is_plain(graph: Graph, aliases: Aliases, op: Op) -> bool:
    """Whether an op that names some memory gives it no other name, and neither frees nor keeps any."""
    if op is graph.function or op.parent is None or op is op.parent.ops[-1] or graph.call(op) is not None:
        return False
    blocks = (block for region in op.regions for block in region.blocks)
    defined = chain(op.results, (value for block in blocks for value in block.arguments))
    effects = effects_at(graph, op)
    return not (effects.frees or effects.escapes or effects.returned or any(value in aliases.root for value in defined))


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
