"""Edits inside functions: results reused from the version before are those of an analysis from scratch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import memlane.flow.function_facts
import memlane.flow.strategy
from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.budget import Purse
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.typestate.cluster_result import ClusterResult
from memlane.query import Checker
from memlane.syntax import Document
from tests.effort import some
from tests.flow.inner_edits import CONFIG, edit_on
from tests.flow.test_incremental import CALLS
from tests.fuzz.programs import program

LEAKS = 12
_EACH = "".join(
    f"""\
  %a{number} = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a{number}[%zero] : memref<?xf32>
  %s{number} = arith.addi %n, %zero : index
  scf.if %c {{
    memref.dealloc %a{number} : memref<?xf32>
  }}
"""
    for number in range(LEAKS)
)
LONG = f"""\
func.func @long(%c: i1, %n: index, %x: f32) {{
  %zero = arith.constant 0 : index
{_EACH}  return
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), 1))
def test_edits_of_generated_functions(seed: int) -> None:
    edit_on(program(random.Random(seed), 4), seed, 20)


@pytest.mark.slow
@pytest.mark.parametrize("begun", [")", ",", "->", "\ud83d", "%a", "x"])
@pytest.mark.parametrize("before", ["  %s3 =", "  return"])
def test_text_that_is_no_op_is_edited(before: str, begun: str) -> None:
    """Where there was a line that is none, there is another one, and then none."""
    at = LONG.index(before)
    document, checker = Document(LONG, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    document = document.edit([Edit(Span(at, at), f"  {begun}\n")])
    checker.findings(document, CONFIG)
    end = at + 2 + len(begun)
    for typed in (")", ",", ">", "#", "\ude00", "}"):
        further = document.edit([Edit(Span(end, end), typed)])
        assert checker.findings(further, CONFIG) == check(further.source, CONFIG).findings
    document = document.edit([Edit(Span(at, end), "")])
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


BROKEN = """\
func.func @broken(%c: i1, %n: index, %x: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  REST
  %zero = arith.constant 0 : index
  memref.store %x, %a[%zero] : memref<?xf32>
  %s = arith.addi %n, %zero : index
  %t = arith.addi %s, %zero : index
  memref.dealloc %a : memref<?xf32>
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("rest", ["%q(p = memref.alloc(%n, %n) : memref<?x?xf32>", "attributes {a} : (%n)", ") : (%n)"])
@pytest.mark.parametrize("typed", ["%", "%n", "x"])
def test_ops_beside_text_that_is_none(rest: str, typed: str) -> None:
    """What it uses may belong to the op before it, or to none."""
    source = BROKEN.replace("REST", rest)
    for place in (at for at, character in enumerate(source) if character in " %("):
        document, checker = Document(source, CONFIG.models), Checker()
        checker.findings(document, CONFIG)
        first = source.index("%s, ")
        for edit in (Edit(Span(first, first + 2), "%n"), Edit(Span(place, place), typed)):
            document = document.edit([edit])
            assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


@pytest.mark.slow
@pytest.mark.parametrize("source", [CALLS, LONG], ids=["calls", "long"])
def test_edits_of_functions(source: str) -> None:
    edit_on(source, 1, 25)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["mixed", "leaky", "placement", "dangling"])
def test_edits_of_cases(shared: Path, folder: str) -> None:
    paths = sorted((shared / "cases" / folder).glob("*.mlir"))
    if not paths:
        pytest.skip(f"no cases/{folder} in the shared material")
    for seed, path in enumerate(paths[:: max(1, len(paths) // 3)]):
        edit_on(path.read_text(encoding="utf-8"), seed, 12)


def edited(old: str, new: str, monkeypatch: pytest.MonkeyPatch, source: str = LONG, before: int = LEAKS) -> int:
    """How many clusters are followed after an edit, where so many had to be before."""
    count = 0
    follow = memlane.flow.strategy.follow  # what costs

    def counted(
        program: Program,
        flow: FunctionFlow,
        clusters: Sequence[Cluster],
        purse: Purse,
        body: BodyBlocks,
    ) -> ClusterResult:
        nonlocal count
        count += 1
        return follow(program, flow, list(clusters), purse, body)

    monkeypatch.setattr(memlane.flow.function_facts, "follow", counted)
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    assert count == before
    count = 0
    at = source.index(old)
    document = document.edit([Edit(Span(at, at + len(old)), new)])
    found = checker.findings(document, CONFIG)
    again = count
    assert found == Checker().findings(Document(document.source, CONFIG.models), CONFIG)
    return again


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("arith.addi %n, %zero", "arith.addx %n, %zero", 0),
        ("  %s3 = ", "  // a comment\n  %s3 = ", 0),
        ("  %s3 = arith.addi %n, %zero : index\n", "", 0),
        ("  %s3 = ", "  %s3 = \n", 0),
        ("  memref.store %x, %a5[", "  memref.stor %x, %a5[", 1),
        ("  memref.store %x, %a5[", "  memref.store %x, %a6[", 2),
        ("    memref.dealloc %a5", "    memref.dealloc %a50", 0),  # the last of its block
        ("    memref.dealloc %a5", "    memref.load %a5", 0),  # another op that ends a block
        ("  %a5 = memref.alloc(", "  %a55 = memref.alloc(", 0),  # a deallocation that ends a block names it
        ("  %zero = arith.constant 0", "  %zero = arith.constant 1", LEAKS),
        ("scf.if %c", "scf.if %d", 1),
        ("scf.if %c", "scf.if %zero", 1),
        ("scf.if %c", "scf.execute_region", 1),  # other rules for what is in its region
        ("scf.if %c {\n    memref.dealloc %a5", "scf.if , {\n    memref.dealloc %a5", 1),
        ("%a5 : memref<?xf32>\n  }\n", "%a5 : memref<?xf32>\n", LEAKS),  # left open
        ("  return", "  cf.br ^bb1\n^bb1:\n  return", LEAKS),
    ],
)
def test_what_an_edit_does_not_reach_is_recalled(
    old: str, new: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert edited(old, new, monkeypatch) == wanted


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("memref.load %a3[%zero]", "memref.loa %a3[%zero]", 1),
        ("arith.constant 7", "arith.constan 7", 2),  # the last of the region
        ("      %l = ", "      foo\n      %l = ", 0),
        ("  %s7 = arith.addi %n, %zero", "  %s7 = arith.addi %n, %n", 0),
    ],
)
def test_where_a_region_is_left_open(old: str, new: str, wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody types in it, what is around it stays known."""
    begun = "  scf.if %c {\n      %l = memref.load %a3[%zero] : memref<?xf32>\n      %m = arith.constant 7 : i32\n"
    source = LONG.replace("  %a5 = ", f"{begun}  %a5 = ")
    assert edited(old, new, monkeypatch, source) == wanted


def test_a_deep_condition_is_the_same_whoever_asks_first() -> None:
    """A chain of sums that is too deep for one expression decides about one buffer, a part of it about another."""
    sums = "".join(f"  %n{number + 1} = arith.addi %n{number}, %one : index\n" for number in range(40))
    source = f"""\
func.func @deep(%n0: index, %x: f32) {{
  %one = arith.constant 1 : index
{sums}  %a = memref.alloc(%n0) : memref<?xf32>
  %b = memref.alloc(%n0) : memref<?xf32>
  %p = arith.cmpi slt, %n40, %one : index
  scf.if %p {{
    memref.dealloc %a : memref<?xf32>
  }}
  %q = arith.cmpi slt, %n16, %one : index
  scf.if %q {{
    memref.dealloc %b : memref<?xf32>
  }}
  %r = arith.cmpi slt, %n16, %one : index
  scf.if %r {{
  }} else {{
    memref.dealloc %b : memref<?xf32>
  }}
  return
}}
"""
    edit_on(source, 3, 15)
    graph = Program(Document(source, CONFIG.models).tree.chunks[0].ops, CONFIG.models, source)
    other = Program(Document(source, CONFIG.models).tree.chunks[0].ops, CONFIG.models, source)
    (one,), (two,) = graph.functions.values(), other.functions.values()
    values = [op.results[0] for op in one.op.walk() if op.results]
    others = [op.results[0] for op in two.op.walk() if op.results]
    depths = [_depth(scalar_of(one.graph, value)) for value in values]
    assert depths == [_depth(scalar_of(two.graph, value)) for value in reversed(others)][::-1]
    assert max(depths) > 20


def _depth(expr: object) -> int:
    return 1 + max(map(_depth, expr), default=0) if isinstance(expr, tuple) else 0  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] -- of any parts


CHAIN = """\
func.func @f(%x: f32) {
  %a, %t = gpu.alloc async () : memref<8xf32>
  %b, %s = gpu.alloc async [%t] () : memref<8xf32>
  %u = gpu.memset async [%s] %a, %x : memref<8xf32>, f32
  %v = gpu.memset async [%u] %b, %x : memref<8xf32>, f32
  %w = gpu.memset async [%v] %b, %x : memref<8xf32>, f32
  %i = arith.constant 0 : index
  %y = gpu.memset async [%w] %b, %x : memref<8xf32>, f32
  gpu.dealloc %a : memref<8xf32>
  gpu.wait [%y]
  gpu.dealloc %b : memref<8xf32>
  return
}
"""


def test_who_waits_for_a_group_newly() -> None:
    """Following %a has not looked at what makes the group, only at who adds to it."""
    apart = "".join(f"  %i{number} = arith.constant {number} : index\n" for number in range(20))
    source = f"""func.func @f(%n: index, %x: f32) {{
  %zero = arith.constant 0 : index
  %group = async.create_group %n : !async.group
{apart}  %a = memref.alloc() : memref<4xf32>
  %work = async.execute {{
    memref.store %x, %a[%zero] : memref<4xf32>
    async.yield
  }}
  %rank = async.add_to_group %work, %group : !async.token
{apart.replace("%i", "%j")}  memref.dealloc %a : memref<4xf32>
  return
}}
"""
    line = "  async.await_all %group\n"
    document, checker = Document(source, CONFIG.models), Checker()
    assert [finding.rule.name for finding in checker.findings(document, CONFIG)] == ["free-before-wait"]
    at = source.index("  %j5")
    document = document.edit([Edit(Span(at, at), line)])
    assert not [finding for finding in checker.findings(document, CONFIG) if finding.rule.name == "free-before-wait"]
    document = document.edit([Edit(Span(at, at + len(line)), "")])
    assert [finding.rule.name for finding in checker.findings(document, CONFIG)] == ["free-before-wait"]


@pytest.mark.parametrize("made", ["", "  %tag = memref.alloca() : memref<1xi32>\n"])
def test_who_waits_for_a_tag_newly(made: str) -> None:
    """Following %a has not looked at what makes the tag, which is nothing that the operation with the tag gives."""
    argument = "" if made else ", %tag: memref<1xi32>"
    source = f"""func.func @f(%x: memref<4xf32>, %i: index{argument}) {{
{made}  %a = memref.alloc() : memref<4xf32, 1>
  memref.dma_start %x[%i], %a[%i], %i, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dealloc %a : memref<4xf32, 1>
  return
}}
"""
    line, rest = "  memref.dma_wait\n", " %tag[%i], %i : memref<1xi32>"
    document, checker = Document(source, CONFIG.models), Checker()
    assert [finding.rule.name for finding in checker.findings(document, CONFIG)] == ["free-before-wait"]
    at = source.index("  memref.dealloc")
    document = document.edit([Edit(Span(at, at), line)])
    assert [finding.rule.name for finding in checker.findings(document, CONFIG)] == ["free-before-wait"]
    end = at + len(line) - 1
    document = document.edit([Edit(Span(end, end), rest)])
    assert not checker.findings(document, CONFIG)
    document = document.edit([Edit(Span(end, end + len(rest)), "")])
    assert [finding.rule.name for finding in checker.findings(document, CONFIG)] == ["free-before-wait"]


def test_what_is_waited_for_in_the_middle_of_a_chain() -> None:
    """Following %a has not looked at %v, as there is more of its chain behind that."""
    document, checker = Document(CHAIN, CONFIG.models), Checker()
    wait, at = "  gpu.wait [%v]\n", CHAIN.index("  %i")
    for edit in (None, Edit(Span(at, at), wait), Edit(Span(at, at + len(wait)), "")):
        document = document.edit([edit]) if edit is not None else document
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        assert [one.rule.name for one in found] == ["free-before-wait"] * (wait not in document.source)


def test_a_function_that_its_module_ends_with() -> None:
    """What stands around it is no matter of its buffers."""
    source = (
        "module {\n  func.func @main(%arg0: memref<4xf32>, %x: f32, %c: i1) {\n"
        "    call @free2(%a, %s) : (memref<4xf32>, memref<4xf32>) -> ()\n"
        "    memref.store %x, %1[%i] : memref<4xf32> :   %y = arith.addf %x, %x : f32\n"
        "    %t = arith.mulf %}yy, %y : f32\n    } do {\n"
    )
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    at = source.index("%x, %1")
    document = document.edit([Edit(Span(at, at + 2), "%b")])
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
