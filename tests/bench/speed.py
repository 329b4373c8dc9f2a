"""How long common work takes on this machine, by pytest-benchmark; what nobody asserts, as machines differ.

    pytest tests/bench/speed.py --dist no --benchmark-enable
    ... --benchmark-autosave        # keep it, before a change
    ... --benchmark-compare         # beside what was kept, after it

What it costs in lines run, the same on all machines, is held by test_costs.py; beside mlir-lsp-server, and over stdio,
it is measured by compare.py.
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from memlane.checking import check
from tests.bench.costs import Work, works
from tests.bench.inputs import SHARED, program

WORKS = works()


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_work(work: Work, benchmark: BenchmarkFixture) -> None:
    """The same work as is counted."""
    assert benchmark(work) is not None


@pytest.mark.skipif(not SHARED.exists(), reason=f"the generators of programs are not here: {SHARED}")
@pytest.mark.parametrize("kind", ["functions", "one", "compiler"])
@pytest.mark.parametrize("lines", [1_000, 10_000])
def test_check(kind: str, lines: int, benchmark: BenchmarkFixture) -> None:
    """A check from nothing of the programs that compare.py opens."""
    source = program(kind, lines)
    assert benchmark(lambda: check(source)) is not None
