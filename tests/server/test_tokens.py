"""Semantic tokens: full, delta and range agree with each other and with the tree, over any edits."""

from __future__ import annotations

import random

import pytest

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.snapshot import File
from memlane_server.tokens import MODIFIER_NAMES, TYPE_NAMES, Tokens

PROGRAM = """\
// 😋
func.func @f(%c: i1, %x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b:2 = "x.two"(%n) : (index) -> (index, index)
  memref.dealloc %a : memref<4xf32>
  %v = memref.load %a[%b#1] : memref<4xf32>
  "😋.use"(%v) : (f32) -> () cf.br ^bb1(%n : index)
^bb1(%k: index):
  %out = memref.alloc() : memref<4xf32>
  return %out : memref<4xf32>
}
func.func @g() { return }
func.func @i() {
  return
}
"""


def decoded(source: str, numbers: list[int], encoding: str = "utf-32") -> list[tuple[int, str, str, str]]:
    """Line (1-based), text, type and modifiers of each token."""
    lines = source.split("\n")
    found: list[tuple[int, str, str, str]] = []
    line = column = 0
    for index in range(0, len(numbers), 5):
        down, right, length, type_, modifiers = numbers[index : index + 5]
        line, column = line + down, right if down else column + right
        shown = lines[line].encode("utf-16-le") if encoding == "utf-16" else lines[line].encode("utf-32-le")
        width = 2 if encoding == "utf-16" else 4
        text = shown[column * width : (column + length) * width].decode(f"{encoding}-le")
        said = [name for bit, name in enumerate(MODIFIER_NAMES) if modifiers >> bit & 1]
        found.append((line + 1, text, TYPE_NAMES[type_], " ".join(said)))
    return found


def file_of(source: str) -> File:
    return File("file:///a.mlir", 1, (source,), Config())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_names_and_their_fates(encoding: str) -> None:
    file = file_of(PROGRAM)
    _ = file.checked
    found = decoded(PROGRAM, Tokens(encoding, only_memory=False).full(file)[1], encoding)
    assert (2, "%c", "parameter", "declaration") in found
    assert (3, "%a", "variable", "declaration") in found
    assert (5, "%a", "variable", "freed") in found
    assert (6, "%a", "variable", "freed") in found
    assert (6, "%b#1", "variable", "") in found
    assert (7, "^bb1", "label", "") in found
    assert (8, "^bb1", "label", "declaration") in found
    assert (7, "%n", "parameter", "") in found
    assert (10, "%out", "variable", "escaped") in found
    names = [("func.func", "operator"), ("@g", "function"), ("return", "operator")]
    assert [one for one in found if one[0] == 12] == [(12, name, kind, "") for name, kind in names]
    memory = decoded(PROGRAM, Tokens(encoding, only_memory=True).full(file)[1], encoding)
    assert [one[:2] for one in memory] == [(5, "%a"), (6, "%a"), (10, "%out")]


def test_what_findings_say_comes_with_them() -> None:
    file = file_of(PROGRAM)
    tokens = Tokens("utf-32", only_memory=False)
    before = decoded(PROGRAM, tokens.full(file)[1])
    assert (6, "%a", "variable", "") in before
    assert not tokens.outdated(file)
    _ = file.checked
    assert tokens.outdated(file)


def edited(file: File, source: str, edit: Edit) -> tuple[File, str]:
    changed = source[: edit.span.start] + edit.content + source[edit.span.end :]
    return file.edited((file.version or 0) + 1, (changed,), file.config, (edit,)), changed


WORDS = [
    "\n",
    "  %z = memref.alloc() : memref<4xf32>\n",
    "}\n",
    "{",
    "%a",
    "// \n",
    "func.func @j() {\n",
    "😋",
    "\r",
    "",
]


@pytest.mark.slow
@pytest.mark.parametrize("only_memory", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_deltas_give_what_a_fresh_look_gives(seed: int, only_memory: bool) -> None:
    chance = random.Random(seed)
    source = PROGRAM
    file = file_of(source)
    tokens = Tokens("utf-16", only_memory)
    identity, numbers = tokens.full(file)
    undo: list[Edit] = []
    for _ in range(40):
        if undo and chance.random() < 0.3:
            edit = undo.pop()
        else:
            start = chance.randrange(len(source) + 1)
            edit = Edit(Span(start, min(len(source), start + chance.choice([0, 0, 1, 5, 40]))), chance.choice(WORDS))
            undo.append(Edit(Span(start, start + len(edit.content)), source[start : edit.span.end]))
        file, source = edited(file, source, edit)
        if chance.random() < 0.5:
            _ = file.checked
        changed = tokens.delta(file, identity)
        assert changed is not None
        identity, at, gone, come = changed
        numbers = [*numbers[:at], *come, *numbers[at + gone :]]
        fresh_file = file_of(source)
        if file.checked_already is not None:
            _ = fresh_file.checked
        fresh = Tokens("utf-16", only_memory)
        assert numbers == fresh.full(fresh_file)[1]
        lines = source.count("\n")
        first = chance.randrange(lines + 1)
        assert fresh.within(fresh_file, first, lines + 9) is not None


def test_a_range_has_the_tokens_of_its_lines() -> None:
    file = file_of(PROGRAM)
    tokens = Tokens("utf-32", only_memory=False)
    whole = decoded(PROGRAM, tokens.full(file)[1])
    assert decoded(PROGRAM, tokens.within(file, 4, 7)) == [one for one in whole if 5 <= one[0] <= 8]


def test_only_what_was_touched_is_sent() -> None:
    source = PROGRAM * 50
    file = file_of(source)
    tokens = Tokens("utf-32", only_memory=False)
    identity, _ = tokens.full(file)
    at = source.index("%n", len(source) // 2)
    file, source = edited(file, source, Edit(Span(at, at), "%"))
    changed = tokens.delta(file, identity)
    assert changed is not None
    assert len(changed[3]) < 500
    assert tokens.delta(file, "other") is None


def test_symbols_are_marked_but_in_comments_and_strings() -> None:
    text = 'func.func private @"a b"()\nfunc.func @f() {\n  "t.op"() {x = "@no", y = @yes::@g$1} : () -> () // @no\n}\n'
    found = decoded(text, Tokens("utf-16", only_memory=False).full(file_of(text))[1], "utf-16")
    assert [one[1] for one in found if one[2] == "function"] == ['@"a b"', "@f", "@yes", "@g$1"]
