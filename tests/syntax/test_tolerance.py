"""Text that MLIR of today does not take: older syntax, mangled characters, statements half typed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from damage import damage, elsewhere, file_of, half_typed

from memlane.findings import Edit, Span
from memlane.syntax import Document, parse


@pytest.mark.parametrize(
    "source",
    [
        "func @f(%a: memref<4xf32>) {\n  %0 = alloc() : memref<4xf32>\n  dealloc %0 : memref<4xf32>\n  return\n}\n",
        "func @f(%c: i1) {\n  cond_br %c, ^bb1, ^bb2\n^bb1:\n  br ^bb2\n^bb2:\n  return\n}\n",
        'func @f(%a: i32) {\n  "x.while"(%a) ( {\n  ^bb0(%b: i32):\n    "x.end"(%b) : (i32) -> ()\n  }) : (i32) -> ()\n'
        "  return\n}\n",
        "func.func @f(%t: tensor<4xf32>) {\n  %0 = bufferization.to_memref %t : memref<4xf32>\n"
        "  %1 = memref.buffer_cast %t : memref<4xf32>\n  return\n}\n",
        "func @f(%i: index) -> index {\n  for %k = 0 to 10 {\n    %0 = affine_apply (d0) -> (d0 + 1) (%k)\n  }\n"
        "  return %i : index\n}\n",
    ],
)
def test_older_syntax(source: str) -> None:
    tree = parse(source)
    assert not tree.problems, tree.problems
    assert all(use.value for op in tree.walk() for use in op.operands)


def test_typographic_characters_are_repaired() -> None:
    source = "func.func @f(%a: memref<4xf32>) → memref<4xf32> {\n  %0 = “x.y”(%a) : (memref<4xf32>) → i32\n"
    source += "  return %a : memref<4xf32>\n}\n"
    (problem,) = parse(source).problems
    assert problem.fix is not None
    assert [edit.content for edit in problem.fix.edits] == ["->", '"', '"', "->"]
    repaired = Document(source).edit(problem.fix.edits)
    assert not repaired.tree.problems
    assert [op.name for op in repaired.tree.walk()] == [op.name for op in parse(source).walk()]


def test_types_lost_as_html_tags() -> None:
    source = "func.func @f(%a: memref) {\n  memref.dealloc %a : memref\n  return\n}\n"
    assert [problem.span.start for problem in parse(source).problems] == [17, source.rindex("memref")]


def test_a_lost_brace_of_a_head() -> None:
    source = "module {\n  func.func @f(%a: i32\n    return\n  }\n  func.func @g(%b: i32) {\n    return\n  }\n}\n"
    tree = parse(source)
    assert [op.name for op in tree.walk()].count("func.func") == 2
    assert all(problem.span.end < source.index("return") for problem in tree.problems)


@pytest.mark.parametrize("text", ["}", "{", "  scf.if %c {", "    }", "  memref.alloc(", '"', "^", "%x =", "<"])
def test_damage_ends_with_the_function(text: str) -> None:
    head = "func.func @f(%c: i1) {\n  %x = arith.constant 1 : i32\n"
    tail = "  return\n}\n"
    other = "func.func @g(%c: i1) {\n  scf.if %c {\n    scf.yield\n  }\n  return\n}\n"
    source = head + text + "\n" + tail + other
    tree = parse(source)
    assert tree.problems
    assert all(problem.span.start < len(source) - len(other) for problem in tree.problems)
    assert [function.symbol for function in tree.functions] == ["f", "g"]


def test_half_typed(shared: Path) -> None:
    chooser = random.Random(7)
    files = sorted((shared / "cases").rglob("*.mlir"))
    for path in chooser.sample(files, 40):
        source = path.read_text(encoding="utf-8")
        document = Document(source)
        for _ in range(5):
            result = damage(document, half_typed(source, chooser))
            assert not result.lost and not result.outside, (path, result)


def test_answers_elsewhere_stay(shared: Path) -> None:
    chooser = random.Random(8)
    files = sorted((shared / "corpus").rglob("*.mlir"))
    for path in chooser.sample(files, 12):
        source = path.read_text(encoding="utf-8", errors="replace")
        assert elsewhere(file_of(source), half_typed(source, chooser), chooser) == [], path


def test_what_counts_as_elsewhere() -> None:
    function = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n"
    source = function + function.replace("@f", "@g")
    at = source.index("%a, %a", source.index("@g"))
    assert elsewhere(file_of(source), Edit(Span(at, at), "("), random.Random(1)) == []


def test_stray_brace_in_a_module() -> None:
    source = "module {\n  memref.global @a : memref<4xf32>\n    }\n  memref.global @b : memref<4xf32>\n}\n"
    (problem,) = parse(source).problems
    assert problem.span.start == source.index("    }") + 4
    assert [op.parent is None for op in parse(source).walk()] == [True, False, False]


@pytest.mark.slow
def test_nothing_raises(shared: Path) -> None:
    chooser = random.Random(3)
    files = sorted((shared / "corpus").rglob("*.mlir"))
    for path in chooser.sample(files, 60):
        source = path.read_text(encoding="utf-8", errors="replace")
        for text in (source, source[: chooser.randrange(len(source))], source[chooser.randrange(len(source)) :]):
            assert sum(1 for _ in parse(text).walk()) >= 0


@pytest.mark.parametrize("source", ["{M=", "a.b {M=", "^-<>", "%a-<xx> b", ": i32: i32^-<>"])
def test_problems_stand_in_the_text(source: str) -> None:
    """Brackets that the reader closes for itself, and names that end with a dash, move nothing beyond its end."""
    problems = parse(source).problems
    assert problems
    assert all(problem.span.start < problem.span.end <= len(source) for problem in problems)
    assert max(problem.span.end for problem in problems) == len(source)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("func{o(}%b=F", "F"),
        ("func{o(}%b,%c=F", "F"),
        ("f]<\u00e9unc.func @0", "0"),
        ("affine_map<1func.func @f", "f"),
        ('("x.y"func:x.ya=\r]  \u00e9modulefunc.func @f-@f([', "["),
    ],
)
def test_a_statement_of_a_line_that_was_cut(source: str, name: str) -> None:
    """Where something begins in the middle of a line that after all goes on, no line end is read between."""
    tree = parse(source)
    assert max(problem.span.end for problem in tree.problems) <= len(source)
    assert max((op.span.end for op in tree.walk()), default=0) <= len(source)
    last = {source[problem.span.start : problem.span.end] for problem in tree.problems}
    last |= {op.symbol for op in tree.walk() if op.symbol is not None}
    assert name in last


@pytest.mark.slow
def test_nothing_reaches_beyond_the_text() -> None:
    """Texts of a few pieces of the notation, put together at random: each span is one of the text."""
    chance = random.Random(4)
    words = [*'{}()%=,:"^<>[]\n @#!/-', "func.func @f", "func", "%b", "^bb0", "loc(", "->", "x.y", '"x.y"', "0x1", "1"]
    words += ["affine_map<", "memref<4xf32>", "module", "//", "o", "F", "\r\n", "\r", "\u00e9", "\x1a"]
    for _ in range(2000):
        source = "".join(chance.choice(words) for _ in range(chance.randint(2, 16)))
        tree = parse(source)
        spans = [problem.span for problem in tree.problems]
        spans += [span for op in tree.walk() for span in (op.span, op.name_span)]
        assert all(0 <= span.start <= span.end <= len(source) for span in spans), source


def _around(source: str) -> list[tuple[str, str | None]]:
    """Each operation with the one around it."""
    ops = parse(source).walk()
    return [(op.name, op.parent.region.op.name if op.parent else None) for op in ops]


def test_a_region_left_open_ends_where_a_line_is_indented_no_deeper() -> None:
    """A loop is typed before statements that stand there: these are not in it, nor is what uses its results inside."""
    head = "func.func @f(%m: memref<4xf32>, %n: index, %c: i1) {\n"
    body = "  scf.for %i = %n to %n step %n {\n    scf.if %c {\n      memref.dealloc %m : memref<4xf32>\n"
    tail = "  memref.copy %m, %m : memref<4xf32> to memref<4xf32>\n  return\n}\n"
    inside = [("func.func", None), ("scf.for", "func.func"), ("scf.if", "scf.for"), ("memref.dealloc", "scf.if")]
    behind = [("memref.copy", "func.func"), ("func.return", "func.func")]
    for more in ("", "\n", "    // a comment\n"):
        source = head + body + more + tail
        assert _around(source) == inside + behind
        assert [problem.message for problem in parse(source).problems] == [
            "a region of this operation is not closed"
        ] * 2
    # One of the two is closed; an empty one, before anything is typed in it; at the end of the text.
    assert _around(head + body + "    }\n" + tail) == inside + behind
    assert _around(head + "  scf.if %c {\n" + tail)[1:] == [("scf.if", "func.func"), *behind]
    assert _around(head + body + tail.removesuffix("}\n")) == inside + behind
    other = "func.func @g() {\n  return\n}\n"
    assert _around(head + body + tail.removesuffix("}\n") + other)[:-2] == inside + behind


def test_what_nothing_tells_stays_in_a_region_left_open() -> None:
    """Lines that are all at the margin; names of blocks, which stand further out than the operations."""
    flat = "func.func @f(%c: i1) {\nscf.if %c {\nfunc.call @g() : () -> ()\nreturn\n}\nfunc.func private @g()\n"
    assert ("func.call", "scf.if") in _around(flat)
    blocks = "func.func @f(%c: i1) {\n  scf.execute_region {\n    cf.br ^bb1\n  ^bb1:\n    scf.yield\n  return\n}\n"
    assert _around(blocks)[3:] == [("scf.yield", "scf.execute_region"), ("func.return", "func.func")]


@pytest.mark.parametrize("at", [60, 100, 140])
def test_edits_of_a_function_with_a_region_left_open(at: int) -> None:
    """Read as from scratch, wherever the region comes to an end now."""
    source = (
        "func.func @f(%c: i1) {\n"
        + "  %x = arith.constant 1 : i32\n" * 2
        + "  scf.if %c {\n    %y = arith.constant 2 : i32\n"
    )
    source += "  %z = arith.constant 3 : i32\n  return\n}\nfunc.func @g() {\n  return\n}\n"
    document = Document(source)
    for content in ("  }\n", "    ", "\n", "  func.call @g() : () -> ()\n", "{"):
        start = source.rindex("\n", 0, at) + 1
        edited = document.edit((Edit(Span(start, start), content),))
        fresh = source[:start] + content + source[start:]
        assert [(op.name, op.span) for op in edited.tree.walk()] == [(op.name, op.span) for op in parse(fresh).walk()]
