"""memlane/cursor: what a status bar says about the place that the user is at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.findings import Severity
from memlane.ide.cursor import BufferHere, cursor
from memlane.ide.lanes import FunctionLanes
from memlane.ide.profile_cache import function_at
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Function
from memlane_server import custom
from memlane_server.convert import Converter
from memlane_server.drawing import Json, bytes_json, peak_json, range_json

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = custom.CURSOR
COUNTED = (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)


async def handle(ls: MemlaneServer, params: custom.CursorParams) -> Json | None:
    """The function and the buffers at the position."""

    def choose(file: File, convert: Converter) -> Sequence[Function]:
        one = function_at(file, convert.offset(params.position))
        return [one] if one is not None else []

    def work(file: File, convert: Converter, found: list[FunctionLanes]) -> Json:
        here = cursor(file, convert.offset(params.position), found[0] if found else None)
        return {
            "uri": file.uri,
            "version": file.version,
            "function": _function(here.function, convert) if here.function is not None else None,
            "buffers": [_buffer(buffer, convert) for buffer in here.buffers],
            "counts": {severity.value: here.counts.get(severity, 0) for severity in COUNTED},
        }

    return await ls.ask_measured(params.text_document.uri, choose, work, findings=True)


def _function(function: FunctionLanes, convert: Converter) -> Json:
    return {
        "name": function.name,
        "range": range_json(convert, function.span),
        "selectionRange": range_json(convert, function.name_span),
        "peak": peak_json(function, convert),
        "ideal": bytes_json(function.ideal),
        "buffers": len(function.buffers),
    }


def _buffer(buffer: BufferHere, convert: Converter) -> Json:
    return {
        "name": buffer.name,
        "type": buffer.type,
        "range": range_json(convert, buffer.span),
        "size": buffer.size,
        "certainty": buffer.certainty.value,
        "names": [range_json(convert, span) for span in buffer.names],
    }
