"""Functions and globals that a table of symbols defines a second time.

Only operations that are known to define symbols count, in ops that are known to be symbol tables: the meaning of ops of
unknown dialects is theirs to define.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.problems import Problem
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.shape import Close, Open, OpShape

_symbol = attrgetter("symbol")

_TOP = ""
"""What stands for the module around all that stands in none."""

_FILE = regex(r"^//--- \S", re.MULTILINE)
"""What `split-file` of LLVM takes for the start of another file."""


def redefined_symbols(pieces: Sequence[Piece], starts: Sequence[int], section: range) -> Iterator[Problem]:
    """The second definitions of symbols of a section.

    Args:
        pieces, starts: of the document, and where they stand. `section`: the numbers of those of the section.
    """
    symbols = [*map(_symbol, pieces[section.start : section.stop])]
    if len({*symbols} - {None}) == len(symbols) - symbols.count(None):
        return  # as after most edits: all pieces are asked
    for first, second, name in _pairs(pieces[section.start : section.stop]):
        one, other = (
            _place(pieces[number], name, starts[number]) for number in (first + section.start, second + section.start)
        )
        yield Problem("redefined-value", f"symbol '{name}' is defined twice", other, (("first here", one),))


def _pairs(pieces: Sequence[Piece]) -> Iterator[tuple[int, int, str]]:
    """The numbers of pieces that define the same symbol of the same table: of the first, and of one behind it."""
    tables: list[tuple[str, dict[str, int]]] = [(_TOP, {})]
    last = ""
    for number, piece in enumerate(pieces):
        table, known = tables[-1]
        name = _defined(piece)
        file = _FILE.search(piece.text) if len(tables) == 1 and _may_be_parted(piece) else None
        if file is not None:
            known.clear()
        if name is not None and (table == _TOP or table in forms.SYMBOL_TABLES):
            first = known.setdefault(name, number)
            if first != number:
                yield first, number, name
            if file is not None and file.start() > _place(piece, name, 0).start:
                known.clear()
        if piece.sort is not Sort.GLUE:
            continue
        for event in (event for template in piece.statements.templates for event in template.events):
            if isinstance(event, OpShape):
                last = event.name or "?"
            elif isinstance(event, Open):
                tables.append((last, {}))
            elif isinstance(event, Close):
                if len(tables) == 1:
                    return  # the nesting is unknown
                last = tables.pop()[0]


def _may_be_parted(piece: Piece) -> bool:
    return any(leaf.source.find("//---", leaf.start, leaf.end) >= 0 for leaf in piece.leaves)


def _head(piece: Piece) -> OpShape | None:
    templates = piece.leaves[0].statements.templates
    head = templates[0].events[0] if templates and templates[0].events else None
    return head if isinstance(head, OpShape) else None


def _defined(piece: Piece) -> str | None:
    """The symbol that the first operation of a piece defines."""
    head = _head(piece)
    return piece.symbol if head is not None and head.name in forms.DEFINING_SYMBOLS else None


def _place(piece: Piece, name: str, start: int) -> Span:
    """Where a piece defines a symbol."""
    head, text = _head(piece), piece.text
    written = (
        rf'sym_name\s*=\s*"({re.escape(name)})"' if head and head.generic else rf'@"?({re.escape(name)})(?![\w$.-])'
    )
    found = re.search(written, text)
    first, last = found.span(1) if found is not None else (0, 1)
    return Span(start + first, start + last)
