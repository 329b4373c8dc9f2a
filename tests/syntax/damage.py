"""One place of a program is damaged, as in the middle of typing: what else loses its facts?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.definition import definition
from memlane.ide.hover import hover
from memlane.ide.snapshot import File
from memlane.query import said_by
from memlane.syntax import Document
from memlane.syntax.editing.piece import Sort
from memlane.syntax.tree.tree import Op

ASKED = 6
"""So many places of other functions are hovered over, and their definitions asked for."""


class Damage(NamedTuple):
    """What one edit did.

    Args:
        lost: functions other than the damaged one that are not read as before.
        outside: problems outside the damaged function (or statement, where it is in none).
    """

    edit: Edit
    lost: int
    outside: list[str]


def half_typed(source: str, chooser: random.Random) -> Edit:
    """Delete from a random place to the end of its line, or insert a random bracket."""
    at = chooser.randrange(len(source) + 1)
    if chooser.random() < 0.5:
        end = source.find("\n", at)
        return Edit(Span(at, len(source) if end < 0 else end), "")
    return Edit(Span(at, at), chooser.choice("()[]{}<>"))


def touched(document: Document, edit: Edit) -> set[int]:
    """The pieces that an edit may be said to damage."""
    return {
        number
        for number, piece in enumerate(document.pieces)
        if document.starts[number] <= edit.span.end and edit.span.start <= document.starts[number] + len(piece.text)
    }


def damage(document: Document, edit: Edit) -> Damage:
    """Make the edit and look at everything else. References to symbols of what is damaged count as damaged.

    A statement outside functions reaches to the braces that close its regions, and the names it defines are its own.
    """
    after = document.edit([edit])
    damaged = touched(document, edit)
    kept = {id(piece) for piece in after.pieces}
    texts = {piece.text.rstrip() for piece in after.pieces}
    lost = sum(
        1
        for number, piece in enumerate(document.pieces)
        if number not in damaged and piece.sort == Sort.FUNCTION
        and id(piece) not in kept and not any(text.startswith(piece.text.rstrip()) for text in texts)
    )  # fmt: skip
    old = {id(piece) for piece in document.pieces}
    fresh = [
        Span(start, start + len(piece.text) + 1)
        for piece, start in zip(after.pieces, after.starts, strict=True)
        if id(piece) not in old
    ]
    names, closers = _own(document, edit)
    distance = len(edit.content) - (edit.span.end - edit.span.start)
    outside = [
        problem.message
        for problem in after.tree.problems
        if problem.rule != "undefined-symbol"
        and not any(span.start <= problem.span.start <= span.end for span in fresh)
        and not (problem.rule == "undefined-value" and _text(after, problem.span).partition("#")[0] in names)
        and not (problem.rule == "syntax" and problem.span.start - distance in closers)
    ]
    return Damage(edit, lost, outside)


def _text(document: Document, span: Span) -> str:
    return document.source[span.start : span.end]


def _own(document: Document, edit: Edit) -> tuple[set[str], set[int]]:
    """Names that the damaged text outside functions defines, and where the lines stand that close its regions."""
    source = document.source
    names: set[str] = set()
    closers: set[int] = set()
    start = source.rfind("\n", 0, edit.span.start) + 1
    end = source.find("\n", edit.span.end)
    end = end if end >= 0 else len(source)
    for op in document.tree.walk():
        for value in _defined(op):
            if start <= value.start <= end:
                names.add(_text(document, value))
        if op.regions and op.span.start <= edit.span.end and edit.span.start <= op.regions[0].blocks[0].span.end:
            ends = [region.blocks[0].span.start for region in op.regions[1:]]
            for last in (op.span.end, *ends):
                line = source.rfind("\n", 0, last) + 1
                closers.update(range(line, last + 1))
    return names, closers


def _defined(op: Op) -> Iterator[Span]:
    for value in op.results:
        yield value.span
    for region in op.regions:
        for block in region.blocks:
            for value in block.arguments:
                yield value.span


def elsewhere(file: File, edit: Edit, chooser: random.Random) -> list[str]:
    """What is answered otherwise, after the edit, in functions that have nothing to do with the damaged one.

    Asked are hover and definition at some names, and all findings. The edit neither makes nor takes away lines.
    """
    document = file.document
    apart = _apart(document, touched(document, edit))
    source = document.source
    changed = source[: edit.span.start] + edit.content + source[edit.span.end :]
    after = file.edited(2, (changed,), file.config, (edit,))
    distance = len(edit.content) - (edit.span.end - edit.span.start)

    def moved(offset: int) -> int:
        return offset + distance if offset >= edit.span.end else offset

    differing: list[str] = []
    spans = [Span(document.starts[number], document.starts[number] + document.pieces[number].size) for number in apart]
    places = [at for span in spans for at in range(span.start, span.end) if source[at] == "%"]
    for at in chooser.sample(places, min(ASKED, len(places))):
        one, other = hover(file, at), hover(after, moved(at))
        if (one and one.markdown) != (other and other.markdown):
            differing.append(f"hover {at}: {one and one.markdown!r} and {other and other.markdown!r}")
        meant, now = definition(file, at), definition(after, moved(at))
        if (meant and moved(meant.start)) != (now and now.start):
            differing.append(f"definition {at}")
    before = sorted((moved(at), *said) for at, *said in _findings(file, spans))
    ranges = [Span(moved(span.start), moved(span.end)) for span in spans]
    now = sorted(_findings(after, ranges))
    if before != now:
        differing.append(f"findings: {[one for one in (*before, *now) if (one in before) != (one in now)]}")
    return differing


def _findings(file: File, spans: list[Span]) -> Iterator[tuple[int, str, str]]:
    """Places, rules and messages of findings in functions; what is undefined may be so by the damage."""
    for finding in file.checked.findings:
        at = finding.report.span.start
        if finding.rule.name != "undefined-symbol" and any(span.start <= at < span.end for span in spans):
            yield at, finding.rule.name, finding.report.message


def _apart(document: Document, damaged: set[int]) -> list[int]:
    """The functions that name nothing of the damaged pieces, nor are named there, directly or not."""
    said = [said_by(document, piece) for piece in document.pieces]
    names = [{*one.defines, *one.mentions} for one in said]
    near, pending = set(damaged), [names[number] for number in damaged]
    while pending:
        those = pending.pop()
        for number, own in enumerate(names):
            if number not in near and own & those:
                near.add(number)
                pending.append(own)
    return [at for at, piece in enumerate(document.pieces) if at not in near and piece.sort == Sort.FUNCTION]


def file_of(source: str) -> File:
    """A file with that text, as an editor shows it."""
    return File("file:///damaged.mlir", 1, (source,), Config())
