"""Nothing is repaired where a buffer goes in or out of a region that no description explains, and it is said why."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config, load_config
from memlane.dialects import load_models
from memlane.dialects.layers import extended
from memlane.findings import Certainty, Severity
from memlane.fixes import fix_all
from memlane.fixes.all import with_fixes
from memlane.fixes.fixer import Fixer
from memlane.fixes.refusal import refusal

PROGRAMS = Path(__file__).resolve().parent.parent / "rules" / "undescribed_regions.mlir"


def _source() -> str:
    """The programs without the last one, which is wrong whatever the operation around does."""
    return PROGRAMS.read_text(encoding="utf-8").partition("// What stays inside")[0]


@pytest.mark.slow
def test_nothing_is_repaired() -> None:
    source = _source()
    assert fix_all(source, unsafe=True) == source
    for finding in with_fixes(check(source)).findings:
        fix = finding.report.fix
        assert fix is None or not fix.edits, finding.report.message


def test_nothing_is_certain_or_worse_than_a_hint() -> None:
    doubted = [finding for finding in check(_source()).findings if finding.rule.name != "unknown-effects"]
    assert len(doubted) > 30
    for finding in doubted:
        assert finding.severity is Severity.HINT, finding.report.message
        assert finding.report.doubt.startswith("my.") and finding.report.doubt in finding.report.message
        assert finding.report.certainty is Certainty.SOME or finding.rule.name in ("late-free", "stack-growth")


def test_the_refusal_names_the_operation() -> None:
    checked = check(_source())
    fixer = Fixer(checked, Config())
    leak = next(finding for finding in checked.findings if finding.rule.name == "possible-leak")
    assert refusal(fixer, leak) == f"the control flow of {leak.report.doubt} is not declared"


def test_a_severity_that_is_configured_is_no_more_than_that() -> None:
    config, problems = load_config(None, ['severity.possible-leak = "error"'])
    assert not problems
    assert all(f.severity is Severity.HINT for f in check(_source(), config).findings)


DESCRIBED = """
[op."my.region"]
regions = ["entry -> 0", "0 -> results"]
"""
ONCE = """func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  my.region {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("models", "found"),
    [
        (DESCRIBED, set[tuple[str, str]]()),
        ('[op."my.region"]\nguessed = true\nregions = ["entry -> 0"]\n', {("possible-leak", "hint")}),
        ('[op."my.region"]\nread = ["buffers"]\n', {("possible-leak", "hint")}),
    ],
)
def test_a_description_settles_it(models: str, found: set[tuple[str, str]]) -> None:
    """Only one that says when the regions run."""
    said, problems = load_models(models, "my.toml")
    assert not problems
    config = Config(models=extended(Config().models, said))
    findings = {(f.rule.name, f.severity.value) for f in check(ONCE, config).findings}
    assert findings - {("possible-double-free", "hint")} == found
