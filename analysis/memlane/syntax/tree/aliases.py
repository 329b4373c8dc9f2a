"""What aliases of attributes and types stand for (MLIR Language Reference, "Attribute Value Aliases", "Type Aliases").

They are defined outside functions and hold for a whole chunk. Ops have the types that are meant; text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from memlane.lazy import regex
from memlane.syntax.tree.limits import MAX_ALIAS_TEXT

Aliases = Mapping[str, str]
"""By names with their `!` or `#`, what these stand for, without aliases."""
NO_ALIASES: Aliases = MappingProxyType({})
_USE = regex(r"[!#][A-Za-z_][\w$]*(?![\w$.])")
"""Where an alias may stand: those of dialects have a dot."""
_DEFINITION = regex(r"\s*([!#][A-Za-z_][\w$]*)\s*=\s*(?:type\b\s*)?(.*)", re.DOTALL)


class AliasedText(str):
    """A text in which aliases were named. `written`: with their names, as text added to the program has it."""

    written: str


def as_written(text: str) -> str:
    """A text with the aliases that the program has for it."""
    return text.written if isinstance(text, AliasedText) else text


def defined(text: str) -> tuple[str, str] | None:
    """The name that the text of a definition defines, and what it stands for; None for other text, or a place in
    another file."""
    found = _DEFINITION.match(text)
    return None if found is None or found[2].startswith("loc(") else (found[1], found[2].strip())


def resolved(definitions: Iterable[tuple[str, str]]) -> Aliases:
    """What all of some names stand for: each may name those before it."""
    known: dict[str, str] = {}
    for name, text in definitions:
        found = str(meant(text, known))
        known[name] = found if len(found) <= MAX_ALIAS_TEXT else text
    return known or NO_ALIASES


def redefined(before: Aliases, now: Aliases) -> frozenset[str]:
    """The names that stand for something else now, or no longer or not before for anything."""
    if before == now:
        return frozenset()
    return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))


def names_any(text: str, names: frozenset[str]) -> bool:
    """Whether a text may name one of some aliases: it need not be code where it does."""
    return ("!" in text or "#" in text) and not names.isdisjoint(_USE.findall(text))


def named(text: str) -> bool:
    """Whether an alias may stand in a text."""
    return ("!" in text or "#" in text) and _USE.search(text) is not None


def meant(text: str, aliases: Aliases | None) -> str:
    """A text with what its aliases stand for in their place."""
    if not aliases or ("!" not in text and "#" not in text):
        return text
    found = AliasedText(_USE.sub(lambda used: aliases.get(used[0], used[0]), text))
    found.written = text
    return found if found != text else text
