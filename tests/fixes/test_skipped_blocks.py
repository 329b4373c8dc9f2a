"""Fixes of functions of many blocks are the same with and without the blocks in which nothing matters."""

from __future__ import annotations

from typing import Any

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.fixes import Fixer, fix_all, free_points
from memlane.flow.peak.exploded_paths import ExplodedPaths
from tests.effort import some
from tests.fixes.test_growing import late_behind_loops
from tests.flow.test_contracted_cfg import Stages
from tests.hostile.shapes import TYPE


def _nowhere(*_: object) -> None:
    """No places are found past other blocks."""


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 200, 50), 1))
def test_the_same_is_fixed_as_by_all_blocks(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [Stages(seed).text() for seed in range(first, first + 50)]
    monkeypatch.setattr(free_points, "MAX_REGION_BLOCKS", 0)
    fixed = [fix_all(text) for text in texts]
    monkeypatch.setattr(free_points, "past", _nowhere)
    for text, repaired in zip(texts, fixed, strict=True):
        assert repaired == fix_all(text), text
    assert fixed != texts


def test_loops_are_fixed_as_few_are() -> None:
    """Of 4 loops all blocks are followed, of 40 those that matter to each buffer."""
    few, many = (fix_all(late_behind_loops(count)).split(f"^e{count - 1}:")[1] for count in (4, 40))
    assert few.index("dealloc %a0") < few.index("store %x, %a1")
    assert many.startswith(few[: few.index("  return")])


def skipped(condition: str) -> str:
    """A buffer that is needed on one side of a branch, behind blocks that ask something."""
    lines = [f"func.func @f(%p: i1, %q: i1, %x: f32, %i: index) {{\n  %a = memref.alloc() : {TYPE}"]
    for n, asked in enumerate((condition, "%p")):
        used = f"  memref.store %x, %a[%i] : {TYPE}\n" if n else f"  %b = memref.alloc() : {TYPE}\n"
        gone = "" if n else f"  memref.dealloc %b : {TYPE}\n"
        lines.append(f"  cf.cond_br {asked}, ^t{n}, ^e{n}\n^t{n}:\n{used}{gone}  cf.br ^on{n}")
        lines.append(f"^e{n}:\n  cf.br ^on{n}\n^on{n}:")
    return "\n".join([*lines, "  return", "}", ""])


@pytest.mark.parametrize("condition", ["%p", "%q"])
def test_what_is_asked_before_is_known(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The buffer dies where it is first known that it will not be used: there it is freed."""
    monkeypatch.setattr(free_points, "MAX_REGION_BLOCKS", 0)
    fixed = fix_all(skipped(condition))
    assert check(fixed).findings == ()
    early = fixed.index("memref.dealloc %a") < fixed.index("^on0:")
    assert early is (condition == "%p")


def test_what_does_not_hold_is_looked_for_in_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan of the few blocks is the first that is tried, not the only one."""
    followed: list[bool] = []

    def counting(*given: Any, **named: Any) -> ExplodedPaths:
        followed.append(named.get("roads") is not None)
        return ExplodedPaths(*given, **named)

    monkeypatch.setattr("memlane.fixes.strategies.ExplodedPaths", counting)
    monkeypatch.setattr(free_points, "MAX_REGION_BLOCKS", 0)
    checked = check(late_behind_loops(4))
    fixes = Fixer(checked, Config()).candidates(checked.findings[-1])
    assert next(fixes).edits  # where the buffer dies, by the placement
    assert not followed
    assert next(fixes).edits
    assert followed and all(followed)
    assert next(fixes).edits
    assert not all(followed)
