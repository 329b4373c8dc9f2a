"""From fixes that were each found by itself to the edits of all of them: new blocks have a label and an edge each.

What several declare is declared once. Each takes labels that the text does not have, and two of one function may take
the same one; or they divide the same edge, on which one new block is enough. Else they would have to wait for each
other: of n new blocks there would be n rounds, each of which checks all of the function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, count

from memlane.findings import Edit, Fix, Span
from memlane.fixes import printer
from memlane.lazy import regex

_LABEL = regex(r"\^[\w$.-]+")
_BEFORE_LABEL = regex(r"(?m)^(?=[ \t]*\^)")
_LINE = regex(r"[^\n]*\n|[^\n]+")


def merged(source: str, fixes: Sequence[tuple[str | None, Fix]]) -> tuple[Edit, ...]:
    """The edits of fixes, each with its function, of which none touches what another does."""
    labels = [[(function, label) for label in _labels(fix.edits)] for function, fix in fixes]
    several = {one for one, times in Counter(chain.from_iterable(labels)).items() if times > 1}
    known = set(_LABEL.findall(source)) if several else set[str]()
    fresh = _Fresh(known.union(label for _, label in chain.from_iterable(labels)))
    found: list[tuple[Edit, ...]] = []
    had = set[tuple[str | None, str]]()
    split: dict[Span, str] = {}
    for (_, fix), own in zip(fixes, labels, strict=True):
        names = {one.content: split[one.span] for one in fix.edits if one.span in split and splits(one)}
        made = [one for one in own if one in several and one[1] not in known]
        names.update({one[1]: fresh.label(one[1]) for one in made if one in had and one[1] not in names})
        found.append(_renamed(fix.edits, names))
        split.update((one.span, one.content) for one in found[-1] if splits(one))
        had.update(made)
    once = dict.fromkeys(edit for edits in found for edit in edits if declares(edit) or splits(edit))
    rest = [edit for edits in found for edit in edits if edit not in once]
    return (*once, *reversed(_joined(rest, set(split.values()))))


def splits(edit: Edit) -> bool:
    """Whether an edit leads an edge between blocks to a new one: what others do on it can stand there as well."""
    return edit.span.start < edit.span.end and _LABEL.fullmatch(edit.content) is not None


def declares(edit: Edit) -> bool:
    """Whether an edit puts in what names a function and no value: where several need that, once is enough."""
    return edit.span.start == edit.span.end and "@" in edit.content and "%" not in edit.content


def asks(edit: Edit) -> bool:
    """Whether an edit puts in a condition."""
    return printer.ASKS.search(edit.content) is not None


def _labels(edits: tuple[Edit, ...]) -> dict[str, None]:
    """The labels in what the edits put in, each once."""
    return dict.fromkeys(label for edit in edits for label in _LABEL.findall(edit.content))


def _renamed(edits: tuple[Edit, ...], labels: dict[str, str]) -> tuple[Edit, ...]:
    """The edits with other labels in what they put in."""
    if not labels:
        return edits
    return tuple(Edit(one.span, _LABEL.sub(lambda found: labels.get(found[0], found[0]), one.content)) for one in edits)


def _joined(edits: list[Edit], labels: set[str]) -> list[Edit]:
    """The edits, with what several put into one new block in one: all but its label and its branch."""
    pieces = [[_LINE.findall(part) for part in _BEFORE_LABEL.split(edit.content)] for edit in edits]
    first: dict[tuple[int, str], list[str]] = {}
    for edit, sections in zip(edits, pieces, strict=True):
        for lines in sections:
            begins = _LABEL.match(lines[0].lstrip()) if lines else None
            if edit.span.start < edit.span.end or begins is None or begins[0] not in labels:
                continue
            block = first.setdefault((edit.span.start, begins[0]), lines)
            if block is not lines and (block[0], block[-1]) == (lines[0], lines[-1]):
                block[-1:-1] = lines[1:-1]
                lines.clear()
    joined = [Edit(edit.span, "".join(chain(*sections))) for edit, sections in zip(edits, pieces, strict=True)]
    return [edit for edit in joined if edit.content or edit.span.start < edit.span.end]


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
