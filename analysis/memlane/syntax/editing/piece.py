"""A piece: a function, or one statement outside functions. The unit of incremental reading."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from memlane.source_frames import location_aliases
from memlane.syntax.editing.strips import Portion, Strip, strips_of
from memlane.syntax.lines.statements import Leaf, Statements, joined
from memlane.syntax.names.frames import Resolved
from memlane.syntax.problems import Problem
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.holes import Places, clean
from memlane.syntax.shapes.shape import Alias, OpShape, Rest
from memlane.syntax.tree.aliases import defined


class Sort(Enum):
    """What a piece holds."""

    FUNCTION = "function"
    GLUE = "glue"
    SEPARATOR = "separator"
    BLANK = "blank"


class Piece:
    """A piece of text and what it says, without its place in the document. Never changed once cut.

    Args:
        leaves: its text, from its start to its end; one where it is no function.
        resolved: names resolved within the piece, for functions: they see nothing from outside. Else empty.
        odd: problems with its characters.
        damaged: the braces of the function do not balance.
        before: the strips of the version before, of which those that are the same stay.

    Attributes:
        strips: of a large function; see there.
    """

    def __init__(
        self,
        leaves: tuple[Leaf, ...],
        sort: Sort,
        resolved: Resolved,
        odd: tuple[Problem, ...] = (),
        damaged: bool = False,
        before: tuple[Strip, ...] = (),
    ) -> None:
        self.damaged = damaged
        self.leaves = leaves
        self.sort = sort
        self.resolved = resolved
        self.odd = odd
        self.size = sum(leaf.end - leaf.start for leaf in leaves)
        self.strips = strips_of(leaves, before)
        self.quiet = not odd and not resolved.problems and sort is not Sort.GLUE
        """Nothing is wrong with it, and it says nothing of what stands outside functions."""

    def same(self, other: Piece) -> bool:
        """Whether both have the same text and say the same."""
        if (self.size, self.sort, len(self.leaves)) != (other.size, other.sort, len(other.leaves)):
            return False
        return self.text == other.text and all(map(Leaf.same, self.leaves, other.leaves))

    @property
    def portions(self) -> tuple[Portion, ...]:
        """Its strips, or itself."""
        return self.strips or (self,)

    @property
    def text(self) -> str:
        """Its text. Put together at each call: what was read is not kept twice."""
        return "".join([leaf.text for leaf in self.leaves])

    def says(self, word: str) -> bool:
        """Whether its text has a word in it, in one line."""
        return any(leaf.source.find(word, leaf.start, leaf.end) >= 0 for leaf in self.leaves)

    @property
    def whole_lines(self) -> bool:
        """Whether it ends where a line does."""
        leaf = self.leaves[-1]
        return leaf.source[leaf.end - 1 : leaf.end] in ("\n", "\r")

    @cached_property
    def statements(self) -> Statements:
        """All its statements."""
        return joined(self.leaves)

    @cached_property
    def symbol(self) -> str | None:
        """The symbol of its first op, without `@`."""
        leaf = self.leaves[0]
        templates, starts, text = leaf.statements.templates, leaf.statements.starts, leaf.text
        head = templates[0].events[0] if templates and templates[0].events else None
        if not isinstance(head, OpShape):
            return None
        end = starts[1] if len(starts) > 1 else len(text)
        places = Places(clean(text[:end]), starts[0], end, 0)
        if head.symbol is not None:
            return text[places.at(head.symbol.start) : places.at(head.symbol.end)].strip('"')
        if not head.generic:
            return None
        known = forms.symbol_of(_written(head, text, places))
        return known or self._symbol_behind()

    @cached_property
    def alias(self) -> tuple[str, str] | None:
        """The alias that it defines, with its `!` or `#`, and what it stands for; None: it defines none."""
        templates = self.leaves[0].statements.templates if self.sort is Sort.GLUE else ()
        event = templates[0].events[0] if templates and templates[0].events else None
        if not isinstance(event, Alias):
            return None
        text = self.text
        if " = loc(" in text[:32]:  # of which there may be as many as ops
            return None
        places = Places(clean(text), self.leaves[0].statements.starts[0], len(text), 0)
        return defined(text[places.at(event.start) : places.at(event.end)])

    @cached_property
    def locations(self) -> tuple[tuple[str, tuple[str, int]], ...]:
        """The aliases of locations that it defines; see `LocationAliases`."""
        begins = any(leaf.source.startswith("#", leaf.start) for leaf in self.leaves) or self.says("\n#")
        return tuple(location_aliases(self.text).items()) if begins else ()

    def _symbol_behind(self) -> str | None:
        """The symbol of a function in generic form whose attributes stand behind its body."""
        leaf = self.leaves[-1]
        templates, starts, text = leaf.statements.templates, leaf.statements.starts, leaf.text
        rest = templates[-1].events[-1] if templates else None
        if not isinstance(rest, Rest):
            return None
        return forms.symbol_of(_written(rest, text, Places(clean(text), starts[-1], len(text), 0)))


def _written(event: OpShape | Rest, text: str, places: Places) -> dict[str, str]:
    """The attributes that an event of `text` has."""
    return {key: text[places.at(cut.start) : places.at(cut.end)] for key, cut in event.attributes.items() if cut}


def title_of(piece: Piece) -> str:
    """The line of a separator, without spaces around it."""
    return piece.text.split("\n", 1)[0].strip()
