"""Names that may be incomplete, as while a user types them: `memref.dealloc %alloc`, on the way to `%alloc_0`.

An operation has the type of a buffer after its name. Until a type is there the name may be incomplete, and name another
buffer for the time of a keystroke: effects on that buffer are not reported.
"""

from __future__ import annotations

from memlane.flow.cfg.limits import MAX_CLOSING
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.shapes.vocabulary import registered
from memlane.syntax.tree.tree import Op, Value

_CLOSING = frozenset(")]}")


def unfinished(op: Op) -> Value | None:
    """The buffer whose name an operation ends with: no type stands behind it, nor more than a few characters."""
    if op.types or op.regions or op.successors or not op.operands:
        return None
    last = op.operands[-1].value
    if last is None or not may_hold_buffer(last.type) or not registered(op.name):
        return None
    return last if op.span.end - op.operands[-1].span.end <= MAX_CLOSING else None


def closes(text: str) -> bool:
    """Whether what stands behind a name are closing brackets."""
    return _CLOSING.issuperset(text)
