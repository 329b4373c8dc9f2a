"""Tokens, folding and outlines of long functions come from some of their operations, and equal those from all."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from tests.fuzz.programs import program as generated

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide import per_function_memo
from memlane.ide.folding import regions
from memlane.ide.outline import outline
from memlane.ide.semantic_tokens import Modifier, SemanticToken, Type, symbols, tokens_of
from memlane.ide.snapshot import File
from memlane.ide.token_chunks import Units
from memlane.syntax.editing import pieces
from memlane.syntax.editing.piece import Piece

URI = "file:///a.mlir"
WORDS = (
    *("\n", "x", "%", "{", "}", "}\n", "1", ",", "//", '"', ":2", "%a", " : memref<4xf32>", "^bb1:\n", "func.return\n"),
    *("  %z = memref.alloc() : memref<4xf32>\n", "scf.if %c {\n", "memref.dealloc"),
)
LONG = (
    "func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {\n  %v = memref.alloc() : memref<4xf32>\n"
    + "".join(f"  %x{number} = arith.constant {number} : index\n" for number in range(60))
    + "  scf.if %c {\n    memref.dealloc %v : memref<4xf32>\n  }\n  return %v : memref<4xf32>\n}\n"
)


@pytest.fixture(autouse=True)
def short_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves of few lines, so that short functions have many."""
    monkeypatch.setattr(pieces, "LEAF_LINES", 8)


def _never(_: Piece) -> bool:
    return False


def new() -> Units[tuple[SemanticToken, ...]]:
    """Units that keep their tokens."""
    return Units(lambda _, tokens, __: tokens)


def edited(file: File, edit: Edit) -> File:
    """The next version."""
    source = file.text.source
    source = source[: edit.span.start] + edit.content + source[edit.span.end :]
    return file.edited((file.version or 0) + 1, (source,), file.config, (edit,))


def placed(found: Sequence[tuple[int, tuple[SemanticToken, ...]]]) -> list[tuple[int, int, str, Modifier]]:
    """Tokens with their places in the file."""
    return sorted(
        (start + one.span.start, start + one.span.end, one.type.value, one.modifiers)
        for start, tokens in found
        for one in tokens
    )


def by_all_ops(file: File) -> list[tuple[int, int, str, Modifier]]:
    """The same, from all ops of the file."""
    named = [(0, tuple(token for op in file.tree.walk() for token in tokens_of(file, op)))]
    document = file.document
    mentioned = zip(document.starts, (tuple(symbols(piece.text)) for piece in document.pieces), strict=True)
    return sorted(set(placed([*named, *mentioned])))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_some_ops_say_what_all_say_after_any_edit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    file = File(URI, 1, (generated(chance, 4) + LONG,), Config())
    known, undo = new(), list[Edit]()
    for _ in range(30):
        source = file.text.source
        if undo and chance.random() < 0.4:
            edit = undo.pop()
        else:
            start = chance.randrange(len(source) + 1)
            gone = source[start : start + chance.choice((0, 0, 0, 1, 3, 30))]
            edit = Edit(Span(start, start + len(gone)), chance.choice(WORDS))
            undo.append(Edit(Span(start, start + len(edit.content)), gone))
        file = edited(file, edit)
        all_ = by_all_ops(file)
        assert placed(known.all(file)) == all_
        first = chance.randrange(len(file.text.source) + 1)
        span = Span(first, first + 200)
        for some in (known, new()):
            here = {one for one in placed(some.some(file, span)) if span.start <= one[0] < span.end}
            assert here == {one for one in all_ if span.start <= one[0] < span.end}
        found = [*regions(file)], outline(file)
        whole = File(URI, 1, (file.text.source,), Config())
        with monkeypatch.context() as patch:
            patch.setattr(per_function_memo, "nested", _never)
            assert found == ([*regions(whole)], outline(whole))


def test_an_edit_has_its_own_leaf_looked_at_again() -> None:
    made: list[str] = []
    known = Units[str](lambda text, _, __: made.append(text) or text)
    file = File(URI, 1, (LONG,), Config())
    before = known.all(file)
    assert len(before) == len(made) > 8
    made.clear()
    at = LONG.index("constant 30") + len("constant 3")
    after = known.all(edited(file, Edit(Span(at, at), "7")))
    assert len(made) == 1
    assert "constant 370 " in made[0]
    same = {id(text) for _, text in before} & {id(text) for _, text in after}
    assert len(same) >= len(before) - 2


def test_what_a_value_is_decides_about_tokens_far_away() -> None:
    file, known = File(URI, 1, (LONG,), Config()), new()
    returned = LONG.index("%v : memref<4xf32>\n}")
    kinds = {start: (kind, modifiers) for start, _, kind, modifiers in placed(known.all(file))}
    assert kinds[returned] == (Type.VARIABLE.value, Modifier.ESCAPED)
    at = LONG.index("memref.alloc() : memref<4xf32>")
    other = edited(
        file, Edit(Span(at, at + len("memref.alloc() : memref<4xf32>")), '"t.new"() : () -> (tensor<4xf32>)')
    )
    moved = returned + len(other.text.source) - len(LONG)
    kinds = {start: (kind, modifiers) for start, _, kind, modifiers in placed(known.all(other))}
    assert kinds[moved] == (Type.VARIABLE.value, Modifier.NONE)
    gone = LONG.index("  %v = ")
    renamed = LONG[:gone] + LONG[LONG.index("\n", gone) + 1 :]
    argument = edited(file, Edit(Span(0, len(LONG)), renamed.replace("%m:", "%v:")))
    kinds = {start: (kind, modifiers) for start, _, kind, modifiers in placed(known.all(argument))}
    assert kinds[argument.text.source.index("%v : memref<4xf32>\n}")] == (Type.PARAMETER.value, Modifier.ESCAPED)


def test_what_follows_a_function_is_no_part_of_what_stands_before_it() -> None:
    source = "memref.global @w : memref<4xf32>\nfunc.func @f() {\n  scf.for %i =}\n %a to %b step %c {\n"
    file = File(URI, 1, (source,), Config())
    assert placed(new().all(file)) == by_all_ops(file)
