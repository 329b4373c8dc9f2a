"""How often a text is checked again for its fixes: once for each fix that is tried, not once for each finding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memlane.checking import Checked, check, check_document
from memlane.config import Config
from memlane.findings import Applicability, Edit, Finding, Fix, Span
from memlane.fixes import all as every
from memlane.fixes import fix_all, strategies, text_versions, with_fixes
from memlane.fixes.fixer import Fixer
from memlane.fixes.text_versions import Versions
from memlane.flow.peak import exploded_paths
from memlane.flow.peak.exploded_paths import ExplodedPaths
from memlane.flow.peak.limits import MAX_HELD
from memlane.query import Checker
from memlane.syntax import Document
from memlane.text import Text
from tests.hostile.shapes import functions


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are checked for fixes from now on, one entry for each time."""
    checks: list[str] = []

    def counting(text: Text, document: Document, checker: Checker, config: Config) -> Checked:
        checks.append(text.source)
        return check_document(text, document, checker, config)

    monkeypatch.setattr(text_versions, "check_document", counting)
    return checks


def uses_after_free(count: int) -> str:
    """A function that may use a buffer of its caller `count` times after freeing it."""
    uses = "  memref.store %x, %s[%i] : memref<4xf32>\n" * count
    return (
        "func.func private @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %i: index, %x: f32) {\n"
        "  %s = arith.select %c, %a, %b : memref<4xf32>\n"
        f"  memref.dealloc %a : memref<4xf32>\n{uses}  return\n}}\n"
    )


def test_findings_of_one_buffer_share_their_checks(checks: list[str]) -> None:
    for count in (2, 8):
        checks.clear()
        found = with_fixes(check(uses_after_free(count)))
        assert len(found.findings) == count + 1
        assert all(finding.report.fix is not None for finding in found.findings)
        assert len(checks) == len(set(checks)) == 1


_MADE = "  %a{0} = memref.alloc() : memref<4xf32>\n  memref.store %x, %a{0}[%i] : memref<4xf32>\n"
_FREED = "    memref.dealloc %a{0} : memref<4xf32>\n"


def _function(body: str) -> str:
    return f"func.func @f(%c: i1, %i: index, %x: f32, %m: memref<4xf32>) {{\n{body}  return\n}}\n"


def given_back_by_one(count: int) -> str:
    """Buffers that are freed in one branch only, where all but the last are freed late."""
    made, freed = ("".join(line.format(number) for number in range(count)) for line in (_MADE, _FREED))
    return _function(f"{made}  scf.if %c {{\n{freed}  }}\n")


def given_back_at_once(count: int) -> str:
    """Buffers that are freed in one branch only, where the first fix that comes to mind frees all of them late."""
    one = f"{_MADE}  scf.if %c {{{{\n{_FREED}    memref.store %x, %m[%i] : memref<4xf32>\n  }}}}\n"
    return _function("".join(one.format(number) for number in range(count)))


@pytest.mark.parametrize("count", [32, 64])
def test_many_fixes_that_hold_for_none_are_tried_together(checks: list[str], count: int) -> None:
    found = with_fixes(check(given_back_at_once(count)))
    assert all(finding.report.fix is not None for finding in found.findings)
    assert len(checks) == 2


@pytest.mark.slow
@pytest.mark.parametrize("count", [32, 64])
def test_fixes_that_touch_others_are_tried_together(checks: list[str], count: int) -> None:
    found = with_fixes(check(given_back_by_one(count)))
    assert all(finding.report.fix is not None for finding in found.findings)
    assert len(checks) == 4  # deallocations that stand side by side are not taken out at once; the last is tried alone


def test_fixes_of_one_finding_are_tried_within_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that many findings share are still tried; and asked for one finding, all are."""
    monkeypatch.setattr(every, "MAX_DROPPED", 0)
    monkeypatch.setattr(every, "MAX_FIXES_TOGETHER", 1)
    monkeypatch.setattr(every, "MAX_CHECKED_CHARACTERS", 0)
    monkeypatch.setattr(every, "MAX_CHECKED_PER_CHARACTER", 0)
    text = given_back_at_once(3)
    checked = check(text)
    assert [finding.report.fix for finding in with_fixes(checked).findings] == [None] * 3
    assert fix_all(text) == text
    assert all(Fixer(checked, Config()).fix(finding) is not None for finding in checked.findings)


def test_fixes_that_hold_are_made_together_where_better_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[Fixer] = []

    class UselessFirst(Fixer):
        def __init__(self, checked: Checked, config: Config, versions: Versions | None = None) -> None:
            super().__init__(checked, config, versions)
            rounds.append(self)

        def candidates(self, finding: Finding) -> Iterator[Fix]:
            yield Fix("Say something", (Edit(Span(0, 0), "// something\n"),), Applicability.SAFE)
            yield from super().candidates(finding)

    monkeypatch.setattr(every, "Fixer", UselessFirst)
    assert check(fix_all(functions(6))).findings == ()
    assert len(rounds) == 2


def test_what_fixes_leave_is_not_checked_again(checks: list[str]) -> None:
    text = functions(6)
    repaired = fix_all(text)
    assert checks == [text, repaired]
    assert check(repaired).findings == ()


def test_paths_are_explored_once_in_each_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are too many."""
    explored: list[tuple[object, ...]] = []

    class Noting(ExplodedPaths):
        def __init__(self, *place: Any, **options: Any) -> None:
            explored.append((*place, frozenset(options.items())))
            super().__init__(*place, **options)

    monkeypatch.setattr(strategies, "ExplodedPaths", Noting)
    for most in (MAX_HELD, -1):
        monkeypatch.setattr(exploded_paths, "MAX_HELD", most)
        explored.clear()
        assert with_fixes(check(uses_after_free(1))).findings
        assert explored
        assert len(set(explored)) == len(explored)
