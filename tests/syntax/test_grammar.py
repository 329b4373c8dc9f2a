"""Our loop over lark's tables gives what lark gives, and the tables that ship are those of the grammar."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from make_tables import written

from memlane.syntax.editing.document import Document
from memlane.syntax.lines.memo import Memo
from memlane.syntax.shapes import grammar, parser_tables, tables
from memlane.syntax.shapes.grammar import Branch, Node, parse_shape
from memlane.syntax.shapes.tokens import tokenize

LARK = tables.parser()
ROOT = Path(__file__).parents[2]


def test_the_file_is_current() -> None:
    assert grammar.FILE.read_text(encoding="utf-8") == written(), "run python tests/syntax/make_tables.py"


def test_another_grammar_has_other_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = grammar.tables()
    changed = tmp_path / "mlir.lark"
    changed.write_text(
        parser_tables.GRAMMAR.read_text(encoding="utf-8").replace("LPROP _entries? RPROP", "LPROP RPROP"),
        encoding="utf-8",
    )
    monkeypatch.setattr(grammar, "GRAMMAR", changed)
    monkeypatch.setattr(tables, "GRAMMAR", changed)
    grammar.tables.cache_clear()
    try:
        assert len(grammar.tables().states) < len(shipped.states)
    finally:
        monkeypatch.undo()
        grammar.tables.cache_clear()
    assert grammar.tables() == shipped


def test_shapes_are_what_lark_says() -> None:
    compared = [kinds for kinds in _met() if _plain(parse_shape(kinds)) != _by_lark(kinds)]
    assert not compared


def test_damaged_shapes_are_what_lark_says() -> None:
    chosen = random.Random(1)
    met = list(_met())
    every = sorted({kind for kinds in met for kind in kinds})
    for kinds in chosen.sample(met, 300):
        at = chosen.randrange(len(kinds))
        damaged = (*kinds[:at], *chosen.choices(every, k=chosen.randrange(3)), *kinds[at + chosen.randrange(3) :])
        assert _plain(parse_shape(damaged)) == _by_lark(damaged), damaged


def test_reading_needs_no_lark() -> None:
    program = (
        "import sys\nfrom memlane.syntax.editing.document import Document\nfrom memlane.syntax.lines.memo import Memo\n"
        "Document('%0 = arith.constant 1 : i32\\n', memo=Memo()).tree.chunks[0].ops\n"
        "assert 'memlane.syntax.shapes.statement' in sys.modules\nsys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def _met() -> Iterator[tuple[str, ...]]:
    """The kinds of tokens of every shape in our own programs."""
    memo = Memo()
    for path in sorted([*ROOT.glob("examples/**/*.mlir"), *ROOT.glob("tests/**/*.mlir")]):
        Document(path.read_text(encoding="utf-8", errors="replace"), memo=memo)
    found = {tuple(token.kind for token in tokenize(shape).tokens) for shape in memo.templates}
    yield from sorted(found - {()})


def _by_lark(kinds: tuple[str, ...]) -> object:
    try:
        return _plain_lark(LARK.parse(kinds))  # pyright: ignore -- lark types what it parses as text
    except UnexpectedToken as error:
        token: Token = error.token  # pyright: ignore[reportUnknownMemberType] -- lark leaves it untyped
        return 0 if token.type == grammar.END else token.start_pos


def _plain(tree: Node) -> object:
    """A tree as nested lists, tokens by number."""
    return [tree.data, *map(_plain, tree.children)] if isinstance(tree, Branch) else tree


def _plain_lark(tree: Tree[Token] | Token) -> object:
    return [tree.data, *map(_plain_lark, tree.children)] if isinstance(tree, Tree) else tree.start_pos
