"""What is said of settings that a client sends and that make no sense: in the words of configuration files.

And what is asked while they change, at a moment that no client can choose."""

from __future__ import annotations

import asyncio

import pytest
from pygls.exceptions import JsonRpcContentModified

from memlane.ide.snapshot import File
from memlane_server.background import Outdated
from memlane_server.server import MemlaneServer
from memlane_server.settings import Settings, parse_settings

LEAK = """\
func.func @loses() {
  %a = memref.alloc() : memref<4xf32>
  return
}
"""


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


@pytest.mark.parametrize("edited", [False, True])
def test_what_is_asked_while_settings_change_is_answered_under_the_new_ones(edited: bool) -> None:
    server, uri = MemlaneServer(), "untitled:a"
    server.session.open(uri, 1, LEAK)
    asked: list[File] = []

    async def answer(file: File) -> str:
        asked.append(file)
        if len(asked) == 1:
            server.session.project.override(('severity = { leak = "error" }',))
            assert len(server.session.reconfigure()) == 1
            if edited:
                server.session.change(uri, 2, [])
            raise Outdated(uri)
        return next(one.severity for one in file.checked.findings).value

    try:
        if edited:
            with pytest.raises(JsonRpcContentModified):
                asyncio.run(server.unless_edited(uri, answer))
            assert len(asked) == 1
        else:
            assert asyncio.run(server.unless_edited(uri, answer)) == "error"
    finally:
        server.shutdown()
