"""Findings about programs made at random agree with what executing these on every path shows."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest

from tests.effort import some
from tests.paths.agreement import OPT, Agreement
from tests.paths.machine import KINDS, Run, truth
from tests.paths.programs import program

needs_opt = pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")


def agreement(seeds: Sequence[int], form: str = "") -> Agreement:
    found = Agreement()
    for seed in seeds:
        found.add(seed, form)
    print(found.table())
    assert all(found.counts[kind, "found"] for kind in KINDS)
    return found


@pytest.mark.slow
def test_a_few() -> None:
    assert agreement(range(12)).differing == []


@pytest.mark.slow
def test_many() -> None:
    assert agreement(some(range(12, 140), 24)).differing == []


@pytest.mark.slow
def test_many_with_variables() -> None:
    assert agreement(some(range(12, 80), 12), "variables").differing == []


@pytest.mark.slow
def test_many_with_flags_in_variables() -> None:
    assert agreement(some(range(12, 80), 12), "flags").differing == []


@pytest.mark.slow
@needs_opt
def test_many_as_blocks_and_branches() -> None:
    assert agreement(range(30), "lowered").differing == []


def test_the_machine_knows_paths() -> None:
    """What a program of one `scf.if` shows, worked out by hand."""

    def run(on: Run) -> None:
        on.reach(1)
        memory = on.make(1, 1)
        if on.choose("%p", 2):
            on.reach(2)
            on.free(memory, 2)
        on.reach(3)
        on.use(memory, 3)

    shown = truth(run)
    assert shown.grades == {("leak", 1): False, ("use-after-free", 3): False}
    assert (shown.reached, shown.exhaustive) == ({1, 2, 3}, True)


@needs_opt
@pytest.mark.parametrize("seed", some(range(8), 2))
def test_the_programs_are_mlir(seed: int) -> None:
    assert OPT is not None
    subprocess.run([OPT, "-", "-o", "/dev/null"], input=program(seed)[0], text=True, check=True)
