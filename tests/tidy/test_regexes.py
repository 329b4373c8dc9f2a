"""Regular expressions of modules are compiled when they are first used: a mistake in one must not wait until then."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from source import ROOT

from memlane.lazy import regex

ASSIGNED = re.compile(r"^(_?[A-Z][A-Z0-9_]*) = regex\(", re.MULTILINE)


def test_each_regular_expression_of_a_module_compiles() -> None:
    seen = 0
    for package in ("analysis/memlane", "server/memlane_server"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to((ROOT / package).parent).with_suffix("").parts)
            for name in ASSIGNED.findall(path.read_text("utf-8")):
                re.compile(getattr(import_module(module), name).pattern)
                seen += 1
    assert seen > 200


def test_it_is_compiled_when_it_is_used_and_then_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile

    def recorded(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", recorded)
    number = regex("[A-F]+", re.IGNORECASE)
    assert not compiled
    assert [number.fullmatch(text) is not None for text in ("abc", "xyz", "F")] == [True, False, True]
    assert number.pattern == "[A-F]+" and number.search("-a-") is not None
    assert compiled == ["[A-F]+"]


def test_a_mistake_is_an_error_when_it_is_used() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("")
