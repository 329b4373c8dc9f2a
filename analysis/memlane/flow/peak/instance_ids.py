"""What buffers are known by in the nodes of a `Product`, and from one to the next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from memlane.flow.alias.origin import Origin
from memlane.flow.dataflow.state import Heap, Instance
from memlane.flow.symbolic.amounts import Amount
from memlane.syntax.tree.tree import Op


def size(held: Instance) -> Amount:
    """The size of a buffer of a node."""
    assert isinstance(held.tag, Amount)
    return held.tag


def sized(held: Instance, amount: Amount) -> Instance:
    """A new buffer, known by its size. Whether it has been written to changes nothing about memory use: n buffers that
    loops fill which may not run would make 2 to the power of n states."""
    return held._replace(tag=amount, written=True)


def freed(held: Instance, by: dict[Origin, Op]) -> Instance:
    """A buffer as if it had been freed by the op that freed one of its origin first. Which op it was changes nothing
    about memory use, and n branches that each free it would make n states. `by`: takes those ops."""
    if held.freed is None or held.escaped:
        return held
    return held._replace(freed=by.setdefault(held.origin, held.freed))


class Tag(NamedTuple):
    """What a buffer is known by during a step: its index before it, and its size."""

    number: int
    size: Hashable


def marked(held: Instance, index: int) -> Instance:
    """A buffer as a step begins with it."""
    return _known_by(held, Tag(index, held.tag))


def _known_by(held: Instance, tag: Hashable) -> Instance:
    # The tag is the last field. `_replace` goes by names, and takes twice as long.
    return Instance._make((*held[:-1], tag))


def origin_index(held: Instance) -> int | None:
    """The index, before the step, of a buffer that a step left; None for a new one."""
    return held.tag.number if isinstance(held.tag, Tag) else None


def untagged(held: Instance) -> Instance:
    """The buffer known by its size again."""
    return _known_by(held, held.tag.size) if isinstance(held.tag, Tag) else held


def age(heap: Sequence[Instance], index: int | None) -> tuple[bool, ...]:
    """Sorts buffers of one origin that become alike, given by index, as far as they differ: what is kept somewhere
    comes first. None, a new one, is last."""
    if index is None:
        return (True,)
    held = heap[index]
    return False, bool(held.holders), not held.escaped, held.freed is None


class UntouchedBuffers(NamedTuple):
    """Buffers that an op leaves as they are, and their indices before it, by identity: they are the same objects."""

    heap: Heap
    numbers: dict[int, int]
