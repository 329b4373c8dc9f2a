"""Measures of a function from its excerpt equal those in its program, and are reused while they hold."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.effort import some
from tests.ide.measured import portrait

from memlane.config import Config
from memlane.dialects.model import Models
from memlane.findings import Edit, Span
from memlane.ide import profile_cache
from memlane.ide.lanes import FunctionLanes, lanes_of
from memlane.ide.profile_cache import function_at, order_of
from memlane.ide.snapshot import File
from memlane.memory_report import assumptions, usage
from memlane.syntax import parse
from memlane.syntax.tree.tree import Tree

ROOT = Path(__file__).parents[2]
PROGRAMS = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "tests" / "rules").glob("*.mlir"))]

CALLS = """\
module {
  memref.global "private" @table : memref<4xf32>
  func.func @outer(%n: index) {
    %a = memref.alloc(%n) : memref<?xf32>
    call @free(%a) : (memref<?xf32>) -> ()
    return
  }
  func.func private @free(%m: memref<?xf32>) {
    %inner = memref.alloc() : memref<8xf32>
    call @leaf() : () -> ()
    memref.dealloc %inner : memref<8xf32>
    memref.dealloc %m : memref<?xf32>
    return
  }
  func.func @leaf() {
    %b = memref.alloc() : memref<1024xf32>
    memref.dealloc %b : memref<1024xf32>
    return
  }
  func.func @apart() {
    return
  }
}
// -----
func.func @leaf() {
  return
}
"""


def file_of(source: str) -> File:
    return File("file:///a.mlir", 1, (source,), Config())


def in_whole(file: File) -> dict[Span, FunctionLanes]:
    """The functions as they are in their program, by place."""
    source = file.text.source
    found = [lanes_of(one, file.text) for one in usage(source, file.config, assumptions(source, file.config))]
    return {one.span: one for one in found}


@pytest.mark.slow
@pytest.mark.parametrize("path", some(PROGRAMS, 20), ids=lambda path: path.stem)
def test_excerpts_are_enough(path: Path) -> None:
    file = file_of(path.read_text())
    whole = in_whole(file)
    for function in file.functions:
        found = portrait(file, function)
        if found is not None:
            assert found == whole[found.span]
    assert {one.span for function in file.functions if (one := portrait(file, function))} == set(whole)


def test_an_excerpt_holds_what_is_called_and_who_calls_a_private_function() -> None:
    file = file_of(CALLS)
    sources = {function.symbol: order_of(file, function).task.source for function in file.functions[:4]}
    heads = ("@outer(", "@free(%m", "@leaf()", "@apart")
    mentioned = {name: {head for head in heads if head in text} for name, text in sources.items()}
    assert mentioned == {
        "outer": {"@outer(", "@free(%m", "@leaf()"},
        "free": {"@outer(", "@free(%m", "@leaf()"},
        "leaf": {"@leaf()"},
        "apart": {"@apart"},
    }
    assert all("@table" in text for text in sources.values())
    assert "1024" not in order_of(file, file.functions[4]).task.source


def test_only_what_an_edit_can_change_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    real = profile_cache.measure

    def counted(task: profile_cache.Task, config: Config) -> FunctionLanes | None:
        found = real(task, config)
        measured.append(found.name if found else "?")
        return found

    monkeypatch.setattr(profile_cache, "measure", counted)
    file = file_of(CALLS)
    for function in file.functions:
        portrait(file, function)
    assert measured == ["outer", "free", "leaf", "apart", "leaf"]
    for old, new, again in (("module", "\n\nmodule", []), ("1024", "2048", ["outer", "free", "leaf"])):
        at = file.text.source.index(old)
        source = file.text.source.replace(old, new)
        edits = [Edit(Span(file.text.source.index(old), at + len(old)), new)]
        if old == "1024":
            again_at = file.text.source.index(old, at + 1)
            source = file.text.source[:at] + new + file.text.source[at + len(old) :]
            assert again_at > at
        file = file.edited(2, (source,), file.config, tuple(edits))
        measured.clear()
        whole = in_whole(file) if old == "module" else None
        found = [portrait(file, function) for function in file.functions]
        assert measured == again
        if whole is not None:
            assert found == list(whole.values())


def test_what_private_functions_have_in_common_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(source: str, models: Models) -> Tree:
        read.append(source)
        return parse(source, models)

    monkeypatch.setattr(f"{profile_cache.__name__}.parse", counted)
    private = "func.func private @g{0}(%a: memref<{0}xf32>) {{\n  memref.dealloc %a : memref<{0}xf32>\n  return\n}}\n"
    made = "  %a{0} = memref.alloc() : memref<{0}xf32>\n  call @g{0}(%a{0}) : (memref<{0}xf32>) -> ()\n"
    callees, calls = ("".join(one.format(number) for number in range(4)) for one in (private, made))
    file = file_of(f"{callees}func.func @f() {{\n{calls}  return\n}}\nfunc.func @h() {{\n  return\n}}\n")
    whole = in_whole(file)
    profile_cache.forget()
    for function in file.functions:
        found = portrait(file, function)
        assert found is not None
        assert found == whole[found.span]
    assert len(read) == 2


def test_what_is_measured_depends_on_the_configuration() -> None:
    file = file_of("func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n")
    [function] = file.functions
    known = portrait(file, function)
    assert known is not None
    assert known.peak.expression == "4*%n"
    assumed = replace(file.config, values={**file.config.values, "assume.dynamic-size": 10})
    other = file.with_config(assumed)
    again = portrait(other, other.functions[0])
    assert again is not None
    assert again.peak.number == 40


def test_numbers_for_dimensions_hold_in_one_function_or_all() -> None:
    body = "{\n  %a = memref.alloc(%n, %d) : memref<?x?xi8>\n  return\n}\n"
    file = file_of("".join(f"func.func @{name}(%n: index, %d: index) {body}" for name in "fg"))
    sizes = {"@f %n": 10, "%n": 20, "@g %d": 3}
    other = file.with_config(replace(file.config, values={**file.config.values, "assume.sizes": sizes}))
    f, g = (portrait(other, function) for function in other.functions)
    assert f is not None and g is not None
    assert (f.peak.expression, f.unknowns) == ("10*%d", ("%d",))
    assert (g.peak.number, g.unknowns) == (60, ())


def test_functions_are_found_by_place() -> None:
    file = file_of(CALLS)
    for function in file.functions:
        inside = random.Random(1).randrange(function.span.start, function.span.end)
        assert function_at(file, inside) is function
    assert function_at(file, 0) is None
