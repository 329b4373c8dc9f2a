"""The page about fixes says what the tests hold."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fixes.test_execution import EXPERT

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "fixes.md"


def test_the_table_has_the_peaks_of_the_expert() -> None:
    rows = re.findall(r"^\| (t\d\d_\w+) \|.*\| (\d+) \(\d+\) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    table = {name: int(peak) for name, peak in rows}
    assert {name: table[name] for name in EXPERT} == EXPERT
