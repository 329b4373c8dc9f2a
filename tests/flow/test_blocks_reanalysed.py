"""A function of many blocks: an edit of one condition has only those buffers explored again that it decides about.
matters, and the operations of the others are put right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest

import memlane.flow.function_facts
from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow import FunctionFlow, Program, strategy
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.budget import Purse
from memlane.flow.memo import exploration_memo
from memlane.flow.memo.terminator_deps import Ends, Number, looked_at
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.typestate.cluster_result import ClusterResult
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.tree.tree import Value
from tests.hostile.shapes import lowered

CONFIG = Config()
LOOPS = 20
SOURCE = re.sub(r"  memref.dealloc %b.*\n", "", lowered(LOOPS))
"""Each loop loses a buffer, and one before it is read before it is written: none is plainly right."""


def _followed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first buffer of each group that is followed after an edit, where all had to be before."""
    follow = strategy.follow
    found: list[str] = []

    def counted(
        program: Program,
        flow: FunctionFlow,
        clusters: list[Cluster],
        purse: Purse,
        body: BodyBlocks,
    ) -> ClusterResult:
        found.append(clusters[0].origins[0].value.name)
        return follow(program, flow, clusters, purse, body)

    document, checker = Document(SOURCE, CONFIG.models), Checker()
    with monkeypatch.context() as patch:
        patch.setattr(memlane.flow.function_facts, "follow", counted)
        checker.findings(document, CONFIG)
        assert len(found) == 2 * LOOPS
        found.clear()
        at = SOURCE.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        checker.findings(document, CONFIG)
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("cond_br %t5,", "cond_br %t57,", 1),  # while it is typed nobody knows what decides
        ("slt, %i5, %n", "slt, %i5, %c1", 1),
        ("slt, %i5", "sgt, %i5", 1),
        ("addi %i5, %c1", "addi %i5, %c0", 1),
        ("^head5(%j5", "^head5(%c1", 1),
        ("%b5[%i5]", "%b5[%c0]", 2),
        ("cond_br %t5,", "cond_br %t6,", 2 * LOOPS),  # a loop that does not end, for all that is known
        ("^body5, ^exit5", "^body5, ^exit6", 2 * LOOPS),  # leads elsewhere
    ],
)
def test_only_what_an_edit_matters_to_is_followed(
    old: str, new: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(_followed(old, new, monkeypatch)) == wanted


CHOICE = """\
func.func @f(%c: i1, %d: i1, %x: f32, %i: index) {
  %true = arith.constant true
  cf.cond_br %c, ^end, ^in
^in:
  %l = memref.alloc() : memref<4xf32>
  cf.cond_br %d, ^use, ^on
^use:
  memref.store %x, %l[%i] : memref<4xf32>
  cf.br ^on
^on:
  scf.if %d {
    memref.store %x, %l[%i] : memref<4xf32>
  }
  %y = arith.addf %x, %x : f32
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^end:
  return
}
"""


@pytest.mark.parametrize(("asked", "late"), [("%true", ""), ("%d", "over 2 operations"), ("%e", "over 1 operation ")])
def test_what_is_asked_before_matters_where_it_is_asked_again(asked: str, late: str) -> None:
    """Whether control comes there, and what is known then; an edit takes that back, too."""
    document, checker = Document(CHOICE, CONFIG.models), Checker()
    assert ["over 1 operation " in one.report.message for one in checker.findings(document, CONFIG)] == [True]
    at = CHOICE.index("cond_br %c") + len("cond_br ")
    for old, new in (("%c", asked), (asked, "%c")):
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source).findings
        told = [one.report.message for one in found if one.rule.name == "late-free"]
        wanted = late if new == asked else "over 1 operation "
        assert [wanted in one for one in told] == ([True] if wanted else [])


def asked_before(count: int) -> str:
    """A flag is asked at the ends of so many blocks, and behind them where a buffer is used, and where it is freed."""
    asking = "".join(
        f"^p{at}:\n  cf.cond_br %d, ^q{at}, ^p{at + 1}\n^q{at}:\n  cf.br ^p{at + 1}\n" for at in range(count)
    )
    return f"""\
func.func @f(%c: i1, %d: i1, %e: i1, %x: f32, %i: index) {{
  cf.br ^p0
{asking}^p{count}:
  cf.cond_br %c, ^end, ^in
^in:
  %l = memref.alloc() : memref<4xf32>
  cf.cond_br %d, ^use, ^on
^use:
  memref.store %x, %l[%i] : memref<4xf32>
  cf.br ^on
^on:
  %y = memref.load %l[%i] : memref<4xf32>
  cf.cond_br %d, ^free, ^end
^free:
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^end:
  return
}}
"""


@pytest.mark.parametrize(("count", "followed"), [(1, [1]), (2, [0, 0]), (5, [0, 0, 0, 0, 0])])
def test_two_places_are_remembered_where_a_flag_is_asked(
    count: int, followed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an edit of one it is still asked at another, and the buffer need not be followed again. Edits of several
    places have it followed in any case, so that more need not be remembered."""
    source, kept = asked_before(count), list[Ends]()

    def noted(parts: Iterable[Direct], body: BodyBlocks, number_of: Callable[[Value], Number]) -> Ends:
        kept.append(looked_at(parts, body, number_of))
        return kept[-1]

    monkeypatch.setattr(exploration_memo, "looked_at", noted)
    again: list[int] = []
    for number in range(count):
        document, checker = Document(source, CONFIG.models), Checker()
        checker.findings(document, CONFIG)
        before = len(kept)
        at = source.index(f"^p{number}:\n  cf.cond_br %d") + len(f"^p{number}:\n  cf.cond_br ")
        document = document.edit([Edit(Span(at, at + len("%d")), "%e")])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
        again.append(len(kept) - before)
    assert again == followed
    assert max(len(places) for ends in kept for places in ends.elsewhere) == min(count, 2)


PASSED = """\
func.func @f(%p: i1, %q: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = arith.addf %x, %x : f32
  cf.cond_br %p, ^loop, ^end
^loop:
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    scf.if %p {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
^end:
  return
}
"""


def test_a_condition_that_was_passed_before_a_loop_is_another() -> None:
    """What is asked in the loop was asked by the branch before; then that asks something else."""
    document, checker = Document(PASSED, CONFIG.models), Checker()
    assert not checker.findings(document, CONFIG)
    for old, new in (("%r = arith.addf", "%r = arith.mulf"), ("cond_br %p", "cond_br %q")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
    assert [one.rule.name for one in found] == ["possible-leak"]
