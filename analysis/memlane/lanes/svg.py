"""A picture as SVG: one self-contained text, readable on light and dark ground.

A lane is solid while its buffer is used, hatched while it is held after its last use, red where it is lost; an open
right end hands the buffer out. Below is the curve of live bytes, its peak marked and the ideal peak dashed.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from memlane.findings import Certainty
from memlane.format import words
from memlane.lanes.lane_layout import Band, Lane, Picture
from memlane.lanes.limits import MAX_SINGLE_ROWS
from memlane.lazy import regex

STYLE = """
.memlane { --ground: #ffffff; --ink: #1f2328; --faint: #656d76; --rule: #d8dee4; --used: #3a7bd5; --held: #bf8700;
  --lost: #cf222e; --curve: #3a7bd5; --ideal: #1a7f37; --band: #eef2f6; --other: #e2e9f2; }
@media (prefers-color-scheme: dark) { .memlane { --ground: #0d1117; --ink: #e6edf3; --faint: #8d96a0; --rule: #30363d;
  --used: #58a6ff; --held: #d29922; --lost: #ff7b72; --curve: #58a6ff; --ideal: #3fb950; --band: #161b22;
  --other: #21262d; } }
.memlane { background: var(--ground); font: 12px system-ui, sans-serif; }
.memlane text { fill: var(--ink); } .memlane .faint { fill: var(--faint); } .memlane .rule { stroke: var(--rule); }
.memlane .band { fill: var(--band); fill-opacity: .55; stroke: var(--rule); stroke-width: .5; }
.memlane .other { fill: var(--other); }
.memlane .used { fill: var(--used); } .memlane .held { fill: url(#memlane-hatch); stroke: var(--held); }
.memlane .lost { fill: var(--lost); fill-opacity: .35; stroke: var(--lost); }
.memlane .some { stroke-dasharray: 4 3; } .memlane .handed { fill: var(--used); fill-opacity: .25; stroke: none; }
.memlane .tick { stroke: var(--ground); stroke-opacity: .8; } .memlane .hatch { stroke: var(--held); }
.memlane .end { stroke: var(--ink); } .memlane .curve { fill: var(--curve); fill-opacity: .25; stroke: var(--curve); }
.memlane .peak { stroke: var(--lost); } .memlane .ideal { stroke: var(--ideal); stroke-dasharray: 5 4; }
.memlane .mark { fill: var(--lost); } .memlane .good { fill: var(--ideal); }
.memlane .buffer:hover .used, .memlane .buffer:hover .held, .memlane .buffer:hover .lost { filter: brightness(1.2); }
.memlane .mono { font-family: ui-monospace, monospace; font-size: 11px; } .memlane a { text-decoration: none; }
.memlane .inside { fill: #ffffff; pointer-events: none; }
@media (prefers-color-scheme: dark) { .memlane .inside { fill: #0d1117; } }
"""

_NOT_XML = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What XML does not take, and what terminals would obey."""
_TOP = 56
_BAND = 16
_ROW = 18
_CLOSE = 14
_DENSE = 11
_ROOMY = 25
_NARROW = 3
_CURVE = 130
_CHARACTER = 6.7
_LETTER = 5.9


def svg(picture: Picture, source: str = "") -> str:
    """The picture as an SVG document. `source`: the file that lanes link to, `#L12` for its line 12."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(_Drawing(picture, source).parts()))


class _Drawing:
    """Coordinates and elements of one picture."""

    def __init__(self, picture: Picture, source: str) -> None:
        self._picture = picture
        self._source = source
        single = len(picture.lanes) <= MAX_SINGLE_ROWS
        self._row = _DENSE if not single else _ROW if len(picture.lanes) <= _ROOMY else _CLOSE
        longest = max((len(lane.name) + len(lane.size) + 2 for lane in picture.lanes), default=0) if single else 0
        self._left = 16 + min(34, longest) * _CHARACTER if single else 70
        self._unit = min(26.0, max(0.45, 900 / picture.columns))
        self._inner = max(420.0, picture.columns * self._unit)
        self._unit = self._inner / picture.columns
        self._width = self._left + self._inner + 24
        depth = max((band.depth + 1 for band in picture.bands), default=0)
        self._lanes = _TOP + depth * _BAND + 8
        self._curve = self._lanes + picture.rows * self._row + 26
        self._bottom = self._curve + _CURVE
        self._height = self._bottom + 44

    def parts(self) -> Iterator[str]:
        """The lines of the document."""
        picture = self._picture
        width, height = f"{self._width:.0f}", f"{self._height:.0f}"
        label = quoteattr(f"memory of {picture.title}: peak {picture.peak}, ideal {picture.ideal}")
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="memlane" role="img" aria-label={label} '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        )
        yield f"<style>{STYLE}</style>"
        yield (
            '<defs><pattern id="memlane-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6" stroke-width="3"/>'
            "</pattern></defs>"
        )
        yield _tag("rect", width=self._width, height=self._height, fill="var(--ground)")
        yield from self._head()
        for band in picture.bands:
            yield from self._band(band)
        yield from self._peak_line()
        for lane in picture.lanes:
            yield from self._lane(lane)
        yield from self._live()
        yield from self._axis()
        yield "</svg>"

    def _head(self) -> Iterator[str]:
        picture = self._picture
        count = len(picture.lanes)
        yield _tag("text", picture.title, x=16, y=22, font_size=15, font_weight=600)
        yield (
            f'<text x="16" y="42" class="faint">{count} buffer{"s" if count != 1 else ""} · '
            f'<tspan class="mark" font-weight="600">peak {escape(_short(picture.peak))}</tspan> · '
            f'<tspan class="good" font-weight="600">ideal {escape(_short(picture.ideal))}</tspan>'
            f"{escape(' · ' + picture.note) if picture.note else ''}</text>"
        )
        legend = (("used", "used"), ("held", "held after last use"), ("lost", "never freed"))
        x = self._width - 16 - sum(_LETTER * len(word) + 36 for _, word in legend)
        if x > 16 + _CHARACTER * (len(picture.title) + 4) * 1.4:
            for kind, word in legend:
                yield _tag("rect", kind=kind, x=x, y=13, width=14, height=10, rx=2)
                yield _tag("text", word, kind="faint", x=x + 19, y=22)
                x += _LETTER * len(word) + 36

    def _band(self, band: Band) -> Iterator[str]:
        x, end = self._x(band.start), self._x(band.end + 1)
        if end - x < _NARROW:
            return
        y = _TOP + band.depth * _BAND
        kind = "band other" if band.alternate else "band"
        yield _tag("rect", kind=kind, x=x, y=y, width=end - x, height=self._bottom - y)
        room = int((end - x - 6) / (_CHARACTER * 0.92))
        if room >= 3:
            label = band.label if len(band.label) <= room else band.label[: room - 1] + "…"
            yield _tag("text", label, kind="faint mono", x=x + 4, y=y + 12)

    def _lane(self, lane: Lane) -> Iterator[str]:
        y = self._lanes + lane.row * self._row
        height = self._row - (5 if self._row == _ROW else 3)
        start, used = self._x(lane.start), self._x(lane.used + 1)
        end = self._x(lane.stop)
        card = "\n".join(lane.card)
        link = quoteattr(f"{quote(self._source, errors='surrogateescape')}#L{lane.line}")  # a path, never `javascript:`
        said = quoteattr(card, {"\n": "&#10;"})
        yield f'<a href={link} class="buffer" data-line="{lane.line}" data-card={said}>'
        yield _tag("title", card)
        yield _tag("rect", kind="used", x=start, y=y, width=max(1.0, used - start), height=height, rx=2)
        if end > used:
            lost = lane.leak is not None
            kind = "lost" if lost else "held" if lane.freed or not lane.handed else "handed"
            kind += " some" if lane.leak is Certainty.SOME else ""
            yield _tag("rect", kind=kind, x=used, y=y + 1, width=end - used, height=height - 2)
        elif lane.leak is not None:
            yield _tag("rect", kind="lost", x=end, y=y + 1, width=4, height=height - 2)
        if self._unit >= 2.5:
            for tick in lane.ticks:
                x = self._x(tick) + self._unit / 2
                yield _tag("line", kind="tick", x1=x, x2=x, y1=y + 2, y2=y + height - 2)
        if lane.freed:
            yield _tag("line", kind="end", x1=end, x2=end, y1=y - 1, y2=y + height + 1, stroke_width=1.5)
        yield from self._label(lane, y, height, start, used)
        yield "</a>"

    def _label(self, lane: Lane, y: float, height: int, start: float, used: float) -> Iterator[str]:
        text = f"{lane.name}  {lane.size}"
        if len(self._picture.lanes) <= MAX_SINGLE_ROWS:
            text = text if len(text) <= 34 else f"{lane.name[:20]}…  {lane.size[:11]}"
            down = height - 3 if self._row == _ROW else height - 1
            yield _tag("text", text, kind="mono", text_anchor="end", x=self._left - 8, y=y + down)
        elif used - start > len(text) * 5.2 + 6:
            yield _tag("text", text, kind="mono inside", style="font-size:9px", x=start + 3, y=y + height - 1)

    def _live(self) -> Iterator[str]:
        """The curve of live bytes."""
        picture, top, bottom = self._picture, self._curve, self._bottom
        left, right = self._left, self._x(picture.columns)
        most = max(picture.peak_bytes, picture.ideal_bytes, 1)
        points = [f"{left:.1f},{bottom:.1f}"]
        for column, count in enumerate(picture.curve):
            y = bottom - _CURVE * min(1.0, (most if count is None else count) / most)
            points += [f"{self._x(column):.1f},{y:.1f}", f"{self._x(column + 1):.1f},{y:.1f}"]
        points.append(f"{right:.1f},{bottom:.1f}")
        for share in (0.0, 0.25, 0.5, 0.75):
            y = bottom - _CURVE * share
            yield _tag("line", kind="rule", x1=left, x2=right, y1=y, y2=y, stroke_width=0.5)
        yield _tag("polygon", kind="curve", points=" ".join(points))
        yield _tag("text", words(most), kind="faint mono", text_anchor="end", x=left - 8, y=top + 4)
        yield _tag("text", "0", kind="faint mono", text_anchor="end", x=left - 8, y=bottom)
        ideal = bottom - _CURVE * picture.ideal_bytes / most
        yield _tag("line", kind="ideal", x1=left, x2=right, y1=ideal, y2=ideal, stroke_width=1.5)
        if abs(ideal - top) > 12:
            label = f"ideal {_short(picture.ideal)}"
            yield _tag("text", label, kind="good", text_anchor="end", x=right - 4, y=ideal - 4)

    def _peak_line(self) -> Iterator[str]:
        picture = self._picture
        if picture.peak_column is None:
            return
        x = self._x(picture.peak_column) + self._unit / 2
        yield _tag("line", kind="peak", x1=x, x2=x, y1=self._lanes - 6, y2=self._bottom, stroke_opacity=0.6)
        line = picture.lines[picture.peak_column] if picture.peak_column < len(picture.lines) else 0
        right = x > self._left + self._inner / 2
        anchor, at = ("end", x - 6) if right else ("start", x + 6)
        said = f"peak {_short(picture.peak)}, line {line}"
        yield _tag("text", said, kind="mark", text_anchor=anchor, x=at, y=self._curve - 8)

    def _axis(self) -> Iterator[str]:
        """Some line numbers below the curve."""
        lines, y = self._picture.lines, self._bottom + 16
        step = max(1, -(-len(lines) * 60 // int(self._inner)))
        for column in range(0, len(lines), step):
            x = self._x(column) + self._unit / 2
            yield _tag("text", str(lines[column]), kind="faint mono", text_anchor="middle", x=x, y=y)
        said = "source line, in program order; what touches no buffer takes no room"
        yield _tag("text", said, kind="faint", x=self._left, y=y + 18)

    def _x(self, column: float) -> float:
        return self._left + column * self._unit


def _tag(name: str, text: str = "", kind: str = "", **attributes: float | str) -> str:
    """An element; `kind` is its class, `stroke_width` the attribute `stroke-width`."""
    said = [f' class="{kind}"'] if kind else []
    for key, value in attributes.items():
        shown = value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
        said.append(f" {key.replace('_', '-')}={quoteattr(shown)}")
    body = "".join(said)
    return f"<{name}{body}>{escape(text)}</{name}>" if text else f"<{name}{body}/>"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
