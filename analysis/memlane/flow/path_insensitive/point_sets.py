"""What may be at one point of a function, where paths are not distinguished."""

from __future__ import annotations

from typing import NamedTuple


class Sets(NamedTuple):
    """What may be at a point: sets of buffers in the bits of `Holding`, and of names, and of ops.

    Args:
        owed: not freed, kept elsewhere or returned.
        alive: not freed.
        freed, escaped, written: that may have happened.
        unsure: an op without a model took them.
        doomed: names whose buffer may be freed.
        sound: names whose buffer may not be freed.
        frees: ops that have freed something, by their numbers.
        busy: work in the background that may be under way, in the bits of `StartedWorks`; `calm`: that may not be.
        owners: further owners that buffers may have, as `Owners` says.
        keepers: names that may be the one by which a buffer is still owed; each such buffer has one, or is among the
            `lost`. So what is owed is among those that its keepers denote, which loops that hand buffers on tell.
    """

    owed: int = 0
    alive: int = 0
    freed: int = 0
    escaped: int = 0
    written: int = 0
    unsure: int = 0
    doomed: int = 0
    sound: int = 0
    frees: int = 0
    busy: int = 0
    calm: int = 0
    owners: int = 0
    keepers: int = 0
    lost: int = 0

    def join(self, other: Sets) -> Sets:
        """What may be where control comes from either."""
        return Sets(*(one | another for one, another in zip(self, other, strict=True)))

    def named(self, name: int, doomed: int, sound: int) -> Sets:
        """A name gets the buffer of one of some others: those that may be freed, and those that may not."""
        was, well = self.doomed & ~name, self.sound & ~name
        return self._replace(doomed=was | name if doomed else was, sound=well | name if sound else well)
