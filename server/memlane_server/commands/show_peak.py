"""memlane.server.showPeak: go to where a function needs most memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.lanes import FunctionLanes
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server.convert import Converter
from memlane_server.show_document import show_document

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

NAME = "memlane.server.showPeak"


async def run(ls: MemlaneServer, uri: str, function: str) -> bool:
    """Whether the client went there. `function`: its name, without `@`."""

    def choose(file: File, convert: Converter) -> Sequence[Function]:
        return [one for one in file.functions if one.symbol == function][:1]

    def work(file: File, convert: Converter, found: list[FunctionLanes]) -> types.Range | None:
        steps = [one.steps[one.peak_step] for one in found if one.peak_step is not None and one.steps]
        return convert.range(steps[0].span) if steps else None

    place = await ls.ask_measured(uri, choose, work)
    return place is not None and await show_document(ls, uri, place)
