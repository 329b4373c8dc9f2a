"""Lanes as JSON, as docs/protocol.md describes them. Positions are the client's; steps are counted from 0."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from memlane.findings import Span
from memlane.ide.lanes import BufferLane, Bytes, FunctionLanes
from memlane.source_frames import SourceFrame
from memlane_server.convert import Converter
from memlane_server.source_links import SourceLinks

Json = dict[str, Any]


def function_json(function: FunctionLanes, convert: Converter, links: SourceLinks) -> Json:
    """One function."""
    return {
        "name": function.name,
        "range": range_json(convert, function.span),
        "selectionRange": range_json(convert, function.name_span),
        "steps": [
            {
                "op": step.op,
                "range": range_json(convert, step.span),
                "live": bytes_json(step.live),
                "inside": {**bytes_json(step.inside), "callees": step.callees} if step.inside is not None else None,
            }
            for step in function.steps
        ],
        "regions": [
            {
                "label": region.label,
                "depth": region.depth,
                "start": region.start,
                "end": region.stop,
                "alternate": region.alternate,
            }
            for region in function.regions
        ],
        "buffers": [_buffer(buffer, convert, links) for buffer in function.buffers],
        "rows": function.rows,
        "peak": peak_json(function, convert),
        "ideal": bytes_json(function.ideal),
        "note": function.note or None,
        "unknowns": function.unknowns,
    }


def peak_json(function: FunctionLanes, convert: Converter) -> Json:
    """A function's peak and where it is."""
    step = function.peak_step
    place = range_json(convert, function.steps[step].span) if step is not None and function.steps else None
    return {**bytes_json(function.peak), "step": step, "range": place, "exact": function.exact}


def bytes_json(amount: Bytes) -> Json:
    """An amount of memory."""
    return {"bytes": amount.number, "expression": amount.expression, "drawn": amount.drawn, "label": amount.words}


def range_json(convert: Converter, span: Span) -> Json:
    """A range of LSP."""
    found = convert.range(span)
    return {"start": _position(found.start), "end": _position(found.end)}


def _position(position: types.Position) -> Json:
    return {"line": position.line, "character": position.character}


def _buffer(buffer: BufferLane, convert: Converter, links: SourceLinks) -> Json:
    frame = convert.text.frames.of_statement(buffer.span.start)
    card = ["".join(_said(part, convert) for part in line) for line in buffer.card]
    uses = [{"step": use.step, "range": range_json(convert, use.span)} for use in buffer.uses]
    return {
        "name": buffer.name,
        "type": buffer.type,
        "range": range_json(convert, buffer.span),
        "size": bytes_json(buffer.size) if buffer.size is not None else None,
        "resource": buffer.resource,
        "space": buffer.space,
        "row": buffer.row,
        "segments": [
            {"start": one.start, "end": one.stop, "state": one.state.value, "certainty": one.certainty.value}
            for one in buffer.segments
        ],
        "uses": uses,
        "firstUse": uses[0] if uses else None,
        "lastUse": uses[-1] if uses else None,
        "frees": [
            {
                "step": free.step,
                "range": range_json(convert, free.span),
                "late": free.late or None,
                "after": range_json(convert, free.after) if free.after is not None else None,
            }
            for free in buffer.frees
        ],
        "leak": buffer.leak.value if buffer.leak is not None else None,
        "aliases": buffer.aliases,
        "atPeak": buffer.at_peak,
        "card": card if frame is None else [*card, f"from {frame}"],
        "source": _source(frame, links) if frame is not None else None,
    }


def _source(frame: SourceFrame, links: SourceLinks) -> Json:
    """Where a buffer comes from, and the place to open where that is in the workspace."""
    found = links.location(frame)
    place = {"uri": found.uri, "position": _position(found.range.start)} if found is not None else None
    return {"label": str(frame), "location": place}


def _said(part: str | Span, convert: Converter) -> str:
    return part if isinstance(part, str) else str(convert.text.position(part.start).line + 1)
