"""The line table of a text, made in blocks, says what a look at all of its lines says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane import text as module
from memlane.text import Text

LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]*\Z")
TEXTS = st.text("ab\n\r\u2028😋", max_size=40) | st.text("abc\n", max_size=60)


@pytest.fixture(params=[1, 3, 8, module.BLOCK], autouse=True, scope="module")
def block(request: pytest.FixtureRequest) -> object:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "BLOCK", request.param)
        yield request.param


@given(TEXTS)
def test_places_are_those_of_the_lines(source: str) -> None:
    text = Text(source)
    lines = LINE.findall(source)
    if len(lines) > 1 and not lines[-1] and not lines[-2].endswith(("\r", "\n")):
        lines.pop()  # the expression finds the end once more
    assert text.line_count == len(lines)
    at = 0
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        assert text.line(number) == bare
        assert text.line_end(number) == at + len(bare)
        for column in range(len(line) + 1):
            inside = column < len(line) or number == len(lines) - 1
            assert text.position(at + column) == ((number, column) if inside else (number + 1, 0))
            assert text.offset(number, column) == at + min(column, len(bare))
        at += len(line)
    assert text.position(len(source) + 5) == text.position(len(source))
    assert text.position(-3) == (0, 0)
    assert (text.offset(-1, 7), text.offset(len(lines), 7)) == (0, len(source))
