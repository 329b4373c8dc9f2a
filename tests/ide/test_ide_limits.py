"""Where answers about a name or a place end: the last number that is shown or looked at, and what is said of more."""

from __future__ import annotations

import re

import pytest
from test_partial_trees_of_names import checked
from tests.ide.measured import portrait

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.hints import HintKind, hints, unprepared
from memlane.ide.hover import hover
from memlane.ide.portraits import Portraits
from memlane.ide.profile_cache import function_at
from memlane.ide.signature import signature
from memlane.ide.snapshot import File

TYPE = "memref<4xf32>"
MORE = "memref<?xf32>"


def file_of(source: str) -> File:
    return File("file:///a.mlir", 1, (source,), Config())


def hovered(source: str, mention: str) -> str:
    """The hover at the last mention."""
    found = hover(file_of(source), source.rindex(mention) + 1)
    assert found is not None
    return found.markdown


def function(*lines: str, arguments: str = "") -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @f({arguments}) {{\n{body}  return\n}}\n"


@pytest.mark.parametrize(
    ("steps", "relation", "last"), [(6, "A view of part of `%v0`", "%v0"), (7, "May stand for the buffer `%v0`", "%v1")]
)
def test_the_steps_back_to_a_buffer(steps: int, relation: str, last: str) -> None:
    """Six; what it is of the buffer is said where all of them are."""
    made = f"%v0 = memref.alloc() : {TYPE}"
    views = (
        f"%v{number} = memref.subview %v{number - 1}[0] [4] [1] : {TYPE} to {TYPE}" for number in range(1, steps + 1)
    )
    found = hovered(function(made, *views, f"memref.dealloc %v0 : {TYPE}"), f"%v{steps} ")
    assert relation in found
    [names] = re.findall("Comes from (.*)\\.\n", found)
    assert len(re.findall("`(%v\\d+)`", names)) == 7 and names.split(" ← ")[-1].startswith(f"`{last}`")


@pytest.mark.parametrize(("uses", "listed", "more"), [(4, 4, False), (5, 5, False), (6, 5, True), (90, 5, True)])
def test_the_uses_that_keep_a_buffer(uses: int, listed: int, more: bool) -> None:
    made = f"%a = memref.alloc() : {TYPE}"
    loads = (f"%x{number} = memref.load %a[%i] : {TYPE}" for number in range(uses))
    found = hovered(function(made, *loads, f"memref.dealloc %a : {TYPE}", arguments="%i: index"), "%a = ")
    assert found.count("(`memref.load` by `%a`)") == listed
    assert ("and later" in found) == more


@pytest.mark.parametrize(("names", "said"), [(6, ""), (7, " and 1 more"), (60, " and 54 more")])
def test_the_other_names_of_a_buffer(names: int, said: str) -> None:
    made = f"%a = memref.alloc() : {TYPE}"
    casts = (f"%c{number} = memref.cast %a : {TYPE} to {MORE}" for number in range(names))
    found = hovered(function(made, *casts, f"memref.dealloc %a : {TYPE}"), "%a = ")
    [listed] = re.findall("Other names of the same memory: (.*)\\.", found)
    assert listed.count("`%c") == 6 and listed.endswith(f"`%c5` (line 8){said}")


@pytest.mark.parametrize(("buffers", "said"), [(4, "`%b0` 4 B."), (5, "`%b1` 8 B and 1 more."), (60, " and 56 more.")])
def test_the_buffers_of_a_function(buffers: int, said: str) -> None:
    made = [f"%b{number} = memref.alloc() : memref<{number + 1}xf32>" for number in range(buffers)]
    freed = [f"memref.dealloc %b{number} : memref<{number + 1}xf32>" for number in range(buffers)]
    file = file_of(function(*made, *freed))
    asked = function_at(file, 12)
    assert asked is not None
    found = hover(file, 12, measured=portrait(file, asked))
    assert found is not None
    [listed] = re.findall(f" {buffers} buffers: (.*)", found.markdown)
    assert listed.count("`%b") == 4 and listed.startswith(f"`%b{buffers - 1}`") and listed.endswith(said)


def label(body: list[str], flags: int) -> str:
    """The lifetime hint of `%a` in a function of that body."""
    made = "%a = memref.alloc() : memref<131072xf32>"
    arguments = ", ".join(["%i: index", *(f"%c{number}: i1" for number in range(flags))])
    text = function(made, *body, arguments=arguments)
    place = text.index("memref")
    [hint] = hints(file_of(text), Span(place, place), frozenset({HintKind.LIFETIME}))
    return hint.label


@pytest.mark.parametrize(
    ("paths", "said"), [(9, "freed on 1 of 9 paths"), (10, "not freed on every path"), (99, "not freed on every path")]
)
def test_the_paths_on_which_a_buffer_is_freed(paths: int, said: str) -> None:
    """Nine; of more none are counted."""
    free = "memref.dealloc %a : memref<131072xf32>"
    body = [f"scf.if %c{number} {{" for number in range(paths - 1)] + [free] + ["}"] * (paths - 1)
    assert label(body, paths - 1) == said


@pytest.mark.parametrize(("operations", "said"), [(1_900, "freed on 1 of 2 paths"), (2_000, "not freed on every path")])
def test_the_operations_on_these_paths(operations: int, said: str) -> None:
    read = [f"%x{number} = arith.constant {number} : index" for number in range(operations)]
    assert label([*read, "scf.if %c0 {", "memref.dealloc %a : memref<131072xf32>", "}"], 1) == said


@pytest.mark.parametrize(("size", "prepared"), [(99_990, 2), (100_010, 1)])
def test_a_long_function_is_not_prepared(size: int, prepared: int) -> None:
    """Its hints are made when they are asked for."""
    made = "%a = memref.alloc() : memref<131072xf32>"
    plain = function(made).replace("@f", "@g")
    long = function(made, "//")
    file = file_of(plain + long.replace("//", f"// {'x' * (size - len(long) - 1)}"))
    _ = file.parts
    assert len(unprepared(file)) == prepared
    place = file.text.source.rindex("memref.alloc")
    assert [hint.label for hint in hints(file, Span(place, place), frozenset({HintKind.LIFETIME}))] == ["never freed"]


def test_functions_that_were_measured_are_remembered_until_there_are_many() -> None:
    """The one that was not asked about for longest goes."""
    portraits, config = Portraits(), Config()
    for number in range(5_000):
        portraits.keep(str(number).encode(), config, number)
    assert portraits.known(b"0", config) == (0,)
    portraits.keep(b"one more", config, 1)
    assert [portraits.known(key, config) for key in (b"0", b"1", b"2", b"one more")] == [(0,), None, (2,), (1,)]


@pytest.mark.parametrize(("both", "others"), [(31, 0), (32, 1)])
def test_the_uses_that_tell_which_memory_is_meant(both: int, others: int) -> None:
    """What all of the first ones name beside it is looked at as well; what is said is the same."""
    copies = (f"memref.copy %a, %b : {TYPE} to {TYPE}" for _ in range(both))
    alone = f"%x = memref.load %a[%i] : {TYPE}"
    cast = f"%c = memref.cast %b : {TYPE} to {MORE}"
    fill = (f"%n{number} = arith.constant {number} : index" for number in range(100))
    source = function(*copies, alone, cast, *fill, arguments=f"%a: {TYPE}, %b: {TYPE}, %i: index")
    file, place = checked(source), source.index("%a, %b :")
    built = [op.name for op in file.about(place, 6).tree.walk()]
    assert built.count("memref.cast") == others
    assert hover(file.apart(), place, check=False) == hover(file_of(source), place, check=False)


@pytest.mark.parametrize(("before", "found"), [(1_900, True), (2_100, False)])
def test_the_text_before_a_place_that_may_begin_a_call(before: int, found: bool) -> None:
    callee = "func.func private @g(%x: i32, %y: i32) -> i32\n"
    source = callee + function(f"call @g({'%v' + '0' * before}, ")
    shown = signature(file_of(source), source.index(", \n") + 2)
    assert (shown is not None) == found
    assert shown is None or (shown.active, shown.label.count("%")) == (1, 2)


@pytest.mark.parametrize(("edits", "shared"), [(100, True), (101, False)])
def test_edits_that_nobody_looks_at(edits: int, shared: bool) -> None:
    """A hundred are read together, and what they leave is what it was; of more the text is read anew."""
    source = function().replace("@f", "@g") + function()
    first = last = file_of(source)
    assert len(first.document.pieces) == 2
    place = len(source) - len("  return\n}\n")
    for number in range(edits):
        source = source[:place] + "\n" + source[place:]
        last = last.edited(number, (source,), last.config, (Edit(Span(place, place), "\n"),))
    assert last.document.source == source
    assert (last.document.pieces[0] is first.document.pieces[0]) == shared
