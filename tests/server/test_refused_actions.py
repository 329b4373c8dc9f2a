"""Findings without a repair: clients that show disabled actions are told why there is none."""

from __future__ import annotations

from typing import Any

import pytest
from client import Client

URI = "file:///refused.mlir"
T = "memref<4xf32>"
SOURCE = f"""func.func private @cond() -> i1
func.func @pick(%x: {T}) -> {T} {{
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}
func.func @f(%x: {T}) {{
  %r = func.call @pick(%x) : ({T}) -> {T}
  return
}}
"""
SHOWS = {"textDocument": {"codeAction": {"disabledSupport": True}}}


def actions(**initialize: Any) -> list[dict[str, Any]]:
    """The quick fixes for the leak."""
    with Client(**initialize) as client:
        client.open(URI, SOURCE, version=1)
        leak = next(found for found in client.diagnostics(URI, 1) if "leak" in found["code"])
        params = {"textDocument": {"uri": URI}, "range": leak["range"], "context": {"diagnostics": [leak]}}
        found: list[dict[str, Any]] = client.request("textDocument/codeAction", params)
        return [action for action in found if "disabled" in action]


@pytest.mark.slow
def test_a_client_that_shows_them_is_told_why() -> None:
    (action,) = actions(capabilities=SHOWS)
    assert action["disabled"]["reason"].startswith("the caller owns the result of @pick on some paths only")
    assert "edit" not in action
    assert "leak" in action["diagnostics"][0]["code"]


@pytest.mark.slow
def test_others_get_no_disabled_actions() -> None:
    assert actions() == []
