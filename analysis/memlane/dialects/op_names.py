"""What the name of an operation lets one suppose of it, where no model says anything."""

from __future__ import annotations

_FREEING = frozenset(("dealloc", "dealloca", "deallocate", "deallocation", "free", "freemem"))
_ENDING = frozenset(("release", "destroy", "delete"))
"""The last words of names: before another one they may say what that does."""


def seems_to_return(name: str) -> bool:
    """Whether an operation of that name hands what it is given to the caller where it ends a function: `npu.return`."""
    return name.rpartition(".")[2] == "return"


def seems_to_free(name: str) -> bool:
    """Whether an operation of that name may free what it is given, as `npu.dealloc_buffer` or `npu.free`."""
    words = name.partition(".")[2].lower().replace(".", "_").split("_")
    return not _FREEING.isdisjoint(words) or words[-1] in _ENDING
