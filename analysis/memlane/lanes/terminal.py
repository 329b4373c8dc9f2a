"""A picture in characters: one line a buffer, below them the curve of live bytes, in the width there is.

`█` is used, `░` held after the last use, `▒` never freed, `┆` handed out; `│` ends a lane where the buffer is freed.
"""

from __future__ import annotations

from collections.abc import Iterator

from wcwidth import wcswidth  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType] -- it has no types -- it ships no types

from memlane.format import words
from memlane.lanes.lane_layout import Lane, Picture, ordered

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_HEIGHT = 4
_LABEL = 28


def terminal(picture: Picture, columns: int) -> str:
    """The picture in `columns` columns."""
    return "\n".join(line.rstrip() for line in _lines(picture, max(40, columns)))


def _lines(picture: Picture, columns: int) -> Iterator[str]:
    lanes = ordered(picture.lanes)
    label = min(_LABEL, max([8, *(len(lane.name) + len(lane.size) + 2 for lane in lanes)]))
    width = columns - label - 2
    yield f"{picture.title}  peak {picture.peak} · ideal {picture.ideal}"
    if picture.note:
        yield f"  {picture.note}"
    for lane in lanes:
        yield f"{_label(lane, label)} {_bar(lane, picture, width)}"
    yield from _curve(picture, label, width)
    yield from _axis(picture, label, width)


def _label(lane: Lane, width: int) -> str:
    room = width - len(lane.size) - 1
    name = lane.name if len(lane.name) <= room else lane.name[: max(1, room - 1)] + "…"
    return _fitted(name, max(1, room)) + " " + lane.size[: width - 2].rjust(min(len(lane.size), width - 2))


def _fitted(text: str, width: int) -> str:
    return text + " " * max(0, width - max(0, int(wcswidth(text))))


def _bar(lane: Lane, picture: Picture, width: int) -> str:
    start, used, end = (_cell(column, picture, width) for column in (lane.start, lane.used + 1, lane.stop))
    used, end = max(used, start + 1), max(end, start + 1)
    rest = "▒" if lane.leak is not None else "░" if lane.freed or not lane.handed else "┆"
    bar = " " * start + "█" * (used - start) + rest * (end - used)
    if lane.leak is not None and end == used:
        bar = bar[:-1] + "▒"
    return bar[:width] + ("│" if lane.freed and lane.leak is None else "")


def _curve(picture: Picture, label: int, width: int) -> Iterator[str]:
    """The curve, `_HEIGHT` lines of eighths."""
    most = max(picture.peak_bytes, 1)
    heights: list[int] = [0] * width
    for column, count in enumerate(picture.curve):
        height = 8 * _HEIGHT if count is None else round(8 * _HEIGHT * count / most)
        for cell in range(
            _cell(column, picture, width), max(_cell(column, picture, width) + 1, _cell(column + 1, picture, width))
        ):
            if cell < width:
                heights[cell] = max(heights[cell], height)
    ideal = round(_HEIGHT * picture.ideal_bytes / most)
    for row in range(_HEIGHT, 0, -1):
        name = words(most) if row == _HEIGHT else "live" if row == 1 else ""
        cells = "".join(_EIGHTHS[max(0, min(8, height - 8 * (row - 1)))] for height in heights)
        mark = "╌ ideal" if row == ideal and row != _HEIGHT else ""
        yield f"{name:>{label}} {cells}{mark}"


def _axis(picture: Picture, label: int, width: int) -> Iterator[str]:
    if picture.peak_column is not None:
        cell = min(width - 1, _cell(picture.peak_column + 0.5, picture, width))
        yield " " * (label + 1 + cell) + "▲"
        said = f"peak, line {picture.lines[picture.peak_column]}"
        yield " " * (label + 1 + max(0, min(cell, width - len(said)))) + said


def _cell(column: float, picture: Picture, width: int) -> int:
    return min(width, int(column * width / picture.columns))
