"""The text store against the plain way of doing it: split the whole text, replace, join."""

from __future__ import annotations

import random
import re

import pytest

from memlane_server import buffer
from memlane_server.buffer import Buffer

PIECES = ["a", "%0 = x", "\n", "\r\n", "\r", "", "\u2028", "\x0c", "é", "😋", "one\ntwo\nthree", "\n\n\n"]


def model_offset(source: str, line: int, column: int) -> int:
    """Offset of a place in `source`, clamped as LSP says."""
    lines = re.split("(\r\n|\n|\r)", source)
    starts, at = [0], 0
    for text, end in zip(lines[::2], [*lines[1::2], ""], strict=True):
        at += len(text) + len(end)
        starts.append(at)
    texts = lines[::2]
    if line >= len(texts):
        return len(source)
    return starts[line] + min(column, len(texts[line]))


@pytest.mark.parametrize("seed", range(20))
def test_any_edits_give_the_text_a_plain_replacement_gives(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer, "LINES_PER_LEAF", 3)
    random_ = random.Random(seed)
    source = "".join(random_.choices(PIECES, k=40))
    edited = Buffer(source)
    for _ in range(150):
        start = (random_.randrange(14), random_.randrange(8))
        end = (start[0] + random_.choice([0, 0, 1, 9]), random_.randrange(8))
        start, end = sorted([start, end])
        text = "".join(random_.choices(PIECES, k=random_.randrange(3)))
        a, b = model_offset(source, *start), model_offset(source, *end)
        assert (edited.offset(*start), edited.offset(*end)) == (a, b)
        source = source[:a] + text + source[b:]
        edited.replace(start, end, text)
        assert edited.source == source
        lines = re.split("\r\n|\n|\r", source)
        assert edited.line_count == len(lines)
        at = random_.randrange(len(lines))
        assert edited.line(at) == lines[at]
    assert all(leaf for leaf in edited.leaves())


def test_leaves_stay_short_when_lines_are_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer, "LINES_PER_LEAF", 8)
    edited = Buffer("x\n" * 100)
    for _ in range(500):
        edited.replace((50, 1), (50, 1), "\n")
    counts = [leaf.count("\n") for leaf in edited.leaves()]
    assert sum(counts) == 600
    assert max(counts) < 16
    assert len(counts) < 600 // 4


@pytest.mark.parametrize("source", ["", "a", "x\n" * 2000, "\r\n\n"])
def test_a_text_that_nobody_edits_is_there_once(source: str) -> None:
    opened = Buffer(source)
    assert (opened.size, opened.source) == (len(source), source)
    assert all(leaf is source for leaf in opened.leaves())
    assert opened.line_count == source.count("\n") + 1
    assert "".join(opened.leaves()) == opened.source == source
    assert opened.size == len(source)
