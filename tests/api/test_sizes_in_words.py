"""Sizes as people read them."""

from __future__ import annotations

from typing import cast

import pytest

from memlane.flow.symbolic.amounts import UNBOUNDED, number, product
from memlane.flow.symbolic.scalar import Expr
from memlane.format import exactly, in_bytes, in_words, words
from memlane.limits import MAX_EXPRESSION_LENGTH


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (1310720, "1.25 MiB"),
        (1048575, "1 MiB"),
        (-1536, "-1.5 KiB"),
        (118076398501157856000, "102.41 EiB"),
    ],
)
def test_two_decimals_at_most_in_the_largest_unit(count: int, said: str) -> None:
    assert words(count) == said


def test_sentences_say_bytes_up_to_a_kibibyte() -> None:
    assert [in_bytes(number(count)) for count in (1, 80, 4096, 6364)] == ["1 byte", "80 bytes", "4 KiB", "6.21 KiB"]
    assert exactly(number(6364)) == "6.21 KiB (6364 bytes)"
    assert in_words(UNBOUNDED) == "unbounded"


def test_long_expressions_are_cut_but_in_hovers() -> None:
    long = product(4, [("const", 2)])
    for index in range(40):
        long += product(4, [cast(Expr, ("dim", ("leaf", _Named(f"%argument{index}")), ("const", 0)))])
    assert len(in_words(long)) <= MAX_EXPRESSION_LENGTH + 2 and in_words(long).endswith("… B")
    assert "…" not in exactly(long)


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name
