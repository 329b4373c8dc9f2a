"""Rows of one bracket behind an operation: reading them takes a few hundred bytes for each."""

from __future__ import annotations

import tracemalloc

import pytest

from memlane.config import Config
from memlane.syntax import Document

MOST = 350
"""Bytes for each character."""


def _peak(mark: str, count: int) -> int:
    source, models = f'func.func @f() {{\n  "x.y"() : () -> (){mark * count}\n', Config().models
    tracemalloc.start()
    try:
        _ = Document(source, models).tree
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["}", "{", "(", "[", ")", "]"])
def test_memory_of_reading(mark: str) -> None:
    _peak(mark, 10)
    few, many = 30_000, 60_000  # of both as many problems are told
    assert (_peak(mark, many) - _peak(mark, few)) / (many - few) < MOST
