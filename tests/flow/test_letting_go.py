"""What is let go of during a check is free at once: the collector, which looks at all that there is, is not needed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.incremental import Checker, functions
from memlane.syntax import Document
from memlane.syntax.tree import Op
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


def test_functions_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is kept, no more is left of many functions than of two."""
    monkeypatch.setattr(functions, "KEPT", 0)
    assert 0 < left(lambda: first_version(2)) <= 60
    assert left(lambda: first_version(12)) <= 60


def test_one_version() -> None:
    """Of a text that is checked once no op is left, nor of one in which names are those of several functions."""
    assert left(lambda: check(program(12), CONFIG)) == 0
    assert left(lambda: check(program(2) + program(2), CONFIG)) == 0
