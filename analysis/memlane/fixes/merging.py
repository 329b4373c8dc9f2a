"""From fixes that were each found by itself to the edits of all of them: blocks they put in have labels of their own.

What several declare is declared once. Each takes labels that the text does not have, and two of one function may take
the same one. Else they would have to wait for each other: of n new blocks there would be n rounds, each of which checks
all of the function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count

from memlane.findings import Edit, Fix

_LABEL = re.compile(r"\^[\w$.-]+")


def merged(source: str, fixes: Sequence[tuple[str | None, Fix]]) -> tuple[Edit, ...]:
    """The edits of fixes, each with its function, of which none touches what another does."""
    labels = [[(function, label) for label in _labels(fix.edits)] for function, fix in fixes]
    several = {one for one, times in Counter(chain.from_iterable(labels)).items() if times > 1}
    known = set(_LABEL.findall(source)) if several else set[str]()
    fresh = _Fresh(known.union(label for _, label in chain.from_iterable(labels)))
    found: list[tuple[Edit, ...]] = []
    had = set[tuple[str | None, str]]()
    for (_, fix), own in zip(fixes, labels, strict=True):
        made = [one for one in own if one in several and one[1] not in known]
        found.append(_renamed(fix.edits, {one[1]: fresh.label(one[1]) for one in made if one in had}))
        had.update(made)
    shared = dict.fromkeys(edit for edits in found for edit in edits if declares(edit))
    return (*shared, *(edit for edits in reversed(found) for edit in edits if edit not in shared))


def declares(edit: Edit) -> bool:
    """Whether an edit puts in what names a function and no value: where several need that, once is enough."""
    return edit.span.start == edit.span.end and "@" in edit.content and "%" not in edit.content


def _labels(edits: tuple[Edit, ...]) -> dict[str, None]:
    """The labels in what the edits put in, each once."""
    return dict.fromkeys(label for edit in edits for label in _LABEL.findall(edit.content))


def _renamed(edits: tuple[Edit, ...], labels: dict[str, str]) -> tuple[Edit, ...]:
    """The edits with other labels in what they put in."""
    if not labels:
        return edits
    return tuple(Edit(one.span, _LABEL.sub(lambda found: labels.get(found[0], found[0]), one.content)) for one in edits)


class _Fresh:
    """Gives labels that are not among `used`, and none twice."""

    def __init__(self, used: set[str]) -> None:
        self._used = used
        self._numbers: dict[str, count[int]] = {}

    def label(self, like: str) -> str:
        """One more that is made of another: `^free2` of `^free1`."""
        stem = like.rstrip("0123456789")
        numbers = self._numbers.setdefault(stem, count(1))
        return next(label for number in numbers if (label := f"{stem}{number}") not in self._used)
