"""Operations that are reused after an edit equal those built anew, and so do their effects."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.function_graph import function_graph, put_right
from memlane.flow.scalars.trip_count import trip_of
from memlane.query import Checker, functions, tree_cache
from memlane.query.changes import spliced
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.section import Section
from memlane.syntax.editing.splice import Built, Spliced, move, splice
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.equal import op_difference
from tests.effort import some
from tests.flow.inner_edits import CONFIG, edit_inside, edit_on
from tests.flow.test_reused_results import LONG
from tests.fuzz.programs import program

_MIXED = """\
func.func @mixed(%c: i1, %n: index, %x: f32) -> index {
  %k = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%later] : memref<?xf32>
  %p:2 = "some.pair"(%k, %a) : (index, memref<?xf32>) -> (index, memref<?xf32>)
  %r = scf.if %c -> (index) {
    %k2 = arith.addi %k, %p#0 : index
    memref.store %x, %p#1[%k2] : memref<?xf32>
    scf.yield %k2 : index
  } else {
    %later = arith.constant 1 : index
    scf.yield %later : index
  }
  cf.cond_br %c, ^bb1(%r : index), ^bb2
^bb1(%b: index):
  %s = arith.addi %b, %k : index
  memref.dealloc %a : memref<?xf32>
  cf.br ^bb3(%s : index)
^bb2:
  %t = arith.addi %r, %k : index
  memref.dealloc %a : memref<?xf32>
  cf.br ^bb3(%t : index)
^bb3(%e: index):
  %f = arith.addi %e, %r : index
  return %f : index
}
"""
"""With uses before definitions, blocks, packs, and regions."""


_BEHIND = """\
func.func @behind(%c: i1, %n: index, %x: f32) -> index {
  %k = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  some.scope %k {
    %k2 = arith.addi %k, %n : index
    some.scope %k2 {
      memref.store %x, %a[%k2] : memref<?xf32>
      %k3 = arith.addi %k2, %n : index
      memref.store %x, %a[%k3] : memref<?xf32>
    } then %k2, %a : index, memref<?xf32>
    %k4 = arith.addi %k2, %n : index
    memref.store %x, %a[%k4] : memref<?xf32>
  } then %a, %k : memref<?xf32>, index
  %f = arith.addi %k, %n : index
  memref.dealloc %a : memref<?xf32>
  return %f : index
}
"""
"""With uses behind regions."""

_OPEN = """\
func.func @open(%c: i1, %n: index, %x: f32) {
  %k = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %k to %n step %k {
    %b = memref.alloc(%n) : memref<?xf32>
    scf.if %c {
      memref.store %x, %b[%i] : memref<?xf32>
      %d = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
    %e = memref.alloc(%n) : memref<?xf32>
  %s = arith.addi %k, %n : index
  scf.if %c {
    %t = arith.addi %s, %n : index
    memref.dealloc %a : memref<?xf32>
  memref.store %x, %a[%s] : memref<?xf32>
  return
}
"""
"""With regions that nothing closes."""


def _built(document: Document, number: int, piece: Piece) -> Built:
    _ = document.tree
    section: Section = document.sections[0]
    return section.built(piece, document.starts[number], Builder(None))


def _graph(made: Built) -> Graph:
    """With all that is known of its ops."""
    graph = function_graph(made.op, CONFIG.models)
    assert graph.named
    _facts(graph)
    return graph


def _facts(graph: Graph) -> list[object]:
    ops = [*graph.function.walk()]
    blocks = [block for op in ops for region in op.regions for block in region.blocks]
    edges = [_parts(graph.entries(op)) for op in ops], [(_parts(graph.exits(b)), graph.cycle(b)) for b in blocks]
    trips, named = [trip_of(graph, op) for op in ops], {name: list(those) for name, those in graph.named.items()}
    return [[effects_at(graph, op) for op in ops], edges, trips, named]


def _parts(edges: Iterable[Edge]) -> list[tuple[object, ...]]:
    """What edges are made of: each is equal to itself alone."""
    return [tuple(edge) for edge in edges]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mixed", "behind", "open", "long", "0", "1", "2"])
def test_ops_that_are_put_right_are_those_built_anew(name: str) -> None:
    written = {"mixed": _MIXED, "behind": _BEHIND, "open": _OPEN, "long": LONG}
    source = written.get(name) or program(random.Random(int(name)), 4)
    choose = random.Random(source)
    original = Document(source, CONFIG.models)
    number = max(range(len(original.pieces)), key=lambda number: original.pieces[number].size)
    made = _built(original, number, original.pieces[number])
    graph, piece, document, done = _graph(made), original.pieces[number], original, 0
    edits: list[Spliced] = []
    for _ in range(120):
        edit = edit_inside(choose, document.source)
        next_ = document.edit([edit])
        if len(next_.pieces) != len(original.pieces) or next_.pieces[number] is piece:
            continue
        change = spliced(piece, next_.pieces[number])
        did = splice(made, change) if change is not None else None
        if did is None:
            continue
        done, document, piece = done + 1, next_, next_.pieces[number]
        edits.append(did)
        if choose.random() < 0.4:  # several, before anybody looks
            continue
        move(made, document.starts[number])
        fresh = _built(document, number, piece)
        assert op_difference(made.op.walk(), fresh.op.walk()) is None, (edit, document.source)
        assert made.before == fresh.before
        assert [value.span for value in made.values] == [value.span for value in fresh.values]
        assert [use.span for use in made.uses] == [use.span for use in fresh.uses]
        gone = {op for one in edits for op in one.gone}
        fresh = [op for one in edits for op in one.fresh if op not in gone]
        others = {op for one in edits for op in one.relinked}.difference(gone).union(fresh)
        put_right(graph, gone.difference(*[one.fresh for one in edits]), others, fresh, (), lambda _: False)
        edits = []
        assert _facts(graph) == _facts(function_graph(made.op, CONFIG.models))
    assert done > 8


def test_a_function_elsewhere() -> None:
    source = "func.func private @before()\n" + _MIXED
    one, other = Document(_MIXED), Document(source)
    made = _built(one, 0, one.pieces[0])
    move(made, other.starts[1])
    assert op_difference(made.op.walk(), _built(other, 1, other.pieces[1]).op.walk()) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(3), 1))
@pytest.mark.parametrize("source", [_MIXED, _OPEN], ids=["mixed", "open"])
def test_findings_of_edits(source: str, seed: int) -> None:
    edit_on(source, seed, 40)


def test_what_is_typed_at_the_end_of_a_region_that_nothing_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the last of that region's block, and what gets lost there is lost at it."""
    end = "    %e = memref.alloc(%n) : memref<?xf32>\n"
    typed = [f"{end}    {word}\n" for word in ("l", "li", "linalg.fill")]
    edits = list(pairwise([end, *typed]))
    assert _builds(edits, monkeypatch, _OPEN) == [1, 0, 0]
    document, checker = Document(_OPEN, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for old, new in edits:
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


def _builds(edits: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch, source: str, symbol: str = "") -> list[int]:
    """How many functions, or how often that of a symbol, are built anew after each of some edits: the first of a text,
    and another for it."""
    count = 0
    build = Section.built

    def counted(self: Section, piece: Piece, at: int, builder: Builder) -> Built:
        nonlocal count
        count += piece.symbol == symbol or not symbol
        return build(self, piece, at, builder)

    monkeypatch.setattr(Section, "built", counted)
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    found: list[int] = []
    for old, new in edits:
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        count = 0
        checker.findings(document, CONFIG)
        found.append(count)
    return found


def test_functions_that_were_edited_before_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _MIXED + _MIXED.replace("@mixed", "@other")
    edits = [("arith.addi %e", "arith.addx %e"), ("@other(", "@other ("), ("arith.addx %e", "arith.addxx %e")]
    assert _builds(edits, monkeypatch, source)[2] == 0


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions of more than 400 characters are large, and where others are there ops are let go of after each."""
    monkeypatch.setattr(tree_cache, "MAX_CACHED_TEXT", 400)
    monkeypatch.setattr(functions, "MAX_CALLEE_TEXT", 0)


@pytest.mark.usefixtures("small")
def test_a_large_function_is_kept_from_when_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is looked at beside it: those that call it and those it calls, wherever they stand."""
    large = "func.func @large(%p: memref<4xf32>, %k: index, %x: f32) {\n"
    large += "  memref.store %x, %p[%k] : memref<4xf32>\n" * 12
    large += "  call @called(%p) : (memref<4xf32>) -> ()\n  return\n}\n"
    calls = """func.func @before(%k: index, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  call @large(%a, %k, %x) : (memref<4xf32>, index, f32) -> ()
  return
}
"""
    called = "func.func private @called(%p: memref<4xf32>) {\n  memref.dealloc %p : memref<4xf32>\n  return\n}\n"
    source = calls + large + calls.replace("@before", "@behind") + called
    edits = [
        ("  return\n}\nfunc.func @b", "  memref.dealloc %p : memref<4xf32>\n  return\n}\nfunc.func @b"),
        ("[%k]", "[]"),
    ]
    assert _builds(edits, monkeypatch, source, "large") == [0, 0]
    assert _builds(edits[1:], monkeypatch, large, "large") == [0]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", some(range(4), 1))
def test_findings_of_edits_of_large_functions(seed: int) -> None:
    edit_on(program(random.Random(seed), 6), seed, 40)


def test_what_is_built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    edits = [
        ("arith.addi %e", "arith.addx %e"),  # nobody has edited it before
        ("arith.addx %e", "arith.addxy %e"),
        ("memref.store %x, %p#1[%k2]", "memref.store %x, %p#1[%k]"),
        ("memref.store %x, %p#1[%k]", "memref.store %x, %p#1[%k2]"),  # known as it was
        ("  %k2 = ", "  %k3 = "),
        ("scf.if %c ->", "scf.if %n ->"),  # has regions
        ("  %r = scf.if", "  %r , scf.if"),  # the head of one that is none now
        ("  %r , scf.if", "  %r = scf.if"),
        ("    scf.yield %k2", "    scf.%yield %k2"),  # the end of a region
        ("cf.br ^bb3(%s", "cf.br ^bb3(%k"),  # hands on something else
        ("cf.br ^bb3(%k", "cf.br ^bb3(%s"),
        ("cf.br ^bb3(%s", "cf.br ^bb2(%s"),  # leads elsewhere
        ("cf.br ^bb2(%s", "cf.br ^bb3(%s"),
        ("%t = arith.addi", "%t = arith.subi"),  # what was kept aside
    ]
    assert _builds(edits, monkeypatch, _MIXED) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]


def test_a_name_on_the_way_to_another() -> None:
    """While it is typed it is that of a buffer that is freed already: nobody is told of that."""
    head = "func.func @f(%x: f32) {\n  %a = memref.alloc() : memref<4xf32>\n  %a_0 = memref.alloc() : memref<4xf32>\n"
    uses = "".join(f"  memref.store %x, {name}[] : memref<4xf32>\n" for name in ("%a", "%a_0"))
    before, behind = f"{head}{uses}  memref.dealloc %a : memref<4xf32>\n", "  return\n}\n"
    typed = "  memref.dealloc %a_0 : memref<4xf32>\n"
    document, checker, at = Document(before + behind, CONFIG.models), Checker(), len(before)
    for character in typed:
        document = document.edit([Edit(Span(at, at), character)])
        at += 1
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert not any(one.rule.name in ("double-free", "use-after-free") for one in found)
    assert [one.rule.name for one in checker.findings(document, CONFIG)] == ["late-free"]


def test_calls_of_different_well_known_functions() -> None:
    """That one of them does nothing to memory says nothing of the others, whichever is asked about first."""
    before = """llvm.func @f(%n: i64, %f: i8) {
  %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  %p = llvm.call @mgpuMemAlloc(%n, %s, %f) : (i64, !llvm.ptr, i8) -> !llvm.ptr
"""
    behind = "  llvm.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> ()\n  llvm.return\n}\n"
    document, checker = Document(before + behind, CONFIG.models), Checker()
    assert "leak" in {one.rule.name for one in checker.findings(document, CONFIG)}
    document = document.edit([Edit(Span(len(before), len(before)), "  l\n")])
    found = checker.findings(document, CONFIG)
    assert found == check(document.source, CONFIG).findings
    assert "leak" in {one.rule.name for one in found}


def test_a_function_whose_operation_is_no_known_one() -> None:
    """A name misspelt in front of a private function: that it names itself takes no address of it."""
    source = """func.func private @f(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
"""
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for old, new in (("func.func", "fnc.func"), ("  return\n", "  %k = arith.constant 1 : index\n  return\n")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert "double-free" in {one.rule.name for one in found}
