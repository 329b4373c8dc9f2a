"""Ranges of blocks in text order are queried and reported without a visit of each block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.flow.cfg import block_ranges
from memlane.flow.cfg.block_ranges import Bounds

COUNT = 12
NUMBERS = st.integers(0, COUNT - 1)


@given(st.lists(st.tuples(NUMBERS, NUMBERS)), NUMBERS, NUMBERS, st.booleans())
def test_long_stretches_are_told_as_short_ones_are(
    edges: list[tuple[int, int]], first: int, last: int, shared: bool
) -> None:
    short = Bounds(edges, COUNT)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(block_ranges, "MAX_SCANNED", 0)
        long = Bounds(edges, COUNT)
        told = long.alone(first, last, shared), long.once(first, last)
    assert told == (short.alone(first, last, shared), short.once(first, last))
