"""What a fix may touch: no byte outside its edits changes, whatever the text looks like."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.fixes import Fixer, apply, fix_all

LEAK = """func.func @f(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %x : memref<4xf32> to memref<4xf32>
  return
}
"""
FREE = "memref.dealloc %a : memref<4xf32>"


def lines(text: str) -> list[str]:
    return text.split("\n")


def fixed_line(source: str, follows: str) -> str:
    """The one line that `fix_all` puts in; it stands right after the line that holds `follows`."""
    after = fix_all(source)
    before, now = lines(source), lines(after)
    place = next(i for i, line in enumerate(before) if follows in line) + 1
    assert now[:place] == before[:place]
    assert now[place + 1 :] == before[place:]
    return now[place]


def test_plain() -> None:
    assert fixed_line(LEAK, "%x, %a") == f"  {FREE}"


def test_carriage_returns() -> None:
    assert fixed_line(LEAK.replace("\n", "\r\n"), "%x, %a") == f"  {FREE}\r"


def test_only_one_line_ends_so() -> None:
    source = LEAK.replace("memref<4xf32>\n  memref.copy %x, %x", "memref<4xf32>\r\n  memref.copy %x, %x")
    assert fixed_line(source, "%x, %a") == f"  {FREE}\r"


def test_tabs() -> None:
    assert fixed_line(LEAK.replace("  ", "\t\t"), "%x, %a") == f"\t\t{FREE}"


@pytest.mark.parametrize("indent", ["", " ", "       ", "\t "])
def test_indentation_of_the_last_use(indent: str) -> None:
    source = LEAK.replace("  memref.copy %x, %a", f"{indent}memref.copy %x, %a")
    assert fixed_line(source, "%x, %a") == f"{indent}{FREE}"


@pytest.mark.parametrize("comment", ["// needed no more", "//", "// %a: Größe 4×4 \U0001f680 \u2028 x", "  // {{ } ("])
def test_comments_stay(comment: str) -> None:
    source = LEAK.replace(
        "%x, %a : memref<4xf32> to memref<4xf32>", f"%x, %a : memref<4xf32> to memref<4xf32> {comment}"
    )
    assert fixed_line(source, "%x, %a") == f"  {FREE}"


def test_names_beyond_ascii_in_comments_do_not_shift_edits() -> None:
    source = "// \U0001f680 äöü\n" * 3 + LEAK
    assert fixed_line(source, "%x, %a") == f"  {FREE}"


def test_statement_over_several_lines() -> None:
    source = LEAK.replace("%x, %a : memref<4xf32>", "%x, %a :\n      memref<4xf32>\n     ")
    assert fixed_line(source, "      to memref") == f"  {FREE}"


def test_one_line_function() -> None:
    source = "func.func @f() { %a = memref.alloc() : memref<4xf32> func.return }\n"
    assert fix_all(source) == source.replace("func.return", f"{FREE} func.return")


def test_several_statements_on_a_line() -> None:
    source = LEAK.replace("\n  memref.copy %x, %x", " memref.copy %x, %x")
    assert fix_all(source).replace(f" {FREE}", "", 1) == source
    assert f"to memref<4xf32> {FREE} memref.copy" in fix_all(source)


def test_no_line_end_at_the_end() -> None:
    source = LEAK.removesuffix("\n")
    assert fixed_line(source, "%x, %a") == f"  {FREE}"


def test_branch_on_one_line() -> None:
    source = """func.func @f(%c: i1, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c { memref.copy %x, %a : memref<4xf32> to memref<4xf32> } // x
  return
}
"""
    assert fixed_line(source, "scf.if") == f"  {FREE}"


def test_move_takes_the_comment_along() -> None:
    source = LEAK.replace("  return", f"  {FREE}   // give it back\n  return")
    after = fix_all(source)
    assert lines(after)[3] == f"  {FREE}   // give it back"
    assert sorted(lines(after)) == sorted(lines(source))


def test_rest_of_the_file_is_not_touched() -> None:
    other = "func.func @other(  %y :memref<4xf32> ){\r\n\treturn // ok\r\n}\n\n\n"
    source = other + LEAK + other.replace("@other", "@third")
    after = fix_all(source)
    assert after.startswith(other) and after.endswith(other.replace("@other", "@third"))


def test_edits_do_not_overlap_and_apply_in_any_order() -> None:
    source = LEAK.replace("  return", f"  {FREE}\n  return")
    checked = check(source)
    fixer = Fixer(checked, Config())
    fixes = [fix for finding in checked.findings if (fix := fixer.fix(finding)) is not None]
    assert fixes
    for fix in fixes:
        spans = [edit.span for edit in fix.edits]
        assert all(one.end <= two.start for one, two in pairwise(spans))
        assert apply(source, fix.edits) == apply(source, fix.edits[::-1])


def test_chunks_are_fixed_apart() -> None:
    source = LEAK + "// -----\n" + LEAK
    assert fix_all(source) == fix_all(LEAK) + "// -----\n" + fix_all(LEAK)


def test_nothing_to_do() -> None:
    fixed = fix_all(LEAK)
    assert fix_all(fixed) == fixed
    assert fix_all("") == ""
    assert fix_all("not mlir at all {{{") == "not mlir at all {{{"


def test_what_cannot_be_read_may_use_the_buffer() -> None:
    broken = LEAK.replace("  return", "  memref.store %x[ : ] %a ( memref<4xf32>\n  return")
    assert any(finding.rule.name == "syntax" for finding in check(broken).findings)
    assert fix_all(broken) == broken
    assert FREE in fix_all(broken, unsafe=True)


def test_words_are_put_right_only_where_that_reads_better() -> None:
    torn = (
        "func.func @f(%a: memref<4xf32>, %i: index) {\n  %b = memref.alloca() : memref<4xf32 %a[%i] : memref<4xf32>\n"
        "  %c =>\n  return\n}\n"
    )
    assert any("did you mean f32" in finding.report.message for finding in check(torn).findings)
    assert fix_all(torn, unsafe=True) == torn
    typed = "func.func @g(%i: indx) {\n  return\n}\n"
    assert fix_all(typed + torn, unsafe=True) == typed.replace("indx", "index") + torn


def test_a_block_that_is_not_written_yet() -> None:
    """Flags are handed to the blocks that are there, each to its own."""
    source = """\
func.func private @cond() -> i1
func.func @f(%x: memref<8xi64>, %p: i1) {
  cf.br ^head(%x : memref<8xi64>)
^head(%m: memref<8xi64>):
  %q = func.call @cond() : () -> i1
  cf.cond_br %q, ^body, ^exit(%m : memref<8xi64>)
^body:
  %c = memref.alloc() : memref<8xi64>
  cf.cond_br %p, ^nowhere, ^head(%c : memref<8xi64>)
^exit(%n: memref<8xi64>):
  memref.copy %n, %x : memref<8xi64> to memref<8xi64>
  return
}
"""
    fixed = fix_all(source, Config(), unsafe=True)
    assert "^nowhere, ^head(%c, %true : memref<8xi64>, i1)" in fixed
