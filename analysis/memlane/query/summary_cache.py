"""What callers used of a function: its summaries, kept without its ops, for use by other callers.

Answers speak of places in functions: of the function itself and of those it calls. A place is kept as a `PlaceCell`,
which moves with its piece. When a function was edited and its answers differ from those before in nothing but where its
places are, the cells are set to where they are now, and no function that used the answers has to be analysed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from memlane.findings import Span
from memlane.flow.dataflow.call_outcomes import Effect, OpPlace, Outcome
from memlane.flow.dataflow.context import Known
from memlane.flow.interproc.function import FunctionFlow, Passed, Question
from memlane.flow.interproc.scc_solver import Group
from memlane.query.trivia_edit import Respaced
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion

Key = tuple["tuple[int | None, ...]", "tuple[Known, ...]", "tuple[int, ...]"]
"""A question about any function."""


@dataclass(slots=True, eq=False)
class PlaceCell:
    """A place in a piece: `start` from the start of its function; `offset` of its name from the start of the piece."""

    piece: Piece
    function: str
    start: int
    offset: int
    size: int

    def place(self, at: Mapping[Portion, int]) -> OpPlace:
        """Where it is now."""
        first = at[self.piece] + self.offset
        return OpPlace(self.function, self.start, Span(first, first + self.size))


Cells = tuple[PlaceCell | None, ...]
"""The cells of the places of one effect."""


class CachedAnswer(NamedTuple):
    """An answer. `ways` speak of no places: those are in `cells`, by way and buffer, as in `Effect.places`."""

    ways: tuple[Outcome, ...] | None
    cells: tuple[tuple[Cells, ...], ...]


@dataclass(slots=True, eq=False)
class Interface:
    """What is known of the function of one piece.

    Args:
        private: only this module may call it.
        function: whether it is one, by the models; None: not checked.
        derived: what has been found out of it and those that it calls, by its key in the memo of the function.
        passes: what it passes to functions of the module, by their names, in text order of its calls; None: not
            computed.
        complete: all that was asked could be kept.
    """

    group: Group
    private: bool = False
    function: bool | None = None
    answers: dict[Key, CachedAnswer] = field(default_factory=dict[Key, CachedAnswer])
    derived: Mapping[Callable[..., Any], Any] = field(default_factory=dict[Callable[..., Any], Any])
    passes: dict[str, tuple[Passed, ...]] | None = None
    cells: dict[tuple[int, int], PlaceCell] = field(default_factory=dict[tuple[int, int], PlaceCell])
    complete: bool = True


def respaced(interface: Interface, piece: Piece, first: int, by: Respaced) -> Interface:
    """What is known of a function that is `piece` now, which has the same ops in other places. Its cells are moved.

    Args:
        first: where the function begins in its piece.
    """
    cells: dict[tuple[int, int], PlaceCell] = {}
    for cell in interface.cells.values():
        cell.piece, cell.start, cell.offset = piece, by.place(cell.start + first) - first, by.place(cell.offset)
        cells[cell.start, cell.size] = cell
    return replace(interface, answers={**interface.answers}, cells=cells)


Locate = Callable[[OpPlace], "PlaceCell | None"]
"""The cell of a place; None if unknown."""

_SOMEWHERE = OpPlace("", 0, Span(0, 0))


def keep(ways: tuple[Outcome, ...] | None, locate: Locate) -> CachedAnswer | None:
    """An answer without places; None where a place is unknown."""
    if ways is None:
        return CachedAnswer(None, ())
    plain: list[Outcome] = []
    cells: list[tuple[Cells, ...]] = []
    for way in ways:
        groups: list[Effect] = []
        found: list[Cells] = []
        for effect in way.groups:
            located = tuple(locate(place) if place is not None else None for place in effect.places)
            if any((cell is None) != (place is None) for cell, place in zip(located, effect.places, strict=True)):
                return None
            found.append(located)
            groups.append(_elsewhere(effect))
        plain.append(way._replace(groups=tuple(groups)))
        cells.append(tuple(found))
    return CachedAnswer(tuple(plain), tuple(cells))


def told(kept: CachedAnswer, at: Mapping[Portion, int]) -> tuple[Outcome, ...] | None:
    """The answer again."""
    if kept.ways is None:
        return None
    ways: list[Outcome] = []
    for way, found in zip(kept.ways, kept.cells, strict=True):
        groups = tuple(
            effect.at(*(cell and cell.place(at) for cell in cells))
            for effect, cells in zip(way.groups, found, strict=True)
        )
        ways.append(way._replace(groups=groups))
    return tuple(ways)


def question(flow: FunctionFlow, key: Key) -> Question:
    """The question about a function."""
    return Question(flow, *key)


class Comparison:
    """Whether the answers of an edited function differ from those before in more than where its places are.

    Args:
        function: its symbol; the cells of places in it may be elsewhere now, each at one place.
        locate: tells the cells of places in other functions.
    """

    def __init__(self, function: str, locate: Locate) -> None:
        self._function = function
        self._locate = locate
        self.now: dict[PlaceCell, OpPlace] = {}
        self._taken: dict[tuple[int, Span], PlaceCell] = {}

    def same(self, before: CachedAnswer, now: tuple[Outcome, ...] | None) -> bool:
        """Whether two answers of one question say the same."""
        if before.ways is None or now is None:
            return before.ways is None and now is None
        if len(before.ways) != len(now):
            return False
        for way, found, other in zip(before.ways, before.cells, now, strict=True):
            if way != other._replace(groups=tuple(map(_elsewhere, other.groups))):
                return False
            for cells, effect in zip(found, other.groups, strict=True):
                if not all(map(self._agree, cells, effect.places)):
                    return False
        return True

    def _agree(self, cell: PlaceCell | None, place: OpPlace | None) -> bool:
        if cell is None or place is None:
            return cell is None and place is None
        if place.function != self._function or cell.function != self._function:
            return self._locate(place) is cell
        known = self.now.setdefault(cell, place)
        taken = self._taken.setdefault((place.start, place.name_span), cell)
        return known == place and taken is cell

    def move(self, piece: Piece, start: int) -> Iterable[PlaceCell]:
        """Let the cells be where the places are now, in `piece`, which stands at `start`; gives the cells."""
        for cell, place in self.now.items():
            cell.piece, cell.start = piece, place.start
            cell.offset, cell.size = place.name_span.start - start, place.name_span.end - place.name_span.start
        return self.now


def _elsewhere(effect: Effect) -> Effect:
    return effect.at(*(_SOMEWHERE if place is not None else None for place in effect.places))
