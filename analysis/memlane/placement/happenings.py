"""What happens to buffers at the operations of a segment, and what its ways hand over."""

from __future__ import annotations

from typing import NamedTuple

from memlane.placement.mentions import Act
from memlane.syntax.tree.tree import Op, Value


class HandedOver(NamedTuple):
    """What a way hands over.

    Args:
        receivers: bits of the roots that get a new value there.
        pairs: (source, receiver): both by their roots; the source is None where its buffer is not followed.
        whole: of each, whether the source is all of its root's buffer.
    """

    receivers: int
    pairs: tuple[tuple[Value | None, Value, bool], ...]


class Happening(NamedTuple):
    """What happens at an operation of a segment; `at`: its number in the block."""

    at: int
    act: Act
    bits: int
    op: Op | None
