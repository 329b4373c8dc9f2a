"""Hovers, highlights and definitions build only the operations concerned, and say what all operations say."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.effort import some
from tests.fuzz.programs import program as generated

from memlane.config import Config
from memlane.ide.definition import definition
from memlane.ide.highlight import highlights
from memlane.ide.hinting import hint
from memlane.ide.hover import hover
from memlane.ide.limits import MAX_EXTRACTS
from memlane.ide.snapshot import File

ROOT = Path(__file__).parents[2]
PROGRAMS = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "tests" / "rules").glob("*.mlir"))]
SOURCES = [*(path.read_text() for path in PROGRAMS[::3]), *(generated(random.Random(seed), 4) for seed in range(12))]
NAMED = re.compile(r"[%^@][\w$.]+(?:#\d+)?|[a-z_]+\.[a-z_.]+")
LONG = (
    "func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {\n  return %m : memref<4xf32>\n}\n"
    "func.func @f(%n: memref<4xf32>, %c: i1) {\n"
    "  %kept = memref.alloc() : memref<4xf32>\n"
    + "".join(f"  %x{number} = arith.constant {number} : index\n" for number in range(40))
    + "  %other = call @same(%kept) : (memref<4xf32>) -> memref<4xf32>\n"
    "  %either = scf.if %c -> memref<4xf32> {\n    scf.yield %other : memref<4xf32>\n"
    "  } else {\n    scf.yield %n : memref<4xf32>\n  }\n"
    "  memref.dealloc %kept : memref<4xf32>\n  return\n}\n"
)


def checked(source: str) -> File:
    """A file of which all is known, with notes."""
    file = File("file:///a.mlir", 1, (source,), Config())
    hint(file)
    _ = file.parts
    file.settle()
    return file


@pytest.mark.slow
@pytest.mark.parametrize("source", some(SOURCES, 10))
def test_some_ops_say_what_all_say(source: str) -> None:
    file, plain = checked(source), File("file:///a.mlir", 1, (source,), Config())
    _ = plain.parts
    plain.portraits.related.clear()
    choose = random.Random(1)
    places = [match.start() + choose.randrange(len(match[0]) + 1) for match in NAMED.finditer(source)]
    for place in choose.sample(places, min(100, len(places))):
        _ = plain.near(None), plain.linked(plain.functions[0].span) if plain.functions else None
        assert hover(file.apart(), place, check=False) == hover(plain, place, check=False), source[place - 30 : place]
        assert definition(file.apart(), place) == definition(plain, place)
        assert highlights(file.apart(), place) == highlights(plain, place), source[place - 30 : place]


def test_a_name_of_several_values_may_name_a_flag_too() -> None:
    """What the flag decides says nothing of the buffer: still all is built that the buffer may be."""
    others = "".join(f"  %x{number} = arith.constant {number} : index\n" for number in range(40))
    source = f"""\
func.func @f(%given: memref<4xf32>, %c: i1) {{
{others}  %a:2 = scf.if %c -> (memref<4xf32>, i1) {{
    %new = memref.alloc() : memref<4xf32>
    %true = arith.constant true
    scf.yield %new, %true : memref<4xf32>, i1
  }} else {{
    %false = arith.constant false
    scf.yield %given, %false : memref<4xf32>, i1
  }}
  scf.if %a#1 {{
    memref.dealloc %a#0 : memref<4xf32>
  }}
  return
}}
"""
    found = hover(checked(source).apart(), source.index("%a:2") + 1, check=False)
    assert found is not None
    assert "one of the buffers `%given` (line 1), `%new` (line 43)" in found.markdown


def test_ops_that_have_nothing_to_do_with_a_name_are_not_built() -> None:
    file = checked(LONG)
    place = LONG.index("%either")
    function = file.about(place).tree.chunks[0].ops[0]
    named = [op.name for op in function.walk()]
    assert function.symbol == "f"
    assert "arith.constant" not in named
    assert {"memref.alloc", "func.call", "memref.dealloc"} <= set(named)
    assert "memref.dealloc" not in [op.name for op in file.apart().named(place).walk()]


USED = (
    "func.func @f(%c: i1, %at: index) {\n  %a = memref.alloc() : memref<4xf32>\n"
    "  %b = memref.cast %a : memref<4xf32> to memref<?xf32>\n"
    "  scf.if %c {\n    %in = memref.load %a[%at] : memref<4xf32>\n"
    + "".join(f"    %first{number} = memref.load %a[%at] : memref<4xf32>\n" for number in range(4))
    + "  } else {\n"
    + "".join(f"    %other{number} = memref.load %a[%at] : memref<4xf32>\n" for number in range(20))
    + "  }\n"
    + "".join(f"  %later{number} = memref.load %b[%at] : memref<?xf32>\n" for number in range(20))
    + "  memref.dealloc %a : memref<4xf32>\n"
    + "".join(f"  %x{number} = arith.constant {number} : index\n" for number in range(60))
    + "  return\n}\n"
)


def test_of_many_uses_those_are_built_that_are_told() -> None:
    file = checked(USED)
    place = USED.index("%a[")
    function = file.about(place, 6).here.tree.chunks[0].ops[0]
    read = [op.results[0].name for op in function.walk() if op.name == "memref.load"]
    assert [name for name in read if "first" in name or "later" in name] == [
        *(f"%first{number}" for number in range(4)),
        *(f"%later{number}" for number in range(3)),
    ]
    told = hover(file, place, check=False)
    assert told is not None
    assert "27 uses." in told.markdown
    assert "used in line 6 (`memref.load` by `%a`), line 7" in told.markdown
    assert "line 32 (`memref.load` by `%b`) and later" in told.markdown


def test_what_tells_of_memory_is_built_once() -> None:
    file = checked(USED)
    places = [match.start() for match in re.finditer("%[ab]\\[", USED)][: MAX_EXTRACTS - 1]
    assert len({id(file.about(place, 6).tree) for place in places}) == 1


def test_highlights_have_all_uses() -> None:
    assert len(highlights(checked(USED), USED.index("%a["))) == 49


def test_an_op_is_not_about_the_memory_it_names() -> None:
    built = [op.name for op in checked(USED).about(USED.index("memref.load")).tree.walk()]
    assert "memref.alloc" not in built


def test_what_is_asked_about_often_is_built_once() -> None:
    file = checked(LONG)
    for number in range(MAX_EXTRACTS + 1):
        tree = file.named(LONG.index(f"%x{number} "))
        built = [op.name for op in tree.walk() if op.name == "arith.constant"]
        assert len(built) == (1 if number < MAX_EXTRACTS else 40)


def test_what_was_built_for_the_one_does_for_the_other() -> None:
    file = checked(LONG)
    assert file.about(LONG.index("%either")).tree is file.named(LONG.index("%kept"))


def test_a_call_that_may_come_back_has_all_of_the_function_built() -> None:
    source = LONG.replace("call @same(%kept)", "call @f(%kept, %c)").replace(
        "@f(%n: memref<4xf32>, %c: i1) {", "@f(%n: memref<4xf32>, %c: i1) -> memref<4xf32> {"
    )
    file = checked(source)
    built = [op.name for op in file.about(source.index("%other")).tree.walk()]
    assert built.count("arith.constant") == 40


def test_a_call_that_is_known_by_its_name_is_not_noted() -> None:
    source = LONG.replace("call @same(%kept) : (", "call @malloc(%kept) : (")
    file = checked(source)
    assert [piece.symbol for piece in file.portraits.related] == ["same"]


def test_flags_in_variables_are_noted() -> None:
    """Which flag is loaded says nothing of which names share memory."""
    flag = (
        "  %flag = memref.alloca() : memref<i1>\n  memref.store %c, %flag[] : memref<i1>\n"
        "  %set = memref.load %flag[] : memref<i1>\n  %again = memref.load %flag[] : memref<i1>\n"
    )
    source = LONG.replace("  %other =", flag + "  %other =")
    built = [op.name for op in checked(source).about(source.index("%either")).tree.walk()]
    assert "memref.dealloc" in built
    assert "arith.constant" not in built
