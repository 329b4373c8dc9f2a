"""What a check drops is freed at once, by reference counts: the collector is not needed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker, functions, tree_cache
from memlane.query.limits import MAX_CALLEE_TEXT
from memlane.syntax import Document
from memlane.syntax.tree.tree import Op
from tests.bench.costs import functions as program

CONFIG = Config()


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    """Nothing collects garbage."""
    check(program(2), CONFIG)  # what is made once
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def left(work: Callable[[], object]) -> int:
    """How many ops more there are after some work."""
    before = _ops()
    work()
    return _ops() - before


def _ops() -> int:
    return sum(type(one) is Op for one in gc.get_objects())


def first_version(count: int) -> None:
    """Check the first version of a document of so many functions."""
    Checker().results(Document(program(count), CONFIG.models), CONFIG)


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, MAX_CALLEE_TEXT])
def test_first_version(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No op is left, whether functions are let go of on the way or at the end: who opens a text need not edit it."""
    monkeypatch.setattr(functions, "MAX_CALLEE_TEXT", most)
    assert left(lambda: first_version(12)) == 0


@pytest.mark.slow
def test_versions_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of versions whose structure differs there are as many ops as are kept."""
    source = program(1)
    document, checker = Document(source, CONFIG.models), Checker()
    checker.results(document, CONFIG)
    at = source.index("scf.for")
    counts: list[int] = []
    before = _ops()
    for number in range(8):
        document = document.edit([Edit(Span(at, at), f"cf.br ^more{number}\n^more{number}:\n")])
        checker.results(document, CONFIG)
        counts.append(_ops() - before)
    assert 0 < counts[0] < counts[1], "one version, then two"
    assert counts[2:] == [2 * count + 1 for count in range(counts[0] + 1, counts[0] + 7)]  # each has one op more
    monkeypatch.setattr(tree_cache, "MAX_ASIDE_TEXT", 0)
    document = document.edit([Edit(Span(at, at), "cf.br ^last\n^last:\n")])
    checker.results(document, CONFIG)
    assert _ops() - before == counts[0] + 8


@pytest.mark.slow
def test_one_version() -> None:
    """Of a text that is checked once no op is left, nor of one in which names are those of several functions."""
    assert left(lambda: check(program(12), CONFIG)) == 0
    assert left(lambda: check(program(2) + program(2), CONFIG)) == 0
