"""Regular expressions of modules are compiled when they are first used: a mistake in one must not wait until then."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, cast

import pytest
from source import ROOT

from memlane.lazy import regex


def test_each_regular_expression_of_a_module_compiles() -> None:
    """Also those in tables."""
    kind, seen = type(regex("")), set[int]()
    for package in ("analysis/memlane", "server/memlane_server"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "regex(" not in path.read_text("utf-8"):
                continue
            module = import_module(".".join(path.relative_to((ROOT / package).parent).with_suffix("").parts))
            for value in [part for one in vars(module).values() for part in parts(one)]:
                if type(value) is kind:
                    re.compile(value.pattern)
                    seen.add(id(value))
    assert len(seen) > 240


def parts(value: Any) -> list[Any]:
    """A value, or what is in it."""
    if isinstance(value, dict):
        return list(cast("dict[Any, Any]", value).values())
    return list(cast("list[Any]", value)) if isinstance(value, list | tuple) else [value]


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
