"""Incremental equals from scratch: random edits of a document, whose tree and findings are compared with new ones.

Reading compares the pieces, the tree and its problems (`memlane.syntax.tree.equal`); findings compare as values. A fast
loop compares after every edit of small programs; `tests/fuzz/test_edits.py` has the same as a state machine.
"""

from __future__ import annotations

import random
import re

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.tree.equal import difference
from tests.flow.inner_edits import differing, edit_on
from tests.fuzz.programs import program
from tests.fuzz.seeds import function, seed
from tests.paths.agreement import as_variables
from tests.paths.programs import program as executable
from tests.syntax.edits import Typist, applied, one_by_one

CONFIG = Config()
_NAMES = re.compile(r"[%^][A-Za-z$._-][\w$.-]*")
TOGETHER = 25
"""Edits of one text, before another is taken."""
LONGEST = 800
"""Characters of a text to start from: all of it is checked anew after every edit."""


class Editor:
    """A document under edit, with what is remembered about it.

    Args:
        checks: findings are compared, too, which takes most of the time.
    """

    def __init__(self, source: str, checks: bool = True) -> None:
        self.checks = checks
        self.random = random.Random(source)
        self.document = Document(source, CONFIG.models)
        self.checker = Checker()
        if checks:
            self.checker.findings(self.document, CONFIG)

    def edit(self, edits: list[Edit]) -> None:
        """Make edits, at once or one after the other in any order, and compare with a document from scratch."""
        wanted = applied(self.document.source, edits)
        if self.random.random() < 0.3:
            self.document = self.document.edit(edits)
        else:
            for edit in one_by_one(edits, any_order(self.random, len(edits))):
                self.document = self.document.edit([edit])
        assert self.document.source == wanted
        self.compare()

    def compare(self) -> None:
        """Tree, problems and findings are those of a document from scratch."""
        source = self.document.source
        fresh = Document(source, CONFIG.models)
        assert [piece.text for piece in self.document.pieces] == [piece.text for piece in fresh.pieces], source
        where = difference(self.document.tree, fresh.tree)
        assert where is None, (where, source)
        if self.checks:
            found, wanted = self.checker.findings(self.document, CONFIG), check(source, CONFIG).findings
            assert found == wanted, (*differing(found, wanted), source)


def any_order(choose: random.Random, count: int) -> list[int]:
    """The order in which an editor sends edits that it makes at once: from the top, from the bottom, or another."""
    order = [*range(count)]
    choose.choice((lambda: None, order.reverse, order.reverse, lambda: choose.shuffle(order)))()
    return order


def start(choose: random.Random) -> str:
    """A text to begin with, perhaps with numbers for names, as passes print them."""
    source = _any_program(choose)
    return numbered(source) if choose.random() < 0.4 else source


def numbered(source: str) -> str:
    """The text with a number in place of each name of a value, of a block one in place of what stands behind `bb`."""
    names = dict.fromkeys(_NAMES.findall(source))
    numbers = {name: f"{name[0]}{'bb' if name[0] == '^' else ''}{at}" for at, name in enumerate(names)}
    return _NAMES.sub(lambda match: numbers[match.group()], source)


def _any_program(choose: random.Random) -> str:
    """A program: generated, perhaps with its buffers in variables, or the head of somebody's."""
    kind = choose.random()
    if kind < 0.4:
        return program(choose, 2)
    if kind < 0.5:
        return as_variables(executable(choose.randrange(100_000))[0])
    text = seed(choose)[:LONGEST]
    return text[: text.rfind("\n") + 1]


def type_on(run: int, count: int, checks: bool = True) -> int:
    """`count` random edits, `TOGETHER` of each text; how many there were. `run` is the seed; `checks`: see `Editor`."""
    editor, typist = Editor(""), Typist(run)
    for number in range(count):
        if number % TOGETHER == 0:
            editor = Editor(start(random.Random(f"{run} {number}")), checks)
            typist = Typist(run * 1_000_003 + number)
        edits = typist.next(editor.document.source)
        editor.edit(edits)
    return count


def type_inside(run: int, count: int) -> int:
    """`count` random edits inside functions of the rule files, `TOGETHER` of each; how many there were. `run` is the
    seed."""
    for number in range(0, count, TOGETHER):
        choose = random.Random(f"{run} {number}")
        source = "".join(function(choose) for _ in range(choose.choice((1, 1, 2))))
        edit_on(source, choose.getrandbits(32), min(TOGETHER, count - number))
    return count
