"""callHierarchy/incomingCalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide import calls
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.hierarchy import call_item, place_of

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.CALL_HIERARCHY_INCOMING_CALLS


async def handle(
    ls: MemlaneServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    """Who calls a function, in its document."""

    def work(file: File, convert: Converter) -> list[types.CallHierarchyIncomingCall]:
        return [
            types.CallHierarchyIncomingCall(
                call_item(file, convert, one.function), [convert.range(place) for place in one.places]
            )
            for one in calls.incoming(file, place_of(params.item, convert))
        ]

    return await ls.ask(params.item.uri, work)
