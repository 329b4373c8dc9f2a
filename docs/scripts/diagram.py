"""Boxes and arrows as a picture: positions are given by hand, in columns and rows; here it becomes SVG.

Drawn when the documentation is written, so that a page needs no program of anybody else's server to show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

COLUMN, ROW, HEIGHT, MARGIN = 152, 66, 34, 14
"""Pixels: from column to column, from row to row, of a box, around all."""

LETTER, PADDING, LINE, BEND = 7.4, 20, 15, 60
"""Pixels: of a letter at 13 px, of a box around its text, of a line of text, of the bend of an arrow."""

STYLE = """text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #1f2328; text-anchor: middle }
.note { font-size: 11.5px; fill: #57606a }
.box { fill: #e8ecfb; stroke: #4051b5 }
.group { fill: #f6f8fa; stroke: #8c959f; stroke-dasharray: 5 4 }
.arrow { fill: none; stroke: #57606a; stroke-width: 1.4; marker-end: url(#head) }"""

HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#57606a"/></marker>'
)


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes with arrows between them.

    Args:
        title: for those who do not see it.
        boxes: text to column and row of its middle, counted from 0; fractions are allowed.
        arrows: from, to (below, above or to the right), and what is written above it, in lines.
        groups: a title and what it frames.
        column: pixels from column to column.
    """

    title: str
    boxes: dict[str, tuple[float, float]]
    arrows: tuple[tuple[str, str, str], ...]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    column: int = COLUMN


def drawn(diagram: Diagram) -> str:
    """The SVG of a diagram, on a ground of its own: it is read on light and on dark pages."""
    places = _places(diagram)
    width = max(x + _width(name) / 2 for name, (x, _) in places.items()) + 2 * MARGIN
    height = max(y for _, y in places.values()) + HEIGHT / 2 + 2 * MARGIN
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(diagram.title)}</title>",
        f"<style>{STYLE}</style><defs>{HEAD}</defs>",
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#ffffff"/>',
        *_groups(diagram, places),
        *(line for arrow in diagram.arrows for line in _arrow(places, *arrow)),
        *(line for name, place in places.items() for line in _box(name, *place)),
        "</svg>",
    ]
    return "\n".join([*lines, ""])


def _places(diagram: Diagram) -> dict[str, tuple[float, float]]:
    left = max(_width(name) / 2 - column * diagram.column for name, (column, _) in diagram.boxes.items())
    top = MARGIN + HEIGHT / 2 + (LINE + MARGIN if diagram.groups else MARGIN)
    return {
        name: (2 * MARGIN + left + column * diagram.column, top + row * ROW)
        for name, (column, row) in diagram.boxes.items()
    }


def _width(name: str) -> float:
    return max(56, len(name) * LETTER + PADDING)


def _groups(diagram: Diagram, places: dict[str, tuple[float, float]]) -> Iterator[str]:
    for title, names in diagram.groups.items():
        left = min(places[name][0] - _width(name) / 2 for name in names) - MARGIN
        right = max(places[name][0] + _width(name) / 2 for name in names) + MARGIN
        top = min(places[name][1] for name in names) - HEIGHT / 2 - MARGIN - LINE
        bottom = max(places[name][1] for name in names) + HEIGHT / 2 + MARGIN
        size = f'width="{right - left:g}" height="{bottom - top:g}"'
        yield f'<rect class="group" x="{left:g}" y="{top:g}" {size} rx="6"/>'
        yield f'<text class="note" x="{(left + right) / 2:g}" y="{top + LINE:g}">{escape(title)}</text>'


def _box(name: str, x: float, y: float) -> Iterator[str]:
    width = _width(name)
    yield f'<rect class="box" x="{x - width / 2:g}" y="{y - HEIGHT / 2:g}" width="{width:g}" height="{HEIGHT}" rx="5"/>'
    yield f'<text x="{x:g}" y="{y + 4.5:g}">{escape(name)}</text>'


def _arrow(places: dict[str, tuple[float, float]], start: str, end: str, beside: str) -> Iterator[str]:
    """A line from edge to edge: out of the side where there is another column, else out of the top or bottom.

    Before it arrives it is straight for as long as what is written above it.
    """
    (x1, y1), (x2, y2) = places[start], places[end]
    if x1 == x2:
        side = 1 if y2 > y1 else -1
        yield f'<path class="arrow" d="M{x1:g} {y1 + side * HEIGHT / 2:g}L{x2:g} {y2 - side * HEIGHT / 2:g}"/>'
        return
    x1, x2 = x1 + _width(start) / 2, x2 - _width(end) / 2
    bent = x2 if not beside else x1 + BEND if y1 != y2 else x1
    middle = (x1 + bent) / 2
    yield f'<path class="arrow" d="M{x1:g} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {bent:g} {y2:g}L{x2:g} {y2:g}"/>'
    for number, line in enumerate(reversed(beside.split("\n"))):
        yield f'<text class="note" x="{(bent + x2) / 2:g}" y="{y2 - 5 - LINE * number:g}">{escape(line)}</text>'
