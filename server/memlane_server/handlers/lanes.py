"""memlane/lanes: the buffers of functions over program order, for clients that draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.ide.portraits import flow_at, flows, portrait
from memlane.snapshot import File
from memlane_server import custom
from memlane_server.convert import Converter
from memlane_server.drawing import Json, function_json

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = custom.LANES


async def handle(ls: MemlaneServer, params: custom.LanesParams) -> Json | None:
    """The functions asked for, as they are in the newest version of the document."""
    ls.session.drawn.add(params.text_document.uri)

    def work(file: File, convert: Converter) -> Json:
        if params.position is not None:
            one = flow_at(file, convert.offset(params.position))
            wanted = [one] if one is not None and params.function in (None, one.name) else []
        else:
            wanted = flows(file, params.function)
        found = [portrait(file, flow) for flow in wanted]
        functions = [function_json(function, convert) for function in found if function is not None]
        return {"uri": file.uri, "version": file.version, "functions": functions}

    return await ls.ask(params.text_document.uri, work)
