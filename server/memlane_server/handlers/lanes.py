"""memlane/lanes: the buffers of functions over program order, for clients that draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.ide.lanes import FunctionLanes
from memlane.ide.profile_cache import function_at
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server import custom
from memlane_server.convert import Converter
from memlane_server.drawing import Json, function_json
from memlane_server.source_links import SourceLinks

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = custom.LANES


async def handle(ls: MemlaneServer, params: custom.LanesParams) -> Json | None:
    """The functions asked for, as they are in the newest version of the document."""
    ls.session.drawn.add(params.text_document.uri)

    links = SourceLinks(params.text_document.uri, ls.session.folders)

    def choose(file: File, convert: Converter) -> Sequence[Function]:
        if params.position is not None:
            one = function_at(file, convert.offset(params.position))
            return [one] if one is not None and params.function in (None, one.symbol) else []
        return [one for one in file.functions if params.function in (None, one.symbol)]

    def work(file: File, convert: Converter, found: list[FunctionLanes]) -> Json:
        functions = [function_json(function, convert, links) for function in found]
        return {"uri": file.uri, "version": file.version, "functions": functions}

    return await ls.ask_measured(params.text_document.uri, choose, work)
