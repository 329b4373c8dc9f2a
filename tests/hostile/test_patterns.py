"""Patterns of ignored files: the answers of `pathspec`, in work that no pattern makes more than name times pattern."""

from __future__ import annotations

import re
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as some
from pathspec import GitIgnoreSpec

from memlane.cli.limits import MAX_PATTERN_TEXT
from memlane.cli.patterns import Patterns
from memlane.ide.completion import in_order

CHARACTERS = r"ab*?/\!#. []-^"
LINES = some.one_of(
    some.text("ab*/", max_size=8),
    some.text("ab*?/!", max_size=8),
    some.text(CHARACTERS, max_size=9),
    some.lists(some.sampled_from(["a", "b", "*", "**", "a*", "*b", "?", "[ab]", "a*b*", ""]), max_size=5).map("/".join),
)
PARTS = some.text("ab.-", min_size=1, max_size=4).filter(lambda part: part not in (".", ".."))
PATHS = some.lists(PARTS, min_size=1, max_size=5).map("/".join)


def by_pathspec(lines: list[str], path: str) -> bool | None:
    """What `pathspec` answers, without the lines that it refuses."""
    taken: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error):
            continue
        taken.append(line)
    return GitIgnoreSpec.from_lines(taken, backend="simple").check_file(path).include


@pytest.mark.slow
@settings_of(max_examples=300)
@given(some.lists(LINES, min_size=1, max_size=3), PATHS, some.booleans())
def test_answers_are_those_of_pathspec(lines: list[str], path: str, folder: bool) -> None:
    path += "/" * folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `[[`, in the other one
        expected = by_pathspec(lines, path)
    if re.search(r"\[[!^]", "\n".join(lines)) and "/" in path:
        return  # for `pathspec` `[!a]` may be a slash, which for git it never is
    assert Patterns(lines).verdict(path) == expected, (lines, path)


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        ("a[!b]c", "a/c", None),
        ("a[!b]c", "axc", True),
        ("a[+-9]c", "a/c", None),
        ("x\n", "x", True),
        ("*", "a\nb", True),
        ("a*b", "a\nb", True),
        ("[[:alpha:]]", "a]", True),
        ("a" * (MAX_PATTERN_TEXT + 1), "a" * (MAX_PATTERN_TEXT + 1), None),
        ("写*", "写字", True),
    ],
)
def test_corners(line: str, path: str, expected: bool | None) -> None:
    assert Patterns([line]).verdict(path) is expected


HARD = [
    "*a" * 6 + "b",
    "*a" * 500 + "b",
    "*?" * 500 + "b",
    "a*" * 500 + "b",
    "*[ab]" * 200 + "c",
    "**/" * 300 + "b",
    "**/a/" * 200 + "b",
    "**/*a*a*a/" * 90 + "b",
    "a/**/" * 200 + "b",
    "*" * 1000 + "b",
    "/".join(["*a*a*"] * 100) + "/b",
]


@pytest.mark.parametrize("line", HARD, ids=lambda line: f"{line[:12]}... {len(line)}")
@pytest.mark.parametrize("path", ["a" * 4000, "a/" * 2000, "aaaa/" * 800 + "a"], ids=["name", "deep", "both"])
def test_no_pattern_takes_long(line: str, path: str) -> None:
    patterns = Patterns([line, f"!{line}", f"/{line}/"])
    assert len(patterns) == 3
    began = time.process_time()
    assert patterns.verdict(path) is None
    assert time.process_time() - began < 2


def test_letters_in_their_order_are_found_in_linear_work() -> None:
    """As editors complete names, and ask for symbols."""
    assert in_order("", "x") and in_order("ac", "abc") and not in_order("ca", "abc") and not in_order("aa", "a")
    began = time.process_time()
    assert not in_order("a" * 1000 + "b", "a" * 100_000)
    assert time.process_time() - began < 2
