"""Fixes of findings about one buffer or operation: advice on memory that is spent for nothing, and the wrong free op.

One function for each rule, from the finding's `Subject` to its fixes, best first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlane.findings import Fix
from memlane.fixes.advice import hoist, merge, operation, sink, stack, unused
from memlane.fixes.advice.subject import CANNOT_READ, OfBuffer, OfOperation, Plains

OF_BUFFER: dict[str, Callable[[OfBuffer], Iterator[Fix]]] = {
    "early-alloc": sink.fixes,
    "loop-invariant-alloc": hoist.fixes,
    "redundant-copy": merge.handed_over,
    "reusable-buffer": merge.reused,
    "stack-promotable": stack.fixes,
    "unused-buffer": unused.fixes,
}
"""By rule: fixes of what is wrong with a plain buffer."""

OF_OPERATION: dict[str, Callable[[OfOperation], Iterator[Fix]]] = {
    "mismatched-free": operation.right_free,
    "redundant-dealloc-check": operation.simplified,
}
"""By rule: fixes of an operation on its own."""

__all__ = ["CANNOT_READ", "OF_BUFFER", "OF_OPERATION", "OfBuffer", "OfOperation", "Plains"]
