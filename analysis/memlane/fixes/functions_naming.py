"""The functions of a text that name some values: those that a repair changed, without reading the rest as trees."""

from __future__ import annotations

from collections.abc import Iterator, Set

from memlane.dialects.model import Models
from memlane.fixes.printer import names_in
from memlane.flow import FunctionFlow, Program
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.syntax.tree.tree import Op
from memlane.text import Text


def functions_naming(names: Set[str], text: Text, models: Models) -> Iterator[FunctionFlow]:
    """The functions in whose text one of the names stands; their callees are not known.

    Args:
        names: of values, with `%`.
    """
    if not names:
        return

    def wanted(piece: Piece) -> bool:
        return any(not names.isdisjoint(names_in(Text(leaf.text))) for leaf in piece.leaves)

    document = Document(text.source, models)
    _ = document.tree  # sections are read by this
    for section in document.sections:
        built: dict[int, Op] = {}
        program = Program(section.part(wanted, built), models, text.source)
        yield from program.functions.values()
