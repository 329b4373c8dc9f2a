"""How often a text is checked again for its fixes: once for each fix that is tried, not once for each finding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memlane.checking import Checked, check
from memlane.config import Config
from memlane.findings import Applicability, Edit, Finding, Fix, Span
from memlane.fixes import all as every
from memlane.fixes import fix_all, fixer, with_fixes
from memlane.fixes.fixer import Fixer
from tests.hostile.shapes import functions


def uses_after_free(count: int) -> str:
    """A function that may use a buffer of its caller `count` times after freeing it."""
    uses = "  memref.store %x, %s[%i] : memref<4xf32>\n" * count
    return (
        "func.func private @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %i: index, %x: f32) {\n"
        "  %s = arith.select %c, %a, %b : memref<4xf32>\n"
        f"  memref.dealloc %a : memref<4xf32>\n{uses}  return\n}}\n"
    )


def test_findings_of_one_buffer_share_their_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []

    def counting(source: str, config: Config | None = None) -> Checked:
        checks.append(source)
        return check(source, config)

    monkeypatch.setattr(fixer, "check", counting)
    for count in (2, 8):
        checks.clear()
        found = with_fixes(check(uses_after_free(count)))
        assert len(found.findings) == count + 1
        assert all(finding.report.fix is not None for finding in found.findings)
        assert len(checks) == len(set(checks)) == 1


def test_fixes_that_hold_are_made_together_where_better_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[str] = []
    candidates = Fixer.candidates

    def useless_first(self: Fixer, finding: Finding) -> Iterator[Fix]:
        yield Fix("Say something", (Edit(Span(0, 0), "// something\n"),), Applicability.SAFE)
        yield from candidates(self, finding)

    def counting(source: str, config: Config | None = None) -> Checked:
        rounds.append(source)
        return check(source, config)

    monkeypatch.setattr(Fixer, "candidates", useless_first)
    monkeypatch.setattr(every, "check", counting)
    assert check(fix_all(functions(6))).findings == ()
    assert len(rounds) == 2
