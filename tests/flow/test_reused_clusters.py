"""Clusters and what their block decides, reused after an edit, equal those computed anew."""

from __future__ import annotations

import random

import pytest

from memlane.findings import Edit, Report, Span
from memlane.flow import Incident
from memlane.flow.alias.alias import Aliases, Cluster, MayReturn
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.single_block import Settled, settled
from memlane.flow.memo.function_memo import Standing
from memlane.flow.memory.function_graph import function_graph
from memlane.query import Checker
from memlane.rules import double_free
from memlane.rules.double_free import tell
from memlane.syntax import Document
from tests.effort import some
from tests.flow.inner_edits import CONFIG, edit_inside, edit_on
from tests.fuzz.programs import program

MANY = "func.func @many(%c: i1, %n: index, %x: f32, %p: memref<4xf32>) {\n  %k = arith.constant 0 : index\n" + "".join(
    f"""\
  %a{n} = memref.alloc() : memref<4xf32>
  memref.store %x, %a{n}[%k] : memref<4xf32>
  %s{n} = memref.subview %a{n}[%k] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %k{n} = arith.addi %k, %n : index
  %y{n} = memref.load %s{n}[%k] : memref<2xf32, strided<[1], offset: ?>>
  memref.dealloc %a{n} : memref<4xf32>
"""
    for n in range(8)
)


def told(aliases: Aliases) -> list[object]:
    """All that clusters say, in their order."""
    return [
        ([(o.kind, o.value, o.resource, o.symbol) for o in one.origins], list(one.root.items()))
        for one in aliases.clusters.values()
    ]


class Watched:
    """Compares what stands with what is found anew, and counts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clusters = self.settled = 0
        find, known = Standing.find_aliases, Standing.settled

        def found(standing: Standing, may_return: MayReturn) -> Aliases | None:
            aliases = find(standing, may_return)
            if aliases is not None:
                self.clusters += 1
                anew = Aliases(self._graph(standing.graph), may_return)
                assert told(aliases) == told(anew)
                assert aliases.root == anew.root
            return aliases

        def asked(standing: Standing, cluster: Cluster) -> Settled | None:
            answer = known(standing, cluster)
            if answer is not None:
                self.settled += 1
                assert answer == settled(self._graph(standing.graph), cluster)
            return answer

        monkeypatch.setattr(Standing, "find_aliases", found)
        monkeypatch.setattr(Standing, "settled", asked)

    def _graph(self, graph: Graph) -> Graph:
        return function_graph(graph.function, graph.models, lambda: graph.source)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(8), 2))
def test_any_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    source = MANY + "  return\n}\n" if seed < 3 else program(random.Random(seed), 3)
    edit_on(source, seed, 30)
    assert watched.clusters


EDITS = [
    ("subview %a3[%k]", "subview %a4[%k]"),
    ("memref.load %s2", "memref.load %a2"),
    ("  memref.dealloc %a5 : memref<4xf32>\n", "  // not freed\n"),
    ("%k6 = arith.addi", "%z = memref.alloc() : memref<4xf32>\n  %k6 = arith.addi"),
    ("%s1 = ", "%s0 = "),
    ("%a7 = memref.alloc() : memref<4xf32>", "%a7 = memref.alloc() : memref<8xf32>"),
    ("store %x, %a1[%k]", "store %x, %p[%k]"),
    ("%s4 = memref.subview %a4[%k] [2] [1]", "%s4 = memref.subview %p[%k] [2] [1]"),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_leaves_the_others(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    source = MANY + "  return\n}\n"
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for number in range(2):  # the first is of ops that nobody has kept
        for before, after in ((old, new), (new, old)):
            at = document.source.index(before)
            text = after + " " * number
            document = document.edit([Edit(Span(at, at + len(before)), text)])
            found = checker.findings(document, CONFIG)
            assert found == Checker().findings(Document(document.source, CONFIG.models), CONFIG)
    assert watched.clusters
    assert watched.settled >= 4


def test_nothing_is_asked_of_what_stands_twice() -> None:
    document = Document(MANY + "  return\n}\n", CONFIG.models)
    checker, choose = Checker(), random.Random(1)
    for _ in range(20):
        document = document.edit([edit_inside(choose, document.source)])
        assert checker.findings(document, CONFIG) == Checker().findings(
            Document(document.source, CONFIG.models), CONFIG
        )


SIZES = """\
func.func @sizes(%n: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s = arith.muli %c4, %c8 : index
  %t = arith.addi %s, %c8 : index
  %a = memref.alloc(%t) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
"""


def test_sizes_rest_on_what_they_are_computed_of() -> None:
    document, checker = Document(SIZES, CONFIG.models), Checker()
    said: list[int] = []
    for number in (4, 5, -4, 6, -7, 2**62, 7):
        at = document.source.index("constant ") + len("constant ")
        edit = Edit(Span(at, document.source.index(" : index", at)), str(number))
        document = document.edit([edit])
        found = checker.findings(document, CONFIG)
        assert found == Checker().findings(Document(document.source, CONFIG.models), CONFIG)
        said.append(sum(one.rule.name == "oversize-alloc" for one in found))
    assert said == [0, 0, 1, 0, 1, 1, 0]


BY_VALUE = """\
llvm.func @free(!llvm.ptr)
llvm.func @other(!llvm.ptr)
func.func @f(%c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %x: f32, %k: index) {
  %f = func.constant @free : (!llvm.ptr) -> ()
  %g = arith.select %c, %f, %f : (!llvm.ptr) -> ()
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%k] : memref<4xf32>
  func.call_indirect %f(%p) : (!llvm.ptr) -> ()
  memref.dealloc %b : memref<4xf32>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  return
}
"""
FAR = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64, %m: i64, %x: f32) {
  %v = llvm.inttoptr %n : i64 to !llvm.ptr
  %w = llvm.mlir.zero : !llvm.ptr
  %y = llvm.ptrtoint %v : !llvm.ptr to i64
  %z = llvm.ptrtoint %w : !llvm.ptr to i64
  %d = llvm.sub %y, %z : i64
  %e = llvm.add %d, %n : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %x, %a : f32, !llvm.ptr
  %g = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  %l = llvm.load %g : !llvm.ptr -> f32
  llvm.return
}
"""
MARKED = """\
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64, %m: i64, %x: f32) {
  %k = llvm.mlir.constant(3735928558 : i64) : i64
  %o = llvm.mlir.constant(1 : i64) : i64
  %e = llvm.add %k, %o : i64
  %p = llvm.inttoptr %e : i64 to !llvm.ptr
  %a = llvm.alloca %o x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f32, !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (MARKED, "constant(3735928558", "constant(3735928559"),  # the number that stands for a global
        (BY_VALUE, "%f = func.constant @free", "%f = func.constant @other"),  # a call works, a deallocation does not
        (BY_VALUE, "func.call_indirect %f(", "func.call_indirect %g("),
        (FAR, "%w = llvm.mlir.zero :", "%w = llvm.inttoptr %m : i64 to"),  # the difference of two, or an address
    ],
)
def test_what_an_op_rests_on_further_back(source: str, old: str, new: str) -> None:
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    said: set[str] = set()
    for before, after in (("%n: i64", "%n:  i64"), ("%k: index", "%k:  index"), (old, new), (new, old), (old, new)):
        at = document.source.find(before)
        if at >= 0:
            document = document.edit([Edit(Span(at, at + len(before)), after + " " * (before == old))])
            found = checker.findings(document, CONFIG)
            assert found == Checker().findings(Document(document.source, CONFIG.models), CONFIG)
            said.add(" ".join(sorted(one.rule.name for one in found)))
    assert len(said) == 2


def test_reports_of_facts_that_stand_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Incident] = []

    def counted(incident: Incident) -> Report:
        made.append(incident)
        return tell(incident)

    monkeypatch.setattr(double_free, "tell", counted)
    free = "  memref.dealloc %a{0} : memref<4xf32>\n"
    frees = "".join(f"  %a{n} = memref.alloc() : memref<4xf32>\n{2 * free.format(n)}" for n in range(200))
    document = Document(f"func.func @f() {{\n{frees}  %k = arith.constant 1 : index\n  return\n}}\n", CONFIG.models)
    checker = Checker()
    checker.findings(document, CONFIG)
    for _ in range(2):
        made.clear()
        at = document.source.index("1 : index")
        document = document.edit([Edit(Span(at, at), "1")])
        assert len(checker.findings(document, CONFIG)) == 200
    assert 0 < len(made) < 100


BESIDE_A_COMMENT = """\
func.func @f(%x: f32) {
  %k = arith.constant 1 : index
  scf.if %x {
    %a = memref.alloc() : memref<4xf32>
    memref.dealloc %x : memref<4xf32>  // 1
  }
  return
}
"""


def test_an_op_that_was_read_again_without_a_change() -> None:
    """What is said of a buffer names the op, which is another then and moves with the text."""
    document, checker = Document(BESIDE_A_COMMENT, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    number = "  %k = arith.constant 2 : index\n"
    for old, new in (("constant 1", "constant 2"), ("// 1", "// 2"), ("// 2", "// 1"), (number, "")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == Checker().findings(Document(document.source, CONFIG.models), CONFIG)
        assert [note.span.start for one in found for note in one.report.notes] == [document.source.index("memref.deal")]
