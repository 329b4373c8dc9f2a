"""Completion in long functions: what is near comes first, what is typed decides of too much, few ops are built."""

from __future__ import annotations

import random

import pytest
from tests.fuzz.programs import program as generated

from memlane.config import Config
from memlane.ide import completion
from memlane.ide.completion import Candidate, completions, first, values_in_scope
from memlane.ide.snapshot import File
from memlane.syntax.editing import pieces
from memlane.syntax.editing.piece import Piece

MANY = (
    "func.func @f() {\n"
    + "".join(f"  %m{number} = memref.alloc() : memref<4xf32>\n" for number in range(600))
    + "".join(f"  %c{number} = arith.constant {number} : index\n" for number in range(50))
)


def file_of(source: str) -> File:
    """A file with no past."""
    return File("file:///a.mlir", 1, (source,), Config())


def test_of_one_kind_the_nearest_comes_first() -> None:
    found = [one.text for one in completions(file_of(f"{MANY}  %x = arith.addi %"), len(MANY) + 19)]
    assert found[:2] == ["%c49", "%c48"]
    assert [text for text in found if text.startswith("%m")][:2] == ["%m599", "%m598"]


def test_of_too_many_those_come_that_have_what_is_typed() -> None:
    source = f"{MANY}  %x = arith.addi %c1"
    found = completions(file_of(source), len(source))
    assert len(found) == 650
    assert [one.text for one in first(found, "%c1", 500)][:3] == ["%c41", "%c31", "%c21"]
    assert {one.text for one in first(found, "%C9", 500)} == {"%c9", "%c19", "%c29", "%c39", "%c49"}
    assert first(found, "%", 500) == found[:500]
    assert first(found, "%c1", 650) == found


def _never(_: Piece) -> bool:
    return False


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_some_ops_tell_what_is_in_scope(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LEAF_LINES", 4)
    chance = random.Random(seed)
    source = generated(chance, 4)
    for _ in range(seed % 3):
        at = chance.randrange(len(source))
        source = source[:at] + chance.choice(("}", "{", "%", "\n", "scf.if %c {\n", "x")) + source[at:]
    file = file_of(source)
    for offset in chance.sample(range(len(source)), 60):
        some = [(value.name, value.span, value.type) for value in values_in_scope(file, offset)]
        with monkeypatch.context() as patch:
            patch.setattr(completion, "is_long", _never)
            assert some == [(value.name, value.span, value.type) for value in values_in_scope(file_of(source), offset)]


CHOICE = """func.func @f(%c: i1, %m: memref<4xf32>) {{
  cf.cond_br %c, ^then, ^else
^then:
  cf.br {0}
{1}
}}
"""


def _at(text: str) -> list[str]:
    """What is offered at the bar, which is taken out."""
    place = text.index("|")
    return [one.text for one in completions(file_of(text.replace("|", "")), place)]


def test_blocks_that_are_named_and_not_written_come_first() -> None:
    """Where one begins none that is there already does, nor what is being typed."""
    assert _at(CHOICE.format("^|", "^else:\n  return")) == ["^else", "^then"]
    assert _at(CHOICE.format("^|", "")) == ["^else", "^then"]
    assert _at(CHOICE.format("^done", "^|")) == ["^done", "^else"]
    assert _at("func.func @f(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^|\n}\n") == ["^a", "^b"]


def test_a_statement_does_not_use_what_it_gives() -> None:
    assert _at("func.func @f(%a: f32) {\n  %s = arith.addf %|\n}\n") == ["%a"]
    assert _at("func.func @f(%a: index) {\n  %r = scf.for %k = %a to %|\n}\n") == ["%a"]
    assert _at("func.func @f(%a: f32) {\n  %s = arith.addf %a, %a : f32\n  %t = arith.addf %|\n}\n") == ["%s", "%a"]


@pytest.mark.parametrize(
    ("behind", "alone"), [("", True), (")", True), ("  // soon", True), ("  %a[%i] : memref<4xf32>", False)]
)
def test_a_name_before_what_is_written_already_comes_alone(behind: str, alone: bool) -> None:
    head = "func.func @f(%a: memref<4xf32>, %i: index) {\n  memref.st"
    found = completions(file_of(f"{head}{behind}\n  return\n}}\n"), len(head))
    store = next(one for one in found if one.text == "memref.store")
    assert bool(store.snippet) == alone


SCOPE = """func.func private @g(index, memref<4xf32>)
func.func private @h(%x: f32, %y: memref<8xf32>)
func.func @f(%n: index, %c: i1, %x: f32, %four: memref<4xf32>, %eight: memref<8xf32>, %t: tensor<4xf32>) {{
  {0}
  return
}}
"""


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("memref.dealloc %|", {"%four", "%eight"}),
        ("memref.copy %four, %|", {"%four", "%eight"}),
        ("%v = memref.load %|", {"%four", "%eight"}),
        ("%v = memref.load %four[%|", {"%n"}),
        ("memref.store %|", {"%x"}),
        ("memref.store %x, %|", {"%four", "%eight"}),
        ("memref.dealloc %| : memref<8xf32>", {"%eight"}),
        ("scf.if %|", {"%c"}),
        ("%s = arith.addf %|", {"%n", "%c", "%x"}),
        ("%s = arith.addi %n, %|", {"%n"}),
        ("call @g(%|", {"%n"}),
        ("call @g(%n, %|", {"%four"}),
        ("call @h(%x, %|", {"%eight"}),
        ("%b = bufferization.to_buffer %|", {"%t"}),
    ],
)
def test_values_of_the_right_type_come_first(typed: str, best: set[str]) -> None:
    assert set(_at(SCOPE.format(typed))[: len(best)]) == best


def _offered(text: str, name: str) -> Candidate:
    place = text.index("|")
    return next(one for one in completions(file_of(text.replace("|", "")), place) if one.text == name)


def test_the_type_comes_with_a_value_that_ends_the_statement() -> None:
    assert _offered(SCOPE.format("memref.dealloc %|"), "%four").insert == "%four : memref<4xf32>"
    assert _offered(SCOPE.format("memref.dealloc %ei|"), "%eight").insert == "%eight : memref<8xf32>"
    assert _offered(SCOPE.format("%v = memref.load %|"), "%four").insert == "%four"


def test_a_type_that_is_there_becomes_that_of_the_value() -> None:
    text = SCOPE.format("memref.dealloc %|buffer : memref<?xf32>  // the last")
    found = _offered(text, "%eight")
    assert found.insert == "%eight"
    assert found.mends is not None
    assert text.replace("|", "")[slice(*found.mends.span)] == "memref<?xf32>"
    assert found.mends.content == "memref<8xf32>"
    assert _offered(text.replace("<?", "<8"), "%eight").mends is None


def test_operations_of_a_file_are_offered_in_it_and_those_of_its_dialects_first() -> None:
    uses = 'npu.load %a : memref<4xf32>\n  "npu.store"(%a) : (memref<4xf32>) -> ()'
    text = f"func.func @f(%a: memref<4xf32>) {{\n  {uses}\n  |\n}}\n"
    assert _at(text.replace("|", "np|")) == ["npu.load", "npu.store"]
    assert _at(text.replace("|", "npu.|")) == ["npu.load", "npu.store"]
    assert _at(text.replace("|", "npu.lo|")) == ["npu.load"]
    assert _at(text.replace("|", "a|"))[0].startswith("arith.")
    assert _at(text.replace("|", "affine.yield\n  a|"))[0].startswith("affine.")
