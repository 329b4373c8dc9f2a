"""Findings -> the JSON text of diagnostics, part by part: what was written once for a part is used again.

An edit changes few findings; most stay what they are and, unless lines are added or removed, where they are. So a part
is written as a template with its line numbers left open, and filled again only when its lines moved. Places come from
the pieces of the document: neither the text is put together for this, nor its line table.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from threading import Lock

from memlane.findings import Finding, Span, gathered
from memlane.links import rule_url
from memlane.parts import Part, Parts
from memlane.syntax import Document
from memlane.syntax.pieces import Piece
from memlane.text import Text
from memlane_server.convert import SEVERITIES, Converter, to_units

_LINE_END = re.compile(r"\r\n|\n|\r")

Place = tuple[int, int, int]
"""Which of some pieces, line (from the piece's first) and column in the client's units."""


class Lines:
    """Where the lines of one piece begin."""

    __slots__ = ("count", "starts", "text", "whole")

    def __init__(self, piece: Piece) -> None:
        text = piece.text
        self.count = text.count("\n") if "\r" not in text else len(_LINE_END.findall(text))
        self.whole = text.endswith(("\n", "\r"))
        """It ends with a line."""
        self.starts: array[int] | None = None
        self.text = ""

    def place(self, piece: Piece, offset: int, encoding: str) -> tuple[int, int]:
        """Line and column, in the client's units, of an offset in the piece."""
        if self.starts is None:
            self.text = piece.text
            self.starts = array("i", [0, *(match.end() for match in _LINE_END.finditer(self.text))])
        line = bisect_right(self.starts, offset) - 1
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        start = self.starts[line]
        return line, to_units(self.text[start:end].rstrip("\r\n"), offset - start, encoding)

    def forget(self) -> None:
        """Keep the count alone."""
        self.starts, self.text = None, ""


@dataclass(slots=True, eq=False)
class _Written:
    """A part as text.

    Args:
        template: with `%d` for each line number.
        lines: for each of those, the part's owner it counts from, and how far.
        at: the first lines of the owners when `text` was filled.
    """

    template: str
    lines: tuple[tuple[int, int], ...]
    at: tuple[int, ...]
    text: str

    def fill(self, at: tuple[int, ...]) -> str:
        """The text when the owners begin at these lines."""
        if at != self.at:
            self.at = at
            self.text = self.template % tuple([at[owner] + line for owner, line in self.lines])
        return self.text


class Publisher:
    """Writes the findings of one document's versions for one client. May be shared by threads: they take turns."""

    def __init__(self, uri: str, encoding: str, related: bool) -> None:
        self._encoding = encoding
        self._related = related
        self._uri = json.dumps(uri)
        self._lock = Lock()
        self._lines: dict[Piece, Lines] = {}
        self._kept: dict[object, _Written] = {}

    def diagnostics(self, found: Parts) -> str:
        """The findings of a version as a JSON list."""
        with self._lock:
            return self._list(found)

    def _list(self, found: Parts) -> str:
        document = found.document
        known = self._lines.get
        self._lines = {piece: known(piece) or Lines(piece) for piece in document.pieces}
        if not all(one.whole for one in list(self._lines.values())[:-1]):
            return self._plainly(found)
        counts = (one.count for one in self._lines.values())
        first = dict(zip(document.pieces, accumulate(counts, initial=0), strict=False))
        before, self._kept = self._kept, {}
        texts: list[str] = []
        for part in found.parts:
            if part.key is None:
                texts.append(self._loose(document, first, part))
                continue
            at = tuple([first[owner] for owner in part.owners])
            written = before.get(part.key) or self._write(part)
            self._kept[part.key] = written
            texts.append(written.fill(at))
        return f"[{','.join(filter(None, texts))}]"

    def publication(self, found: Parts, version: int | None) -> bytes:
        """The message that publishes the findings of a version."""
        said = "" if version is None else f'"version":{version},'
        head = f'{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":{self._uri},{said}'
        return f'{head}"diagnostics":{self.diagnostics(found)}}}}}'.encode()

    def _write(self, part: Part) -> _Written:
        owners, then, tables = part.owners, part.then, self._lines

        def place(offset: int) -> Place:
            number = max(0, bisect_right(then, offset) - 1)
            piece = owners[number]
            return (number, *tables[piece].place(piece, offset - then[number], self._encoding))

        items, lines = self._items(part.findings, place)
        for owner in owners:
            tables[owner].forget()
        return _Written(items, lines, (), "")

    def _loose(self, document: Document, first: dict[Piece, int], part: Part) -> str:
        """Findings that nobody keeps: their places are those of the document."""

        def place(offset: int) -> Place:
            number = max(0, bisect_right(document.starts, offset) - 1)
            piece = document.pieces[number]
            inner = self._lines[piece].place(piece, offset - document.starts[number], self._encoding)
            return (number, *inner)

        items, lines = self._items(part.findings, place)
        return items % tuple([first[document.pieces[number]] + line for number, line in lines])

    def _plainly(self, found: Parts) -> str:
        """The same where a piece begins in the middle of a line."""
        text = Text(found.document.source)
        convert = Converter(text, self._encoding)

        def place(offset: int) -> Place:
            position = convert.position(offset)
            return 0, position.line, position.character

        items, lines = self._items(found.findings, place)
        return f"[{items % tuple([line for _, line in lines])}]"

    def _items(
        self, findings: tuple[Finding, ...], place: Callable[[int], Place]
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The items of a JSON list, without their line numbers, and what those are."""
        lines: list[tuple[int, int]] = []

        def range_(span: Span) -> str:
            said: list[str] = []
            for offset in span:
                number, line, column = place(offset)
                lines.append((number, line))
                said.append(f'{{"line":%d,"character":{column}}}')
            return f'{{"start":{said[0]},"end":{said[1]}}}'

        return ",".join([self._item(finding, range_) for finding in findings]), tuple(lines)

    def _item(self, finding: Finding, range_: Callable[[Span], str]) -> str:
        report, rule = finding.report, finding.rule
        said = [
            f'{{"range":{range_(report.span)},"message":{_text(report.message)}',
            f'"severity":{SEVERITIES[finding.severity].value},"code":{_text(rule.name)}',
            f'"codeDescription":{{"href":{_text(rule_url(rule.name))}}},"source":"memlane"',
        ]
        if rule.unnecessary:
            said.append('"tags":[1]')
        if self._related and report.notes:
            uri = self._uri.replace("%", "%%")
            notes = [
                f'{{"location":{{"uri":{uri},"range":{range_(note.span)}}},"message":{_text(note.message)}}}'
                for note in gathered(report.notes)
            ]
            said.append(f'"relatedInformation":[{",".join(notes)}]')
        return ",".join(said) + "}"


def _text(text: str) -> str:
    """A JSON string in a template."""
    return json.dumps(text).replace("%", "%%")
