"""Peaks of programs made at random equal the largest over all their executions, and never lie below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak import build_product, footprint
from memlane.flow.peak.peak import peak_of
from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import usage
from memlane.syntax import parse
from tests.effort import some
from tests.peak.generated import Generated, generate, grows, measured, text
from tests.upstream.pipeline import MLIR_OPT, run


def static(program: Generated) -> tuple[Amount, bool]:
    """The peak of `@main`, and whether it is exact."""
    found = {one.flow.name: one.peak for one in usage(text(program), Config(), Assumptions())}
    (peak,) = found["main"].peak
    return peak, found["main"].exact


def verdict(program: Generated) -> str:
    """What the static peak is worth: `right`, a `bound` where too many decisions hang together, or `wrong`.

    It is right to be without bound exactly where more is lost by more iterations.
    """
    return judged(program, *static(program))


def judged(program: Generated, peak: Amount, exact: bool) -> str:
    """The same of a peak that is at hand."""
    most = measured(program)
    if grows(program) if peak.unbounded else peak.bytes == most:
        return "right"
    above = peak.unbounded or (peak.bytes or 0) > most
    return "bound" if above and not exact else "wrong"


def verdicts(seeds: Sequence[int]) -> Counter[str]:
    """How many programs there are of each verdict; says which are not right."""
    found = {seed: verdict(generate(seed)) for seed in seeds}
    print({seed: word for seed, word in found.items() if word != "right"})
    return Counter(found.values())


@pytest.mark.slow
def test_peaks_are_the_largest_of_all_executions() -> None:
    assert verdicts(seeds := some(range(60), 30)) == {"right": len(seeds)}


@pytest.mark.slow
def test_many_more() -> None:
    seeds = some(range(1000, 1600), 40)
    found = verdicts(seeds)
    assert found["wrong"] == 0
    assert found["right"] >= 0.98 * len(seeds)


@pytest.mark.slow
@pytest.mark.parametrize("large", [False, True])
def test_bounds_never_lie_below_an_execution(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_product, "MAX_USES_ALL_EXPLORED", -1)
    if large:
        monkeypatch.setattr(build_product, "MAX_USES_EXPLORED", -1)
    for seed in some(range(40), 20):
        peak, _ = static(generate(seed))
        assert peak.unbounded or (peak.bytes or 0) >= measured(generate(seed)), f"seed {seed}"


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
@pytest.mark.parametrize("budget", [footprint.MAX_PRODUCT_NODES, 40, 10])
def test_lowered_to_branches_they_are_exact_or_bounds(budget: int) -> None:
    """Also where there are more paths than are followed: what only control that never comes there takes is no peak.
    The lowering is that of mlir-opt, so without it there is nothing to ask."""
    models, found = Config().models, Counter[str]()
    for seed in range(2000, 2030):
        program = generate(seed)
        source = run(text(program), "--convert-scf-to-cf")
        assert source is not None
        (chunk,) = parse(source, models).chunks
        functions = Program(chunk.ops, models, source)
        (main,) = (flow for flow in functions.functions.values() if flow.name == "main")
        peak = peak_of(footprint.Ledger(functions, budget=budget), main)
        found[judged(program, peak.peak[0], peak.exact)] += 1
    assert found["wrong"] == 0
    assert found["right"] >= 15
