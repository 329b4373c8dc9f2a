"""Random edits, as people make them: typing, pasting, undoing, several cursors; the seed decides."""

from __future__ import annotations

import random
from collections.abc import Iterator

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


class Typist:
    """Makes one edit after the other; remembers what it replaced, to undo it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.undo: list[Edit] = []

    def next(self, source: str) -> list[Edit]:
        """Edits to make at once: spans of `source`, not overlapping."""
        choice = self.random.random()
        if choice < 0.15 and self.undo:
            edit = self.undo.pop()
            if edit.span.end <= len(source):
                return [edit]
        if choice < 0.3:
            return sorted(self._cursors(source), key=lambda edit: edit.span)
        return [self._edit(source, self.random.randint(0, len(source)))]

    def _cursors(self, source: str) -> Iterator[Edit]:
        text = self.random.choice(_TYPED)
        for _ in range(self.random.randint(2, 4)):
            at = self.random.randint(0, len(source))
            yield Edit(Span(at, at), text)

    def _edit(self, source: str, at: int) -> Edit:
        choice = self.random.random()
        if choice < 0.5:
            edit = Edit(Span(at, at), self.random.choice(_TYPED))
        elif choice < 0.7:
            edit = Edit(Span(at, min(len(source), at + self.random.randint(1, 3))), "")
        elif choice < 0.85:
            start = source.rfind("\n", 0, at) + 1
            end = source.find("\n", at) + 1 or len(source)
            edit = Edit(Span(start, end), self.random.choice(["", source[start:end] * 2]))
        elif choice < 0.95:
            edit = Edit(Span(at, at), self.random.choice(_PASTED))
        else:
            edit = Edit(Span(at, min(len(source), at + self.random.randint(1, 400))), "")
        back = Edit(Span(edit.span.start, edit.span.start + len(edit.content)), source[edit.span.start : edit.span.end])
        self.undo.append(back)
        return edit


def applied(source: str, edits: list[Edit]) -> str:
    """The text after the edits, made the plain way."""
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        source = source[: edit.span.start] + edit.content + source[edit.span.end :]
    return source
