"""Of several fixes that are applied together, those nearest to a new finding are rejected."""

from __future__ import annotations

from memlane.findings import Edit, Span
from memlane.fixes.blame import beside
from memlane.fixes.edit_writer import apply

_FIRST = Edit(Span(2, 2), "put in ")
_SECOND = Edit(Span(20, 24), "")
_THIRD = Edit(Span(30, 31), "longer")
_SOURCE = "0123456789" * 4
_AFTER = apply(_SOURCE, (_FIRST, _SECOND, _THIRD))


def _blamed(*places: int) -> set[int]:
    return beside((_THIRD, _FIRST, _SECOND), [(_FIRST,), (_SECOND,), (_THIRD,)], places)


def test_of_each_place_the_nearest_fix_is_blamed() -> None:
    assert _blamed(0) == {0}
    assert _blamed(_AFTER.index("put in") + 3) == {0}
    assert _blamed(_AFTER.index("890123") + 2) == {0}
    assert _blamed(_AFTER.index("longer") - 6) == {1}
    assert _blamed(len(_AFTER)) == {2}
    assert _blamed(0, len(_AFTER)) == {0, 2}


def test_without_places_none_is() -> None:
    assert not _blamed()
