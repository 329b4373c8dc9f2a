"""Mentions of functions and globals that nothing defines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.findings import Span
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.names.frames import Resolved
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.suggest import Suggestions


def undefined_symbols(
    pieces: Sequence[Piece], starts: Sequence[int], section: range, glue: Resolved
) -> Iterator[Problem]:
    """Mentions of functions and globals that a section of a document does not define.

    Args:
        pieces, starts: of the document, and where they stand. `section`: the numbers of those of the section.
        glue: what stands outside functions there.
    """
    function = Sort.FUNCTION
    functions = [piece for piece in pieces[section.start : section.stop] if piece.sort is function]
    mentioning = [piece for piece in functions if piece.resolved.references]
    mentioned = {name for piece in mentioning for name, _ in piece.resolved.references}
    mentioned.update(name for name, _ in glue.references)
    defined: set[str | None] = {piece.symbol for piece in functions}
    defined.update(glue.symbols, *[piece.resolved.symbols for piece in functions if piece.resolved.symbols])
    if mentioned <= defined:
        return
    at = dict(zip(pieces, starts, strict=True))
    mentions = [(glue, 0), *((piece.resolved, at[piece]) for piece in mentioning)]
    suggestions, known = Suggestions(), list[str]()
    for resolved, start in mentions:
        for name, (first, last) in resolved.references:
            if name not in defined and "::" not in name:
                known = known or sorted(symbol for symbol in defined if symbol)
                close = suggestions.name(name, known)
                span = Span(first + start, last + start)
                yield Problem("undefined-symbol", f"symbol '{name}' is not defined", span, suggestion=close)
