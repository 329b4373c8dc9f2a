"""Incremental equals from scratch: random edits of a document, whose tree and findings are compared with new ones.

Reading compares the pieces, the tree and its problems (`memlane.syntax.tree.equal`); findings compare as values. A fast
loop compares after every edit of small programs; `tests/fuzz/test_edits.py` has the same as a state machine.
"""

from __future__ import annotations

import random

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit
from memlane.incremental import Checker
from memlane.syntax import Document
from memlane.syntax.tree.equal import difference
from tests.fuzz.programs import program
from tests.fuzz.seeds import seed
from tests.paths.agreement import as_variables
from tests.paths.programs import program as executable
from tests.syntax.edits import Typist, applied

CONFIG = Config()
LONGEST = 800
"""Characters of a text to start from: all of it is checked anew after every edit."""


class Editor:
    """A document under edit, with what is remembered about it."""

    def __init__(self, source: str) -> None:
        self.document = Document(source, CONFIG.models)
        self.checker = Checker()
        self.checker.findings(self.document, CONFIG)

    def edit(self, edits: list[Edit]) -> None:
        """Make edits at once, and compare with a document from scratch."""
        wanted = applied(self.document.source, edits)
        self.document = self.document.edit(edits)
        assert self.document.source == wanted
        self.compare()

    def compare(self) -> None:
        """Tree, problems and findings are those of a document from scratch."""
        source = self.document.source
        fresh = Document(source, CONFIG.models)
        assert [piece.text for piece in self.document.pieces] == [piece.text for piece in fresh.pieces], source
        where = difference(self.document.tree, fresh.tree)
        assert where is None, (source, where)
        assert self.checker.findings(self.document, CONFIG) == check(source, CONFIG).findings, source


def start(choose: random.Random) -> str:
    """A text to begin with: generated, perhaps with its buffers in variables, or the head of somebody's."""
    kind = choose.random()
    if kind < 0.4:
        return program(choose, 2)
    if kind < 0.5:
        return as_variables(executable(choose.randrange(100_000))[0])
    text = seed(choose)[:LONGEST]
    return text[: text.rfind("\n") + 1]


def type_on(run: int, count: int) -> int:
    """`count` random edits, of a new text every 25; how many there were. `run` is the seed."""
    editor, typist = Editor(""), Typist(run)
    for number in range(count):
        if number % 25 == 0:
            editor, typist = Editor(start(random.Random(f"{run} {number}"))), Typist(run * 1_000_003 + number)
        edits = typist.next(editor.document.source)
        editor.edit(edits)
    return count
