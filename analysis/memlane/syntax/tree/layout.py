"""What statements of one text say, but for their names: made once, for all statements that differ in nothing else.

An op of a bufferized program is written hundreds of times with other names. So its attributes and types are cut out of
the text once, and where its parts begin is known but for the lengths of the names before: adding those up gives all
places of a further op.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from memlane.syntax.shapes.element import element_type
from memlane.syntax.shapes.holes import holes_of, slots_of
from memlane.syntax.shapes.shape import Cut, OpShape, Template, TypeText
from memlane.syntax.tree.aliases import named
from memlane.syntax.tree.limits import MAX_LAYOUTS

NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})


class Spot(NamedTuple):
    """A place in a statement: an offset in its text with names of one character, after so many names."""

    offset: int
    names: int


class Result(NamedTuple):
    """Results that one name defines, with their types."""

    slot: int
    offset: int
    types: tuple[str | None, ...]


class LayoutOperand(NamedTuple):
    """A use: `suffix` is its `#1`, "" without."""

    slot: int
    offset: int
    suffix: str
    group: str


class OpLayout(NamedTuple):
    """An op without regions and successors, as far as it does not depend on names. The fields are those of `Op`.

    `aliased`: its text has what may be aliases, of which each program has its own.
    """

    start: Spot
    end: Spot
    name_start: Spot
    name_size: int
    symbol: str | None
    attributes: Mapping[str, str]
    literal: str | None
    types: tuple[str, ...]
    results: tuple[Result, ...]
    operands: tuple[LayoutOperand, ...]
    aliased: bool


class Layout:
    """The places of a statement.

    Args:
        skeleton: its text with names of one character.

    Attributes:
        slots: where its names are in that.
        first: what it begins with.
        op: what is known of that; None: nothing, or it depends on names.
    """

    __slots__ = ("_aliased", "_holes", "_seen", "_shifts", "first", "op", "slots")

    def __init__(self, template: Template, skeleton: str) -> None:
        self._holes, self._shifts = holes_of(skeleton)
        self.slots = slots_of(skeleton)
        self.first = template.events[0] if template.events else None
        self.op: OpLayout | None = None
        self._seen, self._aliased = 0, named(skeleton)

    def spot(self, offset: int) -> Spot:
        """Where an offset of the shape is."""
        at = self.at(offset)
        return Spot(at, bisect_left(self.slots, at))

    def at(self, offset: int) -> int:
        """Where an offset of the shape is in the text with names of one character."""
        return offset + self._shifts[bisect_left(self._holes, offset)]

    def again(self) -> bool:
        """Whether this is the second time that an op is built of it: what is written once is not worth a look."""
        self._seen += 1
        return self._seen == 2

    def look(self, shape: OpShape, cut: Callable[[Cut], str]) -> None:
        """Keep what is known of the op that the statement begins with; `cut` gives texts of one such op."""
        cuts = [*shape.types, *(one for one in shape.attributes.values() if one is not None)]
        cuts += [one for one in (shape.symbol, shape.literal) if one is not None]
        cuts += [one for one in shape.result_types if isinstance(one, Cut)]
        start, end = self.spot(shape.name_start), self.spot(shape.name_end)
        spots = [(start, end), *((self.spot(one.start), self.spot(one.end)) for one in cuts)]
        if shape.successors or any(one.names != other.names for one, other in spots):
            return

        def type_text(written: TypeText) -> str | None:
            if not isinstance(written, Cut):
                return written
            return element_type(cut(written)) if written.element else cut(written)

        results: list[Result] = []
        first = 0
        for slot, size in shape.results:
            types = tuple([type_text(written) for written in shape.result_types[first : first + size]])
            results.append(Result(slot, self.slots[slot], types))
            first += size
        attributes = {key: cut(one) if one is not None else "" for key, one in shape.attributes.items()}
        self.op = OpLayout(
            self.spot(shape.start),
            self.spot(shape.end),
            start,
            end.offset - start.offset,
            cut(shape.symbol).strip('"') if shape.symbol is not None else None,
            MappingProxyType(attributes) if attributes else NO_ATTRIBUTES,
            cut(shape.literal) if shape.literal is not None else None,
            tuple([cut(one) for one in shape.types]),
            tuple(results),
            tuple(
                [
                    LayoutOperand(slot, self.slots[slot], "" if n is None else f"#{n}", g)
                    for slot, n, g in shape.operands
                ]
            ),
            self._aliased or any(named(cut(one)) for one in cuts),
        )


_layouts: dict[tuple[Template, str], Layout] = {}


def layout_of(template: Template, skeleton: str) -> Layout | None:
    """The layout of a statement whose text without names is `skeleton`, where it is known."""
    return _layouts.get((template, skeleton))


def keep_layout(template: Template, skeleton: str, layout: Layout) -> None:
    """Know the layout of statements whose text without names is `skeleton`."""
    if len(_layouts) >= MAX_LAYOUTS:
        _layouts.clear()
    _layouts[template, skeleton] = layout


def kept() -> int:
    """How many layouts are kept."""
    return len(_layouts)


def forget() -> None:
    """Keep none of them any longer."""
    _layouts.clear()
