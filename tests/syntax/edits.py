"""Random edits, as people make them: typing, pasting, undoing, renaming, several cursors; the seed decides."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator

from memlane.findings import Edit, Span

_TYPED = 'abcxyz0123456789%#@!^{}()[]<>:=,.-"/ \n\t'
_PASTED = [
    "func.func @pasted(%a: memref<4xf32>) {\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n",
    "  %new = memref.alloc() : memref<8xf32>\n",
    "// -----\n",
    "// -----// IR Dump After CSE (cse) //----- //\n",
    "\r\n",
    "\u2028",
    "𝔸",
    "\f",
    "}\n",
    "{\n",
    "^bb7(%x: i32):\n",
    "  scf.if %c {\n",
    "}) : () -> ()\n",
    "\r",
    "{-# dialect_resources: {\n",
    '"',
]
_SUFFIXES = ("_", "a", "1", "12", "#1", "#0", ":2", "$", ".x", "-", "_a1", "bc", "😋", " ", "0x", "\n", ",", '"')
"""What is typed behind names."""
_NAME = re.compile(r"[%^@#!][\w$.-]+|\b[a-z]\w*\.\w+")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")

Steps = Iterator[list[Edit]]
"""Edits to make at once, time after time."""


class Typist:
    """Makes one edit after the other; remembers what it replaced, to undo it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.undo: list[list[Edit]] = []
        self._steps: Steps | None = None
        self._expected = ""

    def next(self, source: str) -> list[Edit]:
        """Edits to make at once: spans of `source`, not overlapping, in text order."""
        edits = self._going_on(source)
        if edits is None and self.random.random() < 0.15 and self.undo:
            edits = self.undo.pop()
            if edits and edits[-1].span.end <= len(source):
                return edits
            edits = None
        if edits is None and self.random.random() < 0.4:
            self._steps = self.random.choice(self._gestures())(source)
            self._expected = source
            edits = self._going_on(source)
        if edits is None:
            edits = [self._edit(source, self.random.randint(0, len(source)))]
        self.undo.append(taken_back(source, edits))
        return edits

    def _going_on(self, source: str) -> list[Edit] | None:
        """The next of the steps that have begun; None: there is none, or somebody else has changed the text."""
        if self._steps is None or self._expected != source:
            self._steps = None
            return None
        edits = next(self._steps, None)
        self._expected = applied(source, edits or [])
        return edits

    def _edit(self, source: str, at: int) -> Edit:
        choice = self.random.random()
        if choice < 0.5:
            return Edit(Span(at, at), self.random.choice(_TYPED))
        if choice < 0.7:
            return Edit(Span(at, min(len(source), at + self.random.randint(1, 3))), "")
        if choice < 0.85:
            start = source.rfind("\n", 0, at) + 1
            end = source.find("\n", at) + 1 or len(source)
            return Edit(Span(start, end), self.random.choice(["", source[start:end] * 2]))
        if choice < 0.95:
            return Edit(Span(at, at), self.random.choice(_PASTED))
        return Edit(Span(at, min(len(source), at + self.random.randint(1, 400))), "")

    # What takes several edits at once, or one after the other.

    def _gestures(self) -> list[Callable[[str], Steps]]:
        """Some of them several times, as they are chosen as often."""
        return [
            *(self._scattered, self._behind_names, self._behind_names, self._behind_names, self._in_a_line),
            *(self._in_a_column, self._rename, self._rename, self._swap_names, self._move_lines, self._comment_out),
            *(self._wrap, self._copy, self._join_lines, self._nothing, self._line_by_line),
        ]

    def _scattered(self, source: str) -> Steps:
        """Cursors anywhere."""
        places = {self.random.randint(0, len(source)) for _ in range(self.random.randint(2, 4))}
        yield from self._type(source, places)

    def _behind_names(self, source: str) -> Steps:
        """Cursors behind all places of a name, or some: as editors do who rename by typing."""
        places = [place.end() for place in self._places(source)]
        yield from self._type(source, places, self.random.choice(_SUFFIXES))

    def _in_a_line(self, source: str) -> Steps:
        """Cursors in one line."""
        start, end = self._lines(source, 1)
        places = {self.random.randint(start, max(start, end - 1)) for _ in range(self.random.randint(2, 5))}
        yield from self._type(source, places)

    def _in_a_column(self, source: str) -> Steps:
        """A cursor in each of some lines, at the same column."""
        start, end = self._lines(source, self.random.randint(2, 6))
        column = self.random.choice((0, 2, 4, self.random.randint(0, 30)))
        lines = [(start + line.start(), line.group().rstrip("\r\n")) for line in _LINE.finditer(source[start:end])]
        yield from self._type(source, {at + min(column, len(text)) for at, text in lines})

    def _rename(self, source: str) -> Steps:
        """Another name in all places of one, or in some; perhaps one that is there already, perhaps back again."""
        places = [place.span() for place in self._places(source)]
        others = [match.group() for match in _NAME.finditer(source)]
        if places:
            old = source[slice(*places[0])]
            new = self.random.choice([old[:1] + "new", old + "_", old[:-1] or old, *others[-1:], *others[:1]])
            if self.random.random() < 0.3:
                new = self.random.choice(others)
            edits = [Edit(Span(*span), new) for span in places]
            yield edits
            if self.random.random() < 0.3:
                yield [Edit(edit.span, old) for edit in taken_back(source, edits)]

    def _swap_names(self, source: str) -> Steps:
        """Two names change their places everywhere, at once."""
        names = sorted({match.group() for match in _NAME.finditer(source)})
        if len(names) > 1:
            one, other = self.random.sample(names, 2)
            meant = {one: other, other: one}
            found = (match for match in _NAME.finditer(source) if match.group() in meant)
            yield [Edit(Span(*match.span()), meant[match.group()]) for match in found]

    def _move_lines(self, source: str) -> Steps:
        """Some lines change places with the one behind them, as one edit or as two; perhaps time after time."""
        start, end = self._lines(source, self.random.randint(1, 3))
        for _ in range(self.random.randint(1, 3)):
            below = _LINE.match(source, end)
            if below is None or not source[start:end].endswith("\n") or not below.group().endswith("\n"):
                return
            lines, line = source[start:end], below.group()
            if self.random.random() < 0.5:
                edits = [Edit(Span(start, end + len(line)), line + lines)]
            else:
                edits = [Edit(Span(start, start), line), Edit(Span(end, end + len(line)), "")]
            yield edits
            source = applied(source, edits)
            start, end = start + len(line), end + len(line)

    def _comment_out(self, source: str) -> Steps:
        """Some lines become comments, and perhaps what they were."""
        start, end = self._lines(source, self.random.randint(1, 5))
        lines = [start + match.end() for match in re.finditer(r"^[ \t]*(?=\S)", source[start:end], re.MULTILINE)]
        edits = [Edit(Span(at, at), "// ") for at in lines]
        yield edits
        if self.random.random() < 0.5:
            yield taken_back(source, edits)

    def _wrap(self, source: str) -> Steps:
        """Some lines become the body of a loop, or of a branch: indented at the same time, or later, or not."""
        start, end = self._lines(source, self.random.randint(1, 4))
        if start == end:
            return
        head = self.random.choice(("  scf.for %i = %c0 to %n step %c1 {\n", "  scf.if %c {\n", "  module {\n"))
        lines = [start + line.start() for line in _LINE.finditer(source[start:end])]
        indents = [Edit(Span(at, at), "  ") for at in lines[1:]] if self.random.random() < 0.5 else []
        wrapped = [Edit(Span(start, start), head), *indents, Edit(Span(end, end), "  }\n")]
        if self.random.random() < 0.5:
            yield wrapped
        else:
            yield wrapped[:1]
            yield [Edit(Span(end + len(head), end + len(head)), "  }\n")]

    def _copy(self, source: str) -> Steps:
        """Some lines stand in another place as well, or there only."""
        start, end = self._lines(source, self.random.randint(1, 12))
        at, _ = self._lines(source, 1)
        if self.random.random() < 0.5:
            yield [Edit(Span(at, at), source[start:end])]
        elif not start < at < end:
            yield sorted([Edit(Span(at, at), source[start:end]), Edit(Span(start, end), "")], key=lambda one: one.span)

    def _join_lines(self, source: str) -> Steps:
        """Line ends go away, or become others."""
        start, end = self._lines(source, self.random.randint(1, 6))
        ends = [match.span() for match in re.finditer(r"\r\n|\n|\r", source[start:end])]
        text = self.random.choice(("", " ", "\r\n", "\r", "\n\n", "\n// -----\n"))
        yield [Edit(Span(start + one, start + other), text) for one, other in ends]

    def _nothing(self, source: str) -> Steps:
        """Edits that change nothing."""
        start, end = self._lines(source, self.random.randint(0, 2))
        yield [Edit(Span(start, end), source[start:end])]

    def _line_by_line(self, source: str) -> Steps:
        """A line is typed letter by letter."""
        at, _ = self._lines(source, 1)
        choices = [*_PASTED[:2], *[line for line in source.splitlines(keepends=True) if line.isascii()][:20]]
        for letter in self.random.choice(choices)[:25]:
            yield [Edit(Span(at, at), letter)]
            at += 1

    def _type(self, source: str, places: Iterable[int], text: str = "") -> Steps:
        """Something is typed at several cursors letter by letter, and perhaps deleted again so."""
        cursors = sorted(set(places))
        text = text or self.random.choice((*_SUFFIXES, *_TYPED))
        back = 0
        if self.random.random() < 0.25:
            text, back = "", self.random.randint(1, 2)
        for letter in text:
            yield [Edit(Span(at, at), letter) for at in cursors]
            cursors = [at + number for number, at in enumerate(cursors, 1)]
        if self.random.random() < 0.3:
            back = len(text)
        for _ in range(back):
            cursors = [at for at, before in zip(cursors, [0, *cursors], strict=False) if at > before]
            yield [Edit(Span(at - 1, at), "") for at in cursors]
            cursors = sorted({at - number for number, at in enumerate(cursors, 1)})

    def _places(self, source: str) -> list[re.Match[str]]:
        """All places of a name, those of one function, or some."""
        found = [*_NAME.finditer(source)]
        if not found:
            return []
        name = self.random.choice(found)
        same = [match for match in found if match.group() == name.group()]
        if self.random.random() < 0.5:
            start = source.rfind("func", 0, name.start())
            end = source.find("func", name.end())
            same = [match for match in same if start <= match.start() and (end < 0 or match.end() <= end)]
        if self.random.random() < 0.2:
            same = sorted(self.random.sample(same, self.random.randint(1, len(same))), key=lambda one: one.start())
        return same

    def _lines(self, source: str, count: int) -> tuple[int, int]:
        """So many whole lines, somewhere."""
        start = source.rfind("\n", 0, self.random.randint(0, len(source))) + 1
        end = start
        for _ in range(count):
            end = source.find("\n", end) + 1 or len(source)
        return start, end


def taken_back(source: str, edits: list[Edit]) -> list[Edit]:
    """What makes the text what it was, after edits in text order of `source`."""
    further = 0
    found: list[Edit] = []
    for edit in edits:
        start = edit.span.start + further
        found.append(Edit(Span(start, start + len(edit.content)), source[slice(*edit.span)]))
        further += len(edit.content) - (edit.span.end - edit.span.start)
    return found


def one_by_one(edits: list[Edit], order: list[int]) -> list[Edit]:
    """Edits at once, in text order, as some that are made one after the other in another order (a permutation)."""
    made: list[int] = []
    found: list[Edit] = []
    for number in order:
        span, content = edits[number].span, edits[number].content
        before = [edits[other] for other in made if other < number]
        further = sum(len(edit.content) - (edit.span.end - edit.span.start) for edit in before)
        found.append(Edit(Span(span.start + further, span.end + further), content))
        made.append(number)
    return found


def applied(source: str, edits: list[Edit]) -> str:
    """The text after the edits, made the plain way."""
    for edit in sorted(edits, key=lambda one: one.span)[::-1]:  # those in one place stay in their order
        source = source[: edit.span.start] + edit.content + source[edit.span.end :]
    return source
