"""Of blocks that follow one another in the text is asked, and told, without looking at each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.checking import check
from memlane.flow.slicing.block_interval import Consecutive, extent
from memlane.flow.typestate import block_ranges
from memlane.flow.typestate.block_ranges import Bounds
from memlane.syntax import Document
from memlane.syntax.tree.tree import Block
from tests.hostile.growth import CONFIG
from tests.hostile.test_growth_of_checks import labels

COUNT = 12
NUMBERS = st.integers(0, COUNT - 1)
TEXT = "func.func @f() {\n" + "".join(f"  cf.br ^b{n}\n^b{n}:\n" for n in range(COUNT - 1)) + "  return\n}\n"


def _body() -> list[Block]:
    function = next(iter(Document(TEXT, CONFIG.models).tree.walk()))
    return function.regions[0].blocks


@given(st.lists(st.tuples(NUMBERS, NUMBERS)), NUMBERS, NUMBERS, st.booleans())
def test_long_stretches_are_told_as_short_ones_are(
    edges: list[tuple[int, int]], first: int, last: int, shared: bool
) -> None:
    short = Bounds(edges, COUNT)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(block_ranges, "_MAX_SCANNED", 0)
        long = Bounds(edges, COUNT)
        told = long.alone(first, last, shared), long.once(first, last)
    assert told == (short.alone(first, last, shared), short.once(first, last))


@given(NUMBERS, NUMBERS)
def test_blocks_that_follow_one_another_are_a_set_of_them(first: int, last: int) -> None:
    body, other = _body(), _body()
    first, last = sorted((first, last))
    some = Consecutive(body, first, last)
    assert some == frozenset(body[first : last + 1])
    assert extent(some) == extent(frozenset(some)) == (first, last)
    assert not any(block in some for block in other)


def test_a_long_way_between_two_blocks_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was for each buffer, and n buffers that live for n blocks were n squared."""
    made: list[int] = []
    walked: list[int] = []

    def make(self: Consecutive, blocks: list[Block], first: int, last: int) -> None:
        made.append(last - first + 1)
        plainly(self, blocks, first, last)

    def walk(self: Consecutive) -> Iterator[Block]:
        walked.append(len(self))
        return iter(())

    plainly = Consecutive.__init__
    monkeypatch.setattr(Consecutive, "__init__", make)
    monkeypatch.setattr(Consecutive, "__iter__", walk)
    assert {one.rule.name for one in check(labels(100), CONFIG).findings} == {"late-free"}  # all are freed at the end
    assert max(made, default=0) > 100
    assert sum(walked) == 0
