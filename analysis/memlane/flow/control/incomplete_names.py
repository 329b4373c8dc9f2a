"""Names that may be incomplete, as while a user types them: `memref.dealloc %alloc`, on the way to `%alloc_0`.

An operation has the type of a buffer after its name. Until a type is there the name may be incomplete, and name another
buffer for the time of a keystroke: effects on that buffer are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.shapes.vocabulary import registered
from memlane.syntax.tree.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.control.effects import Effects
    from memlane.flow.control.graph import Graph

_MAX_CLOSING = 4
"""More characters than that are no closing brackets that an editor has put behind what is being typed."""
_CLOSING = frozenset(")]}")


def unsettled(graph: Graph, op: Op) -> Value | None:
    """The buffer whose name an operation ends with, if its name may go on."""
    if op.types or op.regions or op.successors or not op.operands:
        return None
    last = op.operands[-1]
    if last.value is None or not may_hold_buffer(last.value.type) or not registered(op.name):
        return None
    end, stop = last.span.end, op.span.end
    if stop - end > _MAX_CLOSING or (end < stop and not _CLOSING.issuperset(graph.source[end:stop])):
        return None
    return last.value


def settled(graph: Graph, op: Op) -> tuple[Use, ...]:
    """The operands of an operation but the last, if the name of that may go on."""
    return op.operands if unsettled(graph, op) is None else op.operands[:-1]


def without(value: Value, effects: Effects) -> Effects:
    """What an operation does to others than `value`: its results may be views of that one, or of any."""
    views = [view._replace(unsure=True) if value in view.sources else view for view in effects.views]
    return effects._replace(
        frees=tuple([free for free in effects.frees if free.value is not value]),
        reads=tuple([one for one in effects.reads if one is not value]),
        writes=tuple([one for one in effects.writes if one is not value]),
        escapes=tuple([one for one in effects.escapes if one is not value]),
        acquires=tuple([one for one in effects.acquires if one is not value]),
        views=tuple(views),
    )
