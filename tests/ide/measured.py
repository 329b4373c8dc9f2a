"""What a function does with memory, measured in the process of the tests."""

from __future__ import annotations

from memlane.ide import profile_cache
from memlane.ide.lanes import FunctionLanes
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function


def portrait(file: File, function: Function) -> FunctionLanes | None:
    """The lanes of a function of `file`, measured here and now where they are not known."""
    order = profile_cache.order_of(file, function)
    before = profile_cache.known(file, order)
    if before is not None:
        return before[0]
    found = profile_cache.measure(order.task, file.config)
    profile_cache.keep(file, order, found)
    return order.place(found)
