"""What is let go of during a check is free at once: the collector, which looks at all that there is, is not needed."""

from __future__ import annotations

import gc

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.incremental import functions
from memlane.syntax.tree import Op
from tests.bench.costs import functions as program

CONFIG = Config()


def ops_left(count: int) -> int:
    """How many ops there are after a check of so many functions, beside those that there were before."""
    source = program(count)
    before = _ops()
    check(source, CONFIG)
    return _ops() - before


def _ops() -> int:
    return sum(type(one) is Op for one in gc.get_objects())


def test_ops_are_free_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is kept, no more is left of many functions than of two, though nothing collects garbage."""
    monkeypatch.setattr(functions, "KEPT", 0)
    check(program(2), CONFIG)  # what is made once
    gc.collect()
    gc.disable()
    try:
        assert 0 < ops_left(2) <= 60
        assert ops_left(12) <= 60
    finally:
        gc.enable()
