"""The findings of the test programs are those that are committed."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.golden.recorded import COMMAND, RECORD, current, without_fix


def test_findings_are_those_recorded() -> None:
    assert (found := _changes([without_fix(line) for line in _recorded()], current(fixes=False))) == "", found


@pytest.mark.slow
def test_fixes_are_those_recorded() -> None:
    assert (found := _changes(_recorded(), current(fixes=True))) == "", found


def _recorded() -> list[str]:
    return RECORD.read_text(encoding="utf-8").splitlines()


def _changes(recorded: list[str], found: list[str]) -> str:
    lines = list(unified_diff(recorded, found, "recorded", "found", lineterm="", n=0))
    return "\n".join([f"findings changed; if that is wanted, run `{COMMAND}`", *lines]) if lines else ""
