"""Answers from the functions built for a request equal those from the whole program."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.effort import some
from tests.fuzz.programs import program as generated

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow import Program
from memlane.ide.folding import regions
from memlane.ide.function_excerpt import returns
from memlane.ide.hints import Hint, hints
from memlane.ide.hover import Hover, hover
from memlane.ide.locate import at, enclosing, names
from memlane.ide.outline import outline
from memlane.ide.partial_trees import Nearby
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Op, Value

ROOT = Path(__file__).parents[2]
PROGRAMS = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "tests" / "rules").glob("*.mlir"))]
Roots = dict[tuple[str, Span], tuple[str, Span] | None]


def roots(program: Program, function: Op) -> Roots:
    """The root of each name of a function."""
    aliases = program.aliases(program.functions[function])

    def key(value: Value) -> tuple[str, Span]:
        return value.name, value.span

    return {key(value): key(root) for value, root in aliases.root.items()}


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_aliases_of_one_function_are_those_of_the_program(path: Path) -> None:
    source = path.read_text()
    file = File("file:///a.mlir", 1, (source,), Config())
    whole = [Program(chunk.ops, file.models, source) for chunk in file.tree.chunks]
    for program in whole:
        for op in program.functions:
            place = op.name_span.start
            linked = file.linked(at(place))
            flow = linked.flow(enclosing(linked.tree, place), place)
            near = linked.program(place)
            assert flow is not None
            assert near is not None
            assert roots(near, flow.op) == roots(program, op)


SOURCES = [*(path.read_text() for path in PROGRAMS[::3]), *(generated(random.Random(seed), 4) for seed in range(12))]


@pytest.mark.slow
@pytest.mark.parametrize("checked", [False, True], ids=["unchecked", "checked"])
def test_answers_do_not_depend_on_what_is_built(checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the last check knows of callees, without a check, and with all callees built: the same is said."""
    alone = [answers(source, checked) for source in SOURCES]
    assert sum(map(len, alone)) > 200

    def together(nearby: Nearby, wanted: frozenset[int]) -> None:
        return None

    monkeypatch.setattr(Nearby, "_alone", together)
    assert [answers(source, checked) for source in SOURCES] == alone


def test_what_is_known_of_callees_is_of_the_same_version() -> None:
    source = (
        "func.func private @g(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {\n"
        "  %c = arith.constant 0 : index\n  return %a : memref<4xf32>\n}\n"
        "func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {\n"
        "  %z = call @g(%x, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>\n  return\n}\n"
    )
    file = File("file:///a.mlir", 1, (source,), Config())
    assert file.parts.returning
    start = source.rindex("%a")
    edited = source[:start] + "%b" + source[start + 2 :]
    after = file.edited(2, (edited,), file.config, (Edit(Span(start, start + 2), "%b"),))
    place = source.index("%z") + 1
    told = [hover(one, place, check=check) for one, check in ((file, False), (after, False), (after, True))]
    assert [one is not None and re.findall("← `(%.)`", one.markdown) for one in told] == [["%x"], ["%y"], ["%y"]]


@pytest.mark.slow
def test_findings_near_a_place_are_among_all() -> None:
    chance = random.Random(1)
    for source in SOURCES:
        file = File("file:///a.mlir", 1, (source,), Config())
        for _ in range(10):
            start = chance.randrange(len(source) + 1)
            span = Span(start, min(len(source), start + chance.choice([0, 40])))
            near = [*file.parts.near([span])]
            assert near == [one for one in file.parts.findings if one in near]
            touching = (one for one in file.parts.findings if one.report.span.start <= span.end)
            assert all(one in near for one in touching if span.start <= one.report.span.end)


def answers(source: str, checked: bool) -> list[Hover | list[Hint] | None]:
    """What is said at each fourth name, and at the ends of lines."""
    file = File("file:///a.mlir", 1, (source,), Config())
    if checked:
        _ = file.parts
    places = [match.start() + 1 for match in re.finditer("%", source)][::4]
    return [*(hover(file, place, check=checked) for place in places), hints(file, Span(0, len(source)))]


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_names_at_hand_are_those_of_the_tree(path: Path) -> None:
    file = File("file:///a.mlir", 1, (path.read_text(),), Config())
    for function in file.functions:
        near = [op for op in file.near(at(function.span.start + 1)).walk() if _inside(op, function.span)]
        whole = [op for op in file.tree.walk() if _inside(op, function.span)]
        assert [[name.span for name in names(op)] for op in near] == [[name.span for name in names(op)] for op in whole]


def _inside(op: Op, span: Span) -> bool:
    return span.start <= op.name_span.start < span.end


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("func.func @f(%a: memref<4xf32>) {\n  return\n}\n", False),
        ("func.func @f(%a: index,\n    %b: index) attributes {x} { // why\n  return\n}\n", False),
        ("func.func @f() -> memref<4xf32> {\n  return\n}\n", True),
        ("func.func @f(%a: index)\n    -> (memref<4xf32>,\n  index) {\n}\n", True),
        ('"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n}) : () -> ()\n', True),
        ("func.func @f() { return }\n", True),
    ],
)
def test_what_surely_returns_nothing(text: str, wanted: bool) -> None:
    assert returns(text) is wanted


def folds(file: File) -> list[Span]:
    return sorted(regions(file))


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_folding_is_that_of_the_tree(path: Path) -> None:
    file = File("file:///a.mlir", 1, (path.read_text(),), Config())
    wanted = sorted(Span(op.name_span.start, op.span.end) for op in file.tree.walk() if op.regions)
    assert folds(file) == wanted


PIECES = ["\n", "}", "{", "module @m {\n", "func.func @new() {\n  return\n}\n", "// -----\n", "%a", "@f", "  "]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(10), 2))
def test_what_is_remembered_of_functions_is_what_a_fresh_look_gives(seed: int) -> None:
    chance = random.Random(seed)
    source = "".join(chance.choice(PROGRAMS).read_text() for _ in range(2))
    file = File("file:///a.mlir", 1, (source,), Config())
    for version in range(2, 20):
        start = chance.randrange(len(source) + 1)
        end = min(len(source), start + chance.choice([0, 0, 3, 60]))
        edit = Edit(Span(start, end), chance.choice(PIECES))
        source = source[:start] + edit.content + source[end:]
        file = file.edited(version, (source,), file.config, (edit,))
        fresh = File("file:///a.mlir", 1, (source,), Config())
        assert outline(file) == outline(fresh)
        assert folds(file) == folds(fresh)
