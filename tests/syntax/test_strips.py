"""The strips of a large function: those whose leaves are read from the same text stay the same objects."""

from __future__ import annotations

import random

import pytest
from tests.syntax.test_amend import SOURCE, TYPED

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.editing.limits import MAX_PORTION_LEAVES


def test_an_edit_renews_the_strip_it_is_in() -> None:
    document = Document(SOURCE)
    portions = document.portions
    assert len(portions.every) > MAX_PORTION_LEAVES
    at = SOURCE.index("%w40 = ")
    for typed in ("x", "new = arith.constant 1 : i32\n      %"):
        after = document.edit([Edit(Span(at + 1, at + 1), typed)]).portions
        same = [one is other for one, other in zip(portions.every, after.every, strict=True)]
        assert same.count(False) == 1
        assert after.starts[-1] - portions.starts[-1] == len(typed)


def test_small_functions_are_one_portion() -> None:
    document = Document("func.func @f() {\n  return\n}\n")
    assert document.portions.every is document.pieces


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_portions_are_the_text(seed: int) -> None:
    choose, document = random.Random(seed), Document(SOURCE)
    for _ in range(60):
        at = choose.randrange(document.size)
        gone = choose.choice([0, 0, 1, 40, 400])
        document = document.edit([Edit(Span(at, min(document.size, at + gone)), choose.choice(TYPED))])
        every, starts = document.portions
        assert "".join(one.text for one in every) == document.source
        assert starts == [sum(one.size for one in every[:number]) for number in range(len(every))]
        assert all(one.whole_lines == one.text.endswith(("\n", "\r")) for one in every)
