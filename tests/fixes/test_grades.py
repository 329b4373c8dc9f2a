"""What a rule says of its fixes: none of its findings has a better one than it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.findings import Applicability
from memlane.fixes import with_fixes
from memlane.rules import all_rules

PROGRAMS = Path(__file__).parent.parent / "rules"
BEST = [Applicability.SAFE, Applicability.UNSAFE, None]
CALL = "func.func @known() {{\n  return\n}}\nfunc.func @f() {{\n  call @{name}() : () -> ()\n  return\n}}\n"


@pytest.mark.parametrize("name", list(all_rules()))
def test_no_fix_is_better_than_its_rule_says(name: str) -> None:
    config, _ = load_config(None, (f'select = ["{name}"]',))
    file = PROGRAMS / f"{name.replace('-', '_')}.mlir"
    source = file.read_text(encoding="utf-8") if file.exists() else CALL.format(name="knwon")
    for finding in with_fixes(check(source, config), config).findings:
        fix = finding.report.fix
        grade = fix.applicability if fix is not None else None
        assert BEST.index(grade) >= BEST.index(finding.rule.fixes), finding


def test_a_name_that_is_nearly_known_is_proposed() -> None:
    found = with_fixes(check(CALL.format(name="knwon"))).findings
    assert [(one.rule.name, one.report.fix is not None) for one in found] == [("undefined-symbol", True)]


@pytest.mark.parametrize(("own", "grows"), [(True, False), (False, False), (False, True)])
def test_memory_that_replaces_the_callers_is_not_freed_without_a_look(own: bool, grows: bool) -> None:
    """A reallocation gives the same memory where that is large enough; the caller goes on to use it."""
    m, new = "memref<4xf32>", "memref<8xf32>" if grows else "memref<4xf32>"
    made = f"  %a = memref.alloc() : {m}\n  memref.copy %x, %a : {m} to {m}\n" if own else ""
    body = f"{made}  %b = memref.realloc {'%a' if own else '%x'} : {m} to {new}\n  return\n"
    findings = with_fixes(check(f"func.func @f(%x: {m}) {{\n{body}}}\n")).findings
    fix = next(one.report.fix for one in findings if one.rule.name == "leak")
    assert fix is not None
    assert fix.applicability is (Applicability.SAFE if own or grows else Applicability.UNSAFE)
    assert ("the caller" in fix.reason) is not (own or grows)
