"""Hints, hovers, completion, outline and code actions: what editors show about memory."""

from __future__ import annotations

import pytest
from marked import marked

from memlane.findings import Span
from memlane.fixes import apply
from memlane.ide import fixes
from memlane.ide.buffer_names import deallocations, declarations
from memlane.ide.calls import function_here
from memlane.ide.completion import completions, values_in_scope
from memlane.ide.hints import HintKind, hints
from memlane.ide.hover import hover
from memlane.ide.outline import outline
from memlane.ide.snapshot import File
from memlane.text import Text

PROGRAM = """\
func.func @f(%n: index, %c: i1) {
  %lost = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloc() : memref<4xf32>
  %maybe = memref.alloc() : memref<2xf64>
  %v = memref.load %a[%n] : memref<4xf32>
  memref.store %v, %lost[%n] : memref<?xf32>
  %x = arith.mulf %v, %v : f32
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    memref.dealloc %maybe : memref<2xf64>
  }
  return
}
"""


def lines(file: File, kinds: frozenset[HintKind], span: Span | None = None) -> dict[int, str]:
    """The hints by line, 1-based."""
    found = hints(file, span or Span(0, len(file.text.source)), kinds)
    for hint in found:
        place = file.text.position(hint.offset)
        assert hint.offset == file.text.line_end(place.line)
    return {file.text.position(hint.offset).line + 1: hint.label for hint in found}


def test_hints_tell_size_and_life_of_buffers() -> None:
    file = marked(PROGRAM).file
    found = lines(file, frozenset(HintKind))
    assert found.pop(8).endswith("after the last use (L5)")
    assert found == {
        2: "4*%n B, never freed",
        3: "16 B, lives to L8",
        4: "16 B, freed on 1 of 2 paths",
    }


def test_hints_by_kind_and_range() -> None:
    file = marked(PROGRAM).file
    assert lines(file, frozenset({HintKind.SIZE})) == {2: "4*%n B", 3: "16 B", 4: "16 B"}
    assert set(lines(file, frozenset({HintKind.LATE}))) == {8}
    third = Span(file.text.offset(2, 0), file.text.line_end(2))
    assert set(lines(file, frozenset(HintKind), third)) == {3}
    assert lines(file, frozenset()) == {}


VIEWS = """
    func.func @f(%c: i1) {{
      «%a» = memref.alloc() : memref<8xf32>
      «%b» = memref.alloc() : memref<8xf32>
      %one = arith.select %c, %a, %b : memref<8xf32>
      %part = memref.subview %one[0] [4] [1] : memref<8xf32> to memref<4xf32>
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs({cursor} : memref<4xf32>)
      «memref.dealloc» %one : memref<8xf32>
      return
    }}"""


def test_declaration_and_implementation_follow_the_memory() -> None:
    program = marked(VIEWS.format(cursor="%p~art"))
    a, b, free = program.places
    assert declarations(program.file, program.cursor) == [a, b]
    assert deallocations(program.file, program.cursor) == [free]
    program = marked("func.func @f(%n~: index) { return }")
    assert declarations(program.file, program.cursor) == deallocations(program.file, program.cursor) == []


def test_hover_on_a_view_names_the_memory_and_what_is_wrong_with_it() -> None:
    program = marked(VIEWS.format(cursor="%p~art"))
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "one of the buffers `%a` (line 3), `%b` (line 4)" in found.markdown
    assert "Other names of the same memory: `%one` (line 5)." in found.markdown
    assert "**possible-leak** (line 3)" in found.markdown


def test_hover_on_an_op_tells_its_effects() -> None:
    program = marked("""
        func.func @f(%a: memref<2xi8>, %b: memref<2xi8>) {
          memref.c~opy %a, %b : memref<2xi8> to memref<2xi8>
          return
        }""")
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "reads `%a`" in found.markdown
    assert "writes `%b`" in found.markdown


def test_hover_on_an_unknown_op_says_how_to_describe_it() -> None:
    program = marked("func.func @f(%a: memref<2xi8>) { npu.lo~ck %a : memref<2xi8> return }")
    found = hover(program.file, program.cursor)
    assert found is not None
    assert '[op."npu.lock"]' in found.markdown


def test_values_in_scope_are_those_of_the_blocks_around() -> None:
    program = marked("""
        func.func @other(%z: i32) { return }
        func.func @f(%n: index, %c: i1) {
          %a = memref.alloc() : memref<4xf32>
          %r = scf.if %c -> f32 {
            %inner = arith.constant 0.0 : f32
            scf.yield %inner : f32
          } else {
            %k = arith.constant 1.0 : f32
            memref.dealloc %~
            scf.yield %k : f32
          }
          %later = arith.constant 2 : i32
          return
        }""")
    assert [value.name for value in values_in_scope(program.file, program.cursor)] == ["%k", "%a", "%n", "%c"]
    found = completions(program.file, program.cursor)
    assert found[0].text == "%a"
    assert found[0].detail == "memref<4xf32>"
    assert program.at(found[0].span) == "%"


def test_blocks_symbols_and_operations_are_completed() -> None:
    program = marked("func.func @f() {\n  cf.br ^~\n^bb1:\n  return\n}\nfunc.func @g() { return }")
    assert [one.text for one in completions(program.file, program.cursor)] == ["^bb1"]
    program = marked("func.func @f() {\n  call @~\n}\nfunc.func @g() { return }")
    assert {one.text for one in completions(program.file, program.cursor)} >= {"@f"}
    program = marked("func.func @f() {\n  %a = memref.all~\n}")
    found = completions(program.file, program.cursor)
    assert {"memref.alloc", "memref.alloca"} <= {one.text for one in found}
    assert program.at(found[0].span) == "memref.all"
    for nothing in ("// memref.~", '"x.y"() {a = "memref.~', "%a = arith.addi %b memref.~"):
        program = marked(nothing)
        assert completions(program.file, program.cursor) == []


def test_outline_of_chunks_and_nested_modules() -> None:
    program = marked("""
        module @m { func.func @f() { %a = memref.alloc() : memref<2xi8> return } }
        // -----
        memref.global @table : memref<4xi8>
        func.func @g() { return }""")
    first, second = outline(program.file)
    assert [(entry.name, [child.name for child in entry.children]) for entry in first.children] == [("m", ["f"])]
    assert [child.name for child in first.children[0].children[0].children] == ["%a"]
    assert [entry.name for entry in second.children] == ["table", "g"]


def test_a_leak_is_repaired_where_it_is_touched() -> None:
    file = marked(PROGRAM).file
    line = Span(file.text.offset(1, 0), file.text.line_end(1))
    [repair] = fixes.repairs(file, line)
    assert repair.finding.rule.name == "leak"
    repaired = marked(apply(file.text.source, repair.fix.edits)).file
    assert "leak" not in {finding.rule.name for finding in repaired.checked.findings}
    assert list(fixes.repairs(file, Span(0, 0))) == []


def test_a_deallocation_at_the_wrong_place_is_moved_from_there() -> None:
    """What is told at the uses behind it is repaired once where the deallocation stands, and not where the buffer is
    made, of which nothing would change."""
    early = """func.func @f(%a: memref<4xf32>) {
          %t = memref.alloc() : memref<4xf32>
          memref.dealloc %t : memref<4xf32>
          memref.copy %a, %t : memref<4xf32> to memref<4xf32>
          memref.copy %t, %a : memref<4xf32> to memref<4xf32>
          return
        }"""
    file = marked(early).file
    assert [one.rule.name for one in file.checked.findings] == ["use-after-free"] * 2
    for place in (file.text.offset(2, 0), file.text.offset(2, 30), file.text.line_end(2)):
        [repair] = fixes.repairs(file, Span(place, place))
        repaired = marked(apply(file.text.source, repair.fix.edits)).file
        assert repaired.checked.findings == ()
    for line in (1, 5):
        assert list(fixes.repairs(file, Span(file.text.offset(line, 0), file.text.line_end(line)))) == []


def test_all_safe_fixes_at_once() -> None:
    file = marked(PROGRAM).file
    edits = fixes.differences(file.text, fixes.FixAll(file.text.source).run(file.config))
    repaired = marked(apply(file.text.source, tuple(edits))).file
    rules = {finding.rule.name for finding in repaired.checked.findings}
    assert not rules & {"leak", "possible-leak", "late-free"}
    assert fixes.FixAll(repaired.text.source).run(repaired.config) == repaired.text.source


def test_differences_are_edits_of_whole_lines() -> None:
    before, after = Text("a\nb\nc\n"), "a\nx\ny\nc"
    edits = fixes.differences(before, after)
    assert apply(before.source, tuple(edits)) == after
    assert fixes.differences(before, before.source) == []


def test_hover_on_a_store_does_not_keep_a_number() -> None:
    program = marked(
        "func.func @f(%m: memref<4xf32>, %n: index, %e: f32) {\n"
        "  memref.st~ore %e, %m[%n] : memref<4xf32>\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "* writes `%m`" in found.markdown
    assert "keeps" not in found.markdown


def test_hover_on_a_store_keeps_a_buffer() -> None:
    program = marked(
        "func.func @f(%m: memref<4xmemref<2xf32>>, %n: index, %e: memref<2xf32>) {\n"
        "  memref.st~ore %e, %m[%n] : memref<4xmemref<2xf32>>\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert "* keeps `%e`" in found.markdown


def test_a_comment_that_silences_two_findings_is_offered_once() -> None:
    program = marked("func.func @f() {\n  ö a ö \n  return\n}\n~")
    start = program.file.text.source.index("ö")
    found = list(fixes.silences(program.file, Span(start, start + 5)))
    assert len(program.file.checked.findings) > 1
    assert [one.fix.message for one in found] == ["Ignore syntax here"]


def test_hover_on_a_comment_that_silences_shows_the_rule() -> None:
    program = marked(
        "func.func @f() {\n  %a = memref.alloc() : memref<8xf32>  // memlane: ignore[le~ak] why not\n  return\n}\n"
    )
    found = hover(program.file, program.cursor)
    assert found is not None
    assert found.markdown.startswith("# leak\n")
    assert "## Why is this bad?" in found.markdown
    assert program.at(found.span) == "// memlane: ignore[leak] why not"


def test_completion_offers_to_free_what_lives() -> None:
    program = marked(
        "func.func @f(%n: index, %x: memref<4xf32>) {\n  %a = memref.alloc() : memref<4xf32>\n"
        "  %b = memref.alloc() : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  memref.dealloc %~\n  return\n}\n"
    )
    found = [one.text for one in completions(program.file, program.cursor)]
    assert found == ["%b", "%x", "%a", "%n"]


def test_calls_with_too_few_arguments() -> None:
    """What a function gives back may be an argument that a half-written call does not have."""
    head = "func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32>"
    callee = f"{head} {{\n  return %y : memref<4xf32>\n}}\n"
    call = "  %r = func.call @g() : () -> memref<4xf32>\n"
    program = marked(f"{callee}func.func @f() {{\n{call.replace('r', '~r', 1)}  return\n}}\n")
    found = hover(program.file, program.cursor)
    assert found is not None and "memref<4xf32>" in found.markdown
    assert [hint.label for hint in hints(program.file, Span(0, len(program.file.text.source)))] == ["borrowed"]


@pytest.mark.slow
def test_what_becomes_of_an_argument_after_any_number_of_calls() -> None:
    """A function tells of what those do that it calls, without recursion."""
    one = "func.func @f{0}(%a: memref<4xf32>) {{\n  func.call @f{1}(%a) : (memref<4xf32>) -> ()\n  return\n}}\n"
    chain = "".join(one.format(number, number + 1) for number in range(1200))
    last = "func.func @f1200(%a: memref<4xf32>) {\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
    found = function_here(marked(f"~{chain}{last}").file, chain.index("@"))
    assert found is not None and found.detail == "frees %a"


def test_hints_in_what_nothing_closes() -> None:
    """The paths of a finding are not told where its operation is in the text of none."""
    program = """\
func.func @f(%p: i1) -> memref<8xi32> {
  %a = memref.alloc() : memref<8xi32>
  linalg.generic {iterator_types = ["parallel"]} outs(%a : memref<8xi32>) {
  memref.dealloc %a : memref<8xi32>"""
    assert [hint.label for hint in hints(marked(f"{program}~").file, Span(0, len(program)))] != []
