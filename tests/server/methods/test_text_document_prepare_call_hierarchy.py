"""textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and /outgoingCalls: functions that call each other.

The detail of each says which arguments it frees and keeps, and what it returns."""

from __future__ import annotations

from lsp_client import Editor, Opened, many
from lsprotocol import types
from programs import CALLS


async def prepared(document: Opened, name: str) -> types.CallHierarchyItem:
    asked = types.CallHierarchyPrepareParams(document.id, document.at(name))
    [item] = many(await document.client.text_document_prepare_call_hierarchy_async(asked))
    return item


async def test_calls_and_who_owns_what_is_passed(client: Editor) -> None:
    document = client.open(CALLS)
    main = await prepared(document, "@main")
    outgoing = await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(main))
    assert [(one.to.name, one.to.detail, len(one.from_ranges)) for one in many(outgoing)] == [
        ("@make", "result owned", 1),
        ("@drop", "frees %m", 2),
    ]


async def test_callers_and_their_callers(client: Editor) -> None:
    document = client.open(CALLS)
    really = await prepared(document, "@really(")
    assert document.shown(really.selection_range) == "@really"
    [drop] = many(await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(really)))
    assert drop.from_.name == "@drop"
    assert [document.shown(place) for place in drop.from_ranges] == ["call"]
    again = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(drop.from_))
    assert [one.from_.name for one in many(again)] == ["@main"]
