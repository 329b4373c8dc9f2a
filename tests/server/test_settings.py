"""What is said of settings that a client sends and that make no sense: in the words of configuration files."""

from __future__ import annotations

import pytest

from memlane_server.settings import Settings, parse_settings


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("inlayHintSize", "no", 'memlane.inlayHintSize: expected true or false, found "no"'),
        ("debounce", True, "memlane.debounce: expected an integer, found true"),
        ("debounce", -1, "memlane.debounce: expected an integer from 0 to 2147483647, found -1"),
        ("memoryLimit", 10**400, f"memlane.memoryLimit: expected an integer from 0 to 2147483647, found {10**400}"),
        ("config", ["a"], 'memlane.config: expected a text, found ["a"]'),
        ("rules", [], "memlane.rules: expected an object, found []"),
        (
            "features",
            "memori",
            "memlane.features: unknown word `memori`; did you mean `memory`? (valid: all, memory)",
        ),
    ],
)
def test_a_setting_that_makes_no_sense(name: str, value: object, problem: str) -> None:
    assert parse_settings({name: value, "codeLens": False}) == (Settings(code_lens=False), [problem])
