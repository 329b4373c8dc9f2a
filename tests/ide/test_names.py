"""Definition, references, highlights and renaming, in programs of all forms, whole and broken."""

from __future__ import annotations

import pytest
from marked import Marked, marked, unmarked

from memlane.findings import Span
from memlane.ide.definition import definition
from memlane.ide.file_mentions import mention_at
from memlane.ide.highlight import MentionAccess, highlights
from memlane.ide.references import references
from memlane.ide.rename import RenameRefused, rename

NAMES = {
    "argument": """
        func.func @f(«%a»: i32, %b: i32) -> i32 {
          %c = arith.addi «%a», %b : i32
          return «%~a» : i32
        }
        func.func @g(%a: i32) { return }""",
    "after typing it": """
        func.func @f(«%a»: i32) -> i32 {
          return «%a»~ : i32
        }""",
    "result of a pack": """
        func.func @f() -> i32 {
          «%r»:2 = "x.y"() : () -> (i32, i32)
          "x.z"(«%r#0») : (i32) -> ()
          return «%r#~1» : i32
        }""",
    "block argument": """
        func.func @f(%a: i32) -> i32 {
          cf.br ^b(%a : i32)
        ^b(«%x»: i32):
          return «%~x» : i32
        }""",
    "block": """
        func.func @f(%a: i32) {
          cf.br «^b~b»(%a : i32)
        «^bb»(%x: i32):
          cf.br «^bb»(%x : i32)
        }""",
    "loop": """
        func.func @f(%n: index) {
          %c0 = arith.constant 0 : index
          scf.for «%i~» = %c0 to %n step %n {
            "x.use"(«%i») : (index) -> ()
          }
          return
        }""",
    "generic form, forward in a graph region": """
        "builtin.module"() ({
          "x.use"(«%a~») : (i32) -> ()
          «%a» = "x.make"() : () -> i32
        }) : () -> ()""",
    "symbol": """
        module {
          func.func private «@callee»(i32)
          func.func @caller(%a: i32) {
            call «@cal~lee»(%a) : (i32) -> ()
            // @callee is only spoken of here
            "x.y"() {callee = «@callee», other = "@callee"} : () -> ()
            return
          }
        }""",
    "symbol of another table": """
        module @m {
          module @one { func.func private @f(i32) }
          module @two {
            func.func private «@f»(i32)
            func.func @caller(%a: i32) {
              call «@~f»(%a) : (i32) -> ()
              return
            }
          }
        }""",
    "in a broken function": """
        func.func @f(«%a»: i32) -> i32 {
          %b = arith.addi (((
          %c = arith.addi «%~a», %missing : i32
        }""",
    "chunks are programs of their own": """
        func.func @f(%a: i32) { return }
        // -----
        func.func «@f»(%a: i32) { return }
        func.func @g(%a: i32) { call «@f~»(%a) : (i32) -> () return }""",
}


@pytest.fixture(params=NAMES)
def program(request: pytest.FixtureRequest) -> Marked:
    return marked(NAMES[request.param])


def definition_of(program: Marked, places: list[Span]) -> Span:
    """The place that defines: the label for blocks, the one at a function's name for symbols, else the first."""
    source = program.file.text.source
    if source[places[0].start] == "^":
        return next(span for span in places if source[: span.start].endswith("\n" + " " * 8))
    return next((span for span in places if source[span.end :].startswith(" = ")), places[0])


def test_references_are_all_mentions(program: Marked) -> None:
    found = references(program.file, program.cursor)
    source = program.file.text.source
    assert unmarked(source, found) == unmarked(source, program.places)
    wanted = definition_of(program, program.places)
    assert references(program.file, program.cursor, declaration=False) == [s for s in program.places if s != wanted]


def test_definition_is_found_from_every_mention(program: Marked) -> None:
    wanted = definition_of(program, program.places)
    for place in program.places:
        for offset in (place.start, place.end):
            assert definition(program.file, offset) == wanted, program.at(place)


def test_highlights_are_the_references(program: Marked) -> None:
    assert [found.span for found in highlights(program.file, program.cursor) if found.own] == program.places


def test_renaming_changes_every_mention_and_nothing_else(program: Marked) -> None:
    source = program.file.text.source
    edits = rename(program.file, program.cursor, "fresh")
    for edit in reversed(edits):
        source = source[: edit.span.start] + edit.content + source[edit.span.end :]
    again = marked(source)
    assert len(again.file.tree.problems) == len(program.file.tree.problems)
    count = source.count("fresh")
    assert count == len(edits) >= len(program.places)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("%b", "already defined"),
        ("c", "already defined"),
        ("x y", "no name in MLIR"),
        ("größe", "no name in MLIR"),
        ("", "no name"),
    ],
)
def test_names_that_cannot_be_given(new: str, reason: str) -> None:
    program = marked("func.func @f(%~a: i32, %b: i32) -> i32 { %c = arith.addi %a, %b : i32 return %c : i32 }")
    with pytest.raises(RenameRefused, match=reason):
        rename(program.file, program.cursor, new)


def test_freeing_is_highlighted_as_writing() -> None:
    program = marked("""
        func.func @f(%i: index) {
          %m~ = memref.alloc() : memref<4xf32>
          %x = memref.load %m[%i] : memref<4xf32>
          memref.dealloc %m : memref<4xf32>
          return
        }""")
    accesses = [found.access for found in highlights(program.file, program.cursor)]
    assert accesses == [MentionAccess.WRITE, MentionAccess.READ, MentionAccess.WRITE]


@pytest.mark.parametrize("text", ["", "~", "// %~a", '"x.y"() {a = "%~a"} : () -> ()', "@~f"])
def test_where_nothing_is_named(text: str) -> None:
    program = marked(text)
    assert definition(program.file, max(program.cursor, 0)) is None
    assert highlights(program.file, max(program.cursor, 0)) == []


def test_other_names_of_the_memory_are_highlighted_as_well() -> None:
    program = marked(
        """
        func.func @f(%n: index) {
          «%a» = memref.alloc() : memref<8xf32>
          %other = memref.alloc() : memref<8xf32>
          «%v» = memref.cast «~%a» : memref<8xf32> to memref<?xf32>
          %x = memref.load «%v»[%n] : memref<?xf32>
          memref.dealloc «%v» : memref<?xf32>
          memref.dealloc %other : memref<8xf32>
          return
        }"""
    )
    found = highlights(program.file, program.cursor)
    assert [one.span for one in found] == program.places
    write, name, read = MentionAccess.WRITE, MentionAccess.NAME, MentionAccess.READ
    assert [one.access for one in found] == [write, name, read, read, write]
    assert [one.own for one in found] == [True, False, True, False, False]


ALIASED = """
#map = affine_map<(d0) -> (d0)>
!t = memref<4xf32>
#loc1 = loc("model.py":12:5)
#loc2 = loc(callsite(#loc1 at "main.py":1:1))
func.func @f() {
  %a = memref.alloc() : !t loc(#loc2)
  %b = memref.alloc() {m = #map, s = "#map"} : !t loc("#loc1"("model.py":14:1))  // #loc1
  return
}
// -----
#loc2 = loc("other.py":1:1)
func.func @f() {
  return loc(#loc2)
}
"""


@pytest.mark.parametrize(
    ("mention", "line"),
    [("loc(#loc2)", 4), ("callsite(#loc1", 3), ("m = #map", 1), (": !t loc", 2), ("return loc(#loc2", 11)],
)
def test_aliases_are_defined_in_their_chunk(mention: str, line: int) -> None:
    program = marked(ALIASED)
    found = definition(program.file, ALIASED.index(mention) + mention.index("#" if "#" in mention else "!") + 1)
    assert isinstance(found, Span)
    assert program.file.text.position(found.start).line == line


def test_a_location_leads_to_its_file_and_strings_and_comments_nowhere() -> None:
    file = marked(ALIASED).file
    found = mention_at(file, ALIASED.index("model.py") + 2)
    assert found is not None
    assert (found.path, found.line, found.column) == ("model.py", 12, 5)
    for mention in ('"#map"', '"#loc1"', "// #loc1"):
        assert definition(file, ALIASED.index(mention) + mention.index("#") + 1) is None
