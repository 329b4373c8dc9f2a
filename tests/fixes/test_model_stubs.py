"""Stubs of models for unknown operations: TOML, about that operation, whatever its name."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.fixes import with_fixes
from memlane.fixes.stub import with_stub

NAMES = [
    "npu.run",
    "x.y\ttab",
    "x.y\x07\x1d\x7f",
    r"x.y\22]\0Aselect = [\22ALL",
    "x.y # '''",
    "x.\N{GRINNING FACE}",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_describes_its_operation(name: str) -> None:
    odd = f'"{name}"(%a) : (memref<4xf32, "\x07{name[:3]}">) -> ()\n'
    checked = with_fixes(
        check(f'func.func @f(%a: memref<4xf32, "\x07{name[:3]}">) {{\n  {odd}  return\n}}\n'), Config()
    )
    [finding] = checked.findings
    assert finding.rule.name == "unknown-effects" and finding.report.fix is not None
    models = with_stub(Config(), finding.report.fix).models
    assert models.of(name) is not None
