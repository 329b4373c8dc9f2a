"""callHierarchy/outgoingCalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide import calls
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.hierarchy import call_item, place_of

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.CALL_HIERARCHY_OUTGOING_CALLS


async def handle(
    ls: MemlaneServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    """What a function calls, of what is defined in its document."""

    def work(file: File, convert: Converter) -> list[types.CallHierarchyOutgoingCall]:
        return [
            types.CallHierarchyOutgoingCall(
                call_item(file, convert, one.function), [convert.range(place) for place in one.places]
            )
            for one in calls.outgoing(file, place_of(params.item, convert))
        ]

    return await ls.ask(params.item.uri, work)
