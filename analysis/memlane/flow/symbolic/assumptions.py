"""Numbers for what the text leaves open: `// memlane: assume %n = 1024`, `--assume`, configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memlane.integers import numeral
from memlane.lazy import regex

_COMMENT = regex(r"^[ \t]*//[ \t]*memlane:[ \t]*assume[ \t]+(%[\w$.-]+|\?)[ \t]*=[ \t]*(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Numbers by the names of values (`%n`), and under `?` for dimensions that are not known otherwise.

    Args:
        general: for every function, unless a comment inside it says otherwise; under `@f %n` for one.
        given: the user's word: whatever comments say.
    """

    general: Mapping[str, int] = field(default_factory=dict[str, int])
    given: Mapping[str, int] = field(default_factory=dict[str, int])

    def inside(self, text: str, function: str) -> Mapping[str, int]:
        """What is assumed in a function with this text and name."""
        local = {name: number for _, name, number in comments(text)}
        prefix = f"@{function} "
        own = {name[len(prefix) :]: number for name, number in self.general.items() if name.startswith(prefix)}
        return {**self.general, **own, **local, **self.given}


NOTHING = Assumptions()


def comments(text: str) -> Iterator[tuple[int, str, int]]:
    """The comments that assume something: offset, name and number."""
    if "assume" in text:
        for match in _COMMENT.finditer(text):
            number = numeral(match[2])
            if number is not None:
                yield match.start(), match[1], number
