"""The measured programs: after `fix_all` nothing is left to find, and a second run changes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.effort import some

SHARED = Path(__file__).parents[3] / "shared" / "cases"
CASES = sorted(path for path in SHARED.glob("*/*.mlir") if path.with_suffix(".json").exists())

pytestmark = pytest.mark.skipif(not CASES, reason=f"the measured programs are not at {SHARED}")


def left(source: str) -> list[str]:
    """The errors and warnings, in words."""
    grave = (Severity.ERROR, Severity.WARNING)
    return [f"{f.rule.name}: {f.report.message}" for f in check(source).findings if f.severity in grave]


def repaired(paths: Sequence[Path]) -> dict[str, list[str]]:
    """What is left in each program that is not wholly repaired, or changes once more."""
    found: dict[str, list[str]] = {}
    for path in paths:
        fixed = fix_all(path.read_text())
        rest = left(fixed) + (["changes again"] if fix_all(fixed) != fixed else [])
        if rest:
            found[f"{path.parent.name}/{path.stem}"] = rest
    return found


@pytest.mark.slow
def test_nothing_is_left_to_find() -> None:
    assert repaired(some(CASES, 120)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES[:40:4], ids=lambda path: path.stem)
def test_deallocations_that_are_taken_away_come_back(path: Path) -> None:
    bare = re.sub(r"^[ \t]*memref\.dealloc .*\n", "", path.read_text(), flags=re.MULTILINE)
    assert left(bare)
    assert left(fix_all(bare)) == []
