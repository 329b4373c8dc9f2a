"""codeLens/resolve: the peak of a function and how many findings it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.lanes import FunctionLanes
from memlane.ide.lenses import title
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server.commands import show_peak
from memlane_server.convert import Converter
from memlane_server.custom import given_back

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.CODE_LENS_RESOLVE


async def handle(ls: MemlaneServer, params: types.CodeLens) -> types.CodeLens:
    """The lens with its words; as it was, where the function is gone by now."""
    if params.command is not None or params.data is None:
        return params
    uri, name = given_back(params.data, str, str)

    def choose(file: File, convert: Converter) -> Sequence[Function]:
        same = [one for one in file.functions if one.symbol == name]
        place = convert.offset(params.range.start)
        return [one for one in same if one.span.start <= place < one.span.end] or same[:1]

    def work(file: File, convert: Converter, found: list[FunctionLanes]) -> types.CodeLens:
        said = title(found[0], file.checked.findings) if found else "no buffers"
        params.command = types.Command(said, show_peak.NAME, arguments=[uri, name])
        return params

    return await ls.ask_measured(uri, choose, work, findings=True) or params
