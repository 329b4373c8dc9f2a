"""The documentation of fixes agrees with the tests."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from memlane.fixes.advice import OF_BUFFER, OF_OPERATION
from tests.fixes.test_execution import EXPERT

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "fixes.md"


def test_the_table_has_the_peaks_of_the_expert() -> None:
    rows = re.findall(r"^\| (t\d\d_\w+) \|.*\| (\d+) \(\d+\) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    table = {name: int(peak) for name, peak in rows}
    assert {name: table[name] for name in EXPERT} == EXPERT


def test_the_table_of_what_upstream_refuses_has_all_of_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[1] / "bench" / "refused").glob("*.mlir")):
        assert re.search(rf"^\| {path.stem} \|", text, re.MULTILINE), path
        fixed = fix_all(path.read_text(encoding="utf-8"))
        grave = (Severity.ERROR, Severity.WARNING)
        assert [f.report.message for f in check(fixed).findings if f.severity in grave] == []


def test_each_rule_whose_advice_is_taken_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for rule in {*OF_BUFFER, *OF_OPERATION} - {"mismatched-free"}:
        assert f"[`{rule}`](../rules/{rule}.md)" in text
