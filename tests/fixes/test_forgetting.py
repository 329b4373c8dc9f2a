"""Where paths forget names, fixes are what they are where they do not; and many choices in a row have fixes at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.fixes import fix_all, with_fixes
from memlane.flow.peak import exploded_paths
from tests.fixes.test_programs import PROGRAMS, read
from tests.hostile.shapes import TYPE, chosen, held, swapped


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_have_the_same_fixes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploded_paths, "MIN_STEPS_BEFORE_LIVENESS", -1_000_000)  # any number of paths is many
    assert fix_all(read(path)) == read(path.with_suffix(".fixed.mlir"))


@pytest.mark.slow
@pytest.mark.parametrize("make", [held, swapped])
def test_what_is_freed_late_in_many_loops_is_freed_where_few_are(
    make: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = make(4)
    fixed = fix_all(text)
    assert fixed != text
    monkeypatch.setattr(exploded_paths, "MIN_STEPS_BEFORE_LIVENESS", -1_000_000)
    assert fix_all(text) == fixed


@pytest.mark.slow
def test_a_long_chain_of_choices_is_repaired() -> None:
    found = with_fixes(check(chosen(24))).findings
    assert [finding.rule.name for finding in found] == ["leak"] * 24
    assert all(finding.report.fix is not None for finding in found)


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 24])
def test_where_choices_are_not_told_apart_fixes_are_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = fix_all(chosen(size))
    assert check(fixed).findings == ()
    monkeypatch.setattr(exploded_paths, "MIN_STEPS_BEFORE_LIVENESS", -1_000_000)
    monkeypatch.setattr(exploded_paths, "MAX_HELD", 0)
    assert fix_all(chosen(size)) == fixed


def test_choices_that_are_handed_out_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of the buffers is the caller's depends on what was chosen."""
    text = chosen(4).replace("%c3: i1) {", f"%c3: i1) -> {TYPE} {{").replace("  return\n", f"  return %s3 : {TYPE}\n")
    monkeypatch.setattr(exploded_paths, "MIN_STEPS_BEFORE_LIVENESS", -1_000_000)
    fixed = fix_all(text)
    assert fixed != text
    assert check(fixed).findings == ()
    monkeypatch.setattr(exploded_paths, "MAX_HELD", 0)
    assert fix_all(text) == text


def test_a_buffer_is_freed_once_work_on_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is used until that is waited for: there it is freed, under a name that nothing mentions any more."""
    monkeypatch.setattr(exploded_paths, "MIN_STEPS_BEFORE_LIVENESS", -1_000_000)
    text = (
        "func.func @f(%x: f32, %s: !gpu.async.token) {\n"
        f"  %a, %t = gpu.alloc async [%s] () : {TYPE}\n"
        f"  %u = gpu.memset async [%t] %a, %x : {TYPE}, f32\n"
        "  %v = gpu.wait async [%u]\n  gpu.wait [%v]\n  return\n}\n"
    )
    fixed = fix_all(text)
    assert fixed.index("gpu.dealloc") > fixed.index("gpu.memset")
    assert check(fixed).findings == ()
