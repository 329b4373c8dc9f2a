"""codeAction/resolve: the edit of an action that takes long to work out, for the version that it was offered for."""

from __future__ import annotations

import pytest
from attrs import evolve
from lsp_client import Editor, Opened, foreign_data
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from tests.fixes.test_reduction import steps

FIX_ALL = "source.fixAll.memlane"
REDUCE = "refactor.rewrite.memlane.reducePeak"
LEAK = """\
func.func @loses() {
  %a = memref.alloc() : memref<4xf32>
  return
}
"""


async def fix_all(document: Opened) -> types.CodeAction:
    """The action that applies all safe fixes, which has no edit yet."""
    [action] = await document.actions(document.whole, only=[FIX_ALL])
    assert action.edit is None
    return action


async def test_an_action_holds_though_settings_change_before_its_edit_is_asked_for(client: Editor) -> None:
    document = client.open(LEAK)
    action = await fix_all(document)
    await client.configure(rules={"leak": "error"})
    await client.until("error", lambda: severity(document) is types.DiagnosticSeverity.Error)
    [edit] = document.edits((await client.code_action_resolve_async(action)).edit)
    assert "memref.dealloc %a" in edit.new_text


def severity(document: Opened) -> types.DiagnosticSeverity | None:
    """That of the finding that was published last."""
    *_, last = document.client.findings_of(document.uri) or [[]]
    return last[0].severity if last else None


async def test_an_action_does_not_hold_for_another_version(client: Editor) -> None:
    document = client.open(LEAK)
    action = await fix_all(document)
    document.changed(LEAK)
    assert (await client.code_action_resolve_async(action)).edit is None


async def test_after_an_edit_the_old_reduction_does_nothing(client: Editor) -> None:
    document = client.open(steps("main", 4))
    stale = types.CodeAction("", kind=REDUCE, data=[document.uri, document.version, "main"])
    document = document.inserted(0, "// more\n")
    assert (await client.code_action_resolve_async(stale)).edit is None
    fresh = evolve(stale, data=[document.uri, document.version, "main"])
    assert (await client.code_action_resolve_async(fresh)).edit is not None


@foreign_data
@pytest.mark.parametrize("kind", [None, REDUCE])
async def test_data_that_the_server_did_not_give_are_refused(client: Editor, kind: str | None, data: object) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        await client.code_action_resolve_async(types.CodeAction("a", kind=kind, data=data))
