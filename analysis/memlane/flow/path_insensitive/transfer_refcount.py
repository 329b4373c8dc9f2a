"""How many owners buffers may have besides the first, for sets of buffers; see all_paths.py.

One number holds them: for each count up to `MAX_OWNERS` the buffers that may have it, one count above the other, and
above these the buffers that may have more.
"""

from __future__ import annotations

from memlane.flow.typestate.limits import MAX_OWNERS

_COUNTS = MAX_OWNERS + 2
"""From none to one more than are counted, which stands for any number that is more."""


class Owners:
    """The transfer functions of what counts owners.

    Args:
        width: how many bits a set of buffers has.
        counted: whether an op counts them at all; else all buffers have no further owner, and 0 says so.
    """

    def __init__(self, width: int, counted: bool) -> None:
        self._width = width
        self._counted = counted
        self._each = sum(1 << width * count for count in range(_COUNTS))

    @property
    def all(self) -> int:
        """Any buffer may have any number."""
        return ((1 << self._width) - 1) * self._each if self._counted else 0

    def made(self, owners: int, bit: int) -> int:
        """There is a new buffer of a bit; the one before has the next bit."""
        if not self._counted:
            return owners
        bits = bit * self._each
        return owners & ~bits | (owners & bits) << 1 | bit

    def first(self, owners: int, bits: int) -> int:
        """Some buffers may have no further owner."""
        return owners | bits if self._counted else owners

    def acquired(self, owners: int, bits: int, surely: bool) -> int:
        """One of some buffers has one more; `surely`: there is one, and it has."""
        after = owners & ~(bits * self._each) if surely else owners
        for count in range(_COUNTS):
            after |= (owners >> count * self._width & bits) << min(count + 1, _COUNTS - 1) * self._width
        return after

    def released(self, owners: int, bits: int, surely: bool) -> int:
        """One of some buffers has one less, if it had one."""
        if not self._counted:
            return owners
        after = owners & ~(bits * self._each) if surely else owners
        for count in range(_COUNTS):
            after |= (owners >> count * self._width & bits) << max(count - 1, 0) * self._width
        many = (_COUNTS - 1) * self._width
        return after | (owners >> many & bits) << many

    def lone(self, owners: int, bits: int) -> int:
        """Those of some buffers that may have no further owner."""
        return bits & owners if self._counted else bits

    def shared(self, owners: int, bits: int) -> int:
        """Those of some buffers that may have one."""
        found = 0
        for count in range(1, _COUNTS) if self._counted else ():
            found |= owners >> count * self._width & bits
        return found
