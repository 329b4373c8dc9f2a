"""Differences between two versions of a text: right, as `difflib` tells them of small texts, local in large ones."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane import line_diff
from memlane.limits import MAX_LINES_WHOLE
from memlane.line_diff import CommonLines, unified

LINE = st.sampled_from(["a\n", "b\n", "c\n", "one\n", "two\n", "}\n", "\n"])
VERSION = st.lists(LINE, max_size=120)


@given(VERSION, VERSION, st.sampled_from([0, MAX_LINES_WHOLE]))
def test_what_is_told_makes_the_new_version(old: list[str], new: list[str], small: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_diff, "MAX_LINES_WHOLE", small)
        made: list[str] = []
        at = 0
        for kind, start, stop, begin, end in CommonLines(old, new).get_opcodes():
            assert start == at
            assert (kind == "equal") == (old[start:stop] == new[begin:end])
            made += old[start:stop] if kind == "equal" else new[begin:end]
            at = stop
        assert made == new
        assert at == len(old)


@given(VERSION, VERSION)
def test_small_texts_differ_as_everywhere(old: list[str], new: list[str]) -> None:
    assert list(unified(old, new, "a/f", "b/f")) == list(unified_diff(old, new, "a/f", "b/f"))


@pytest.mark.parametrize("line", ["  %a{0} = memref.alloc()\n", "  memref.store %x, %a\n"])
def test_one_more_line_is_one_more_line_in_large_texts(line: str) -> None:
    old = [line.format(number) for number in range(5000)]
    new = [*old[:2000], "  new\n", *old[2000:4000], *old[4100:]]
    changed = [one for one in CommonLines(old, new).get_opcodes() if one[0] != "equal"]
    assert sum(end - begin for *_, begin, end in changed) == 1
    assert sum(stop - start for _, start, stop, *_ in changed) == 100


def test_far_apart_where_lines_recur() -> None:
    """Every tenth line of a text in which no line is there once is another: as many changes, each of one line."""
    old = ["x\n", "y\n"] * 3000
    new = ["z\n" if number % 10 == 0 else line for number, line in enumerate(old)]
    changed = [one for one in CommonLines(old, new).get_opcodes() if one[0] != "equal"]
    assert len(changed) == 600
    assert {(stop - start, end - begin) for _, start, stop, begin, end in changed} == {(1, 1)}


@pytest.mark.parametrize("depth", [5, 1000])
def test_lines_that_are_there_once_only_between_others_are_looked_for_a_few_times(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is there once more in front of the one before it: one of them tells at a time, of all that is left."""
    looked = 0
    anchors_of = line_diff._anchors  # pyright: ignore[reportPrivateUsage] -- what costs

    def counted(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
        nonlocal looked
        looked += len(old) + len(new)
        return anchors_of(old, new)

    monkeypatch.setattr(line_diff, "MAX_LINES_WHOLE", 0)
    monkeypatch.setattr(line_diff, "_anchors", counted)
    old, new = (
        [line for n in range(depth, 0, -1) for line in (f"%{n - 1}\n", f"{sign}\n", f"%{n}\n")] for sign in "+-"
    )
    changed = [one for one in CommonLines(old, new).get_opcodes() if one[0] != "equal"]
    assert [(stop - start, end - begin) for _, start, stop, begin, end in changed] == [(1, 1)] * depth
    assert looked <= 8 * len([*old, *new])
