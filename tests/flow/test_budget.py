"""What happens when a function has more paths than the budget allows: less is known, never more, and it is said."""

from __future__ import annotations

import random
from collections.abc import Iterable
from time import process_time

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.flow import FunctionFlow, Program, function_facts, strategy
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow import budget
from memlane.flow.dataflow.budget import Budget, Purse
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.solver import BudgetExceeded, Reached, reach
from memlane.flow.dataflow.state import State
from memlane.flow.path_insensitive import fallback
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.typestate import explorer
from memlane.flow.typestate.cluster_result import ClusterResult
from memlane.flow.typestate.limits import MAX_PAIRS
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import edit_on
from tests.fuzz.programs import program

CONFIG = Config()

SHUFFLED = """\
func.func @shuffle(%n: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{allocs}
  %r:{count} = scf.for %i = %c0 to %n step %c1 iter_args({arguments}) -> ({types}) {{
    %swap = "test.coin"() : () -> i1
    %x, %y = scf.if %swap -> (memref<4xf32>, memref<4xf32>) {{
      scf.yield %v1, %v0 : memref<4xf32>, memref<4xf32>
    }} else {{
      scf.yield %v0, %v1 : memref<4xf32>, memref<4xf32>
    }}
    scf.yield {rotated} : {types}
  }}
{deallocs}
  return
}}
"""


def shuffled(count: int, freed: int) -> str:
    """A loop that may put `count` buffers into any order, of which the first `freed` are freed afterwards."""
    names = ["%x", "%y", *(f"%v{i}" for i in range(2, count))]
    return SHUFFLED.format(
        allocs="\n".join(f"  %a{i} = memref.alloc() : memref<4xf32>" for i in range(count)),
        count=count,
        arguments=", ".join(f"%v{i} = %a{i}" for i in range(count)),
        types=", ".join(["memref<4xf32>"] * count),
        rotated=", ".join(names[1:] + names[:1]),
        deallocs="\n".join(f"  memref.dealloc %r#{i} : memref<4xf32>" for i in range(freed)),
    )


def names(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


def test_few_buffers_are_followed_together() -> None:
    """All are freed, though behind a loop that nothing needs them in."""
    assert names(shuffled(3, 3)) == ["late-free"]
    assert set(names(shuffled(3, 2))) == {"possible-leak"}


@pytest.mark.slow
def test_many_buffers_are_followed_one_by_one() -> None:
    """Nine buffers in any order are 362,880 states; each alone is in one of nine places."""
    assert names(shuffled(9, 9)) == ["late-free"]
    assert names(shuffled(9, 8)) == ["possible-leak"] * 9


def test_each_of_several_buffers_is_followed_while_that_is_quick(steps: list[Point]) -> None:
    """Of fourteen each is by itself; of sixteen, as they are alike, it is known sooner that nothing goes wrong."""
    assert names(shuffled(16, 16)) == ["late-free"]
    assert len(steps) < 15_000


def test_many_buffers_take_fewer_steps(steps: list[Point]) -> None:
    """Each step looks at all hundred of them: together that would be some millions of looks, else."""
    assert names(shuffled(100, 100)) == []
    assert len(steps) < 5_000


REPLACED = """\
  %w{number} = scf.while (%x = {before}) : (memref<4xf32>) -> memref<4xf32> {{
    %c{number} = "test.coin"() : () -> i1
    scf.condition(%c{number}) %x : memref<4xf32>
  }} do {{
  ^bb0(%y: memref<4xf32>):
    %n{number} = memref.alloc() : memref<4xf32>
    memref.dealloc %y : memref<4xf32>
    scf.yield %n{number} : memref<4xf32>
  }}
"""


@pytest.mark.slow
def test_buffers_that_replace_each_other_are_alike_whether_written_to_or_not() -> None:
    """Behind the last of 80 loops there are 81 that it may be, and more states than the budget allows."""
    loops = "".join(REPLACED.format(number=n, before=f"%w{n - 1}" if n else "%a") for n in range(80))
    body = f"  %a = memref.alloc() : memref<4xf32>\n{loops}  memref.dealloc %w79 : memref<4xf32>\n  return\n"
    assert set(names(f"func.func @f() {{\n{body}}}\n")) == {"late-free"}


def nothing(*_: object, **_named: object) -> None:
    """What cannot be told."""


@pytest.fixture(name="alone")
def never_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where paths are too many they are not taken together either, as if the function was too large."""
    monkeypatch.setattr(fallback, "MAX_SET_BITS", 0)
    monkeypatch.setattr(fallback, "MAX_OPS_ALWAYS_SOLVED", 0)


WAITED = """\
func.func @f(%c: i1) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4xf32>
  scf.if %c {
    %t3 = gpu.dealloc async [%t2] %a : memref<4xf32>
  }
  return
}
"""


def test_giving_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of large functions alone, where too many buffers may be each other: that takes memory."""
    assert names(WAITED) == ["double-free"]
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", 3)
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    monkeypatch.setattr(fallback, "MAX_SET_BITS", 0)
    assert names(WAITED) == ["double-free"]
    monkeypatch.setattr(fallback, "MAX_OPS_ALWAYS_SOLVED", 0)
    assert names(WAITED) == ["analysis-limit"]


def test_nothing_else_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", 3)
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    assert set(names(shuffled(9, 8))) == {"possible-leak", "possible-double-free"}


@pytest.mark.usefixtures("alone")
def test_each_that_is_given_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("PAIRS_PER_POINT", "PAIRS_PER_PLAIN_POINT"):
        monkeypatch.setattr(explorer, limit, 0)
    monkeypatch.setattr(explorer, "MAX_PAIRS", 3)
    assert names(shuffled(3, 3)) == ["analysis-limit"] * 3


def joined(*bodies: str) -> str:
    """One function that does what several do, one after the other."""
    lines: list[str] = []
    for number, body in enumerate(bodies):
        inner = body.split("\n", 1)[1].rsplit("  return\n", 1)[0]
        lines.append(inner.replace("%", f"%g{number}_").replace(f"%g{number}_n", "%n").replace(f"%g{number}_c ", "%c "))
    return "func.func @f(%n: index, %c: i1) {\n" + "".join(lines) + "  return\n}\n"


MODEST = """\
func.func @modest(%n: index, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("first", [True, False])
def test_a_greedy_group_takes_nothing_from_others(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a function may cost is bounded, whatever is in it; what is given up is named, the rest is as exact."""
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", 400)
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    source = joined(shuffled(5, 5), MODEST) if first else joined(MODEST, shuffled(5, 5))
    found = [(f.rule.name, f.report.buffer.name if f.report.buffer else None) for f in check(source).findings]
    greedy, modest = ("%g0_", "%g1_a") if first else ("%g1_", "%g0_a")
    given_up = [("analysis-limit", f"{greedy}a{number}") for number in range(5)]
    assert sorted(found, key=str) == sorted([*given_up, ("possible-leak", modest)], key=str)


def test_what_a_group_needs_beyond_its_share_is_there_once() -> None:
    whole = Budget(operations=0, groups=4)
    half = budget.STEPS_PER_FUNCTION // 2
    greedy = whole.purse()
    assert greedy.left == half + half // 4
    with pytest.raises(BudgetExceeded):
        greedy.spend(2 * half)
    whole.settle(greedy.spent)
    assert greedy.empty and greedy.left == 0
    for _ in range(3):
        other = whole.purse()
        assert other.left == half // 4
        other.spend(other.left)
        whole.settle(other.spent)


@pytest.mark.usefixtures("alone")
def test_steps_of_a_function_are_bounded(steps: list[Point], monkeypatch: pytest.MonkeyPatch) -> None:
    """All groups together, what they are graded by, and what is tried again buffer by buffer."""
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", 3_000)
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    assert "analysis-limit" in names(joined(*[shuffled(6, 5)] * 6))
    assert 0 < len(steps) <= 3_000


def watched(monkeypatch: pytest.MonkeyPatch) -> list[ClusterResult]:
    """All that following groups gives from now on."""
    found: list[ClusterResult] = []
    follow = strategy.follow  # to see what each group takes

    def told(
        program: Program,
        flow: FunctionFlow,
        clusters: list[Cluster],
        purse: Purse,
        body: BodyBlocks,
    ) -> ClusterResult:
        found.append(follow(program, flow, clusters, purse, body))
        return found[-1]

    monkeypatch.setattr(function_facts, "follow", told)
    return found


@pytest.mark.usefixtures("alone")
def test_what_is_remembered_may_be_too_much_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one group needs more after an edit, another that has not changed may not get as much as before."""
    source = joined(shuffled(4, 4), shuffled(4, 4))
    followed = watched(monkeypatch)
    assert names(source) == ["late-free"] * 2
    spent = [one.spent for one in followed]
    assert len(spent) == 2
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", sum(spent) + 3)
    document, checker = Document(source, CONFIG.models), Checker()
    assert [one.rule.name for one in checker.findings(document, CONFIG)] == ["late-free"] * 2
    at = source.index("  memref.dealloc %g0_r#0")
    document = document.edit([Edit(Span(at, at), "  memref.copy %g0_r#0, %g0_r#1 : memref<4xf32> to memref<4xf32>\n")])
    found = checker.findings(document, CONFIG)
    assert found == check(document.source, CONFIG).findings
    assert {one.rule.name for one in found} == {"analysis-limit"}


@pytest.mark.slow
@pytest.mark.parametrize("most", [60, 300, 1_000])
def test_what_is_remembered_does_not_matter(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edited, a function has the findings that it has from scratch, where its budget is reached as well."""
    monkeypatch.setattr(budget, "STEPS_PER_FUNCTION", most)
    monkeypatch.setattr(budget, "STEPS_PER_OP", 0)
    followed = watched(monkeypatch)
    for seed in range(3):
        edit_on(program(random.Random(seed), 2), seed, 12)
        edit_on(joined(shuffled(4, 4), MODEST, shuffled(4, 3)), seed, 12)
    assert any(one.hindered for one in followed) and not all(one.hindered for one in followed)


def asked_again(flags: int, last: str) -> str:
    """Memory of which many conditions, all asked again at the end, decide whether it is written before it is read."""
    lines = ["%z = arith.constant 0.0 : f32", "%i = arith.constant 0 : index", "%a = memref.alloca() : memref<4xf32>"]
    for number in [*range(flags), *range(flags)]:
        lines += [f"scf.if %c{number} {{", "  memref.store %z, %a[%i] : memref<4xf32>", "}"]
    arguments = ", ".join(f"%c{number}: i1" for number in range(flags))
    return f"func.func @f({arguments}) {{\n" + "\n".join([*lines, last, "return", "}"]) + "\n"


READ = "%x = memref.load %a[%i] : memref<4xf32>"


@pytest.mark.slow
def test_what_only_may_be_read_too_early_is_not_worth_much(steps: list[Point]) -> None:
    """Nobody has to free it, and whether it is written depends on more than anybody wants to follow."""
    assert names(asked_again(16, READ)) == []
    assert 0 < len(steps) < MAX_PAIRS + 2_000
    assert names(asked_again(0, READ)) == ["uninitialized-read"]


def test_pairs_that_one_leads_to_count() -> None:
    """Work is bounded, not the number of steps alone: here each leads to a hundred others."""
    taken = 0

    def transfer(point: str, state: int) -> Iterable[tuple[str, int]]:
        nonlocal taken
        taken += 1
        return [(point, 100 * state + further) for further in range(100)]

    with pytest.raises(BudgetExceeded):
        reach([("a", 1)], transfer, 100)
    assert taken < 10


@pytest.mark.parametrize("width", [4, 5, 8])
def test_many_results_of_operations_nobody_described(width: int) -> None:
    """Each may be any of the operands: eight of eight are more than anybody could tell apart."""
    type_ = ", ".join(["!q.bit"] * width)
    before = [f"%a{number}" for number in range(width)]
    source = f"func.func @f({', '.join(f'{name}: !q.bit' for name in before)}) -> ({type_}) {{\n"
    for number in range(6):
        source += f"  %{number}:{width} = q.gate {', '.join(before)} : {type_}\n"
        before = [f"%{number}#{result}" for result in range(width)]
    started = process_time()
    assert not check(f"{source}  return {', '.join(before)} : {type_}\n}}\n").findings
    assert process_time() - started < 10  # it was minutes


def test_one_buffer_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That it is followed alone, or stands for all that are made alike, is nothing else where there is but one."""
    tried: list[bool] = []
    run = explorer.Explorer.run

    def counted(one: explorer.Explorer, most: int | None = None) -> Reached[Point, State]:
        try:
            return run(one, most)
        except BudgetExceeded:
            tried.append(True)
            raise

    monkeypatch.setattr(explorer.Explorer, "run", counted)
    monkeypatch.setattr(explorer, "MAX_PAIRS", 10)
    monkeypatch.setattr(explorer, "PAIRS_PER_POINT", 0)
    body = "".join(f"scf.if %c{number} {{\nmemref.dealloc %a : memref<4xf32>\n}}\n" for number in range(6))
    flags = ", ".join(f"%c{number}: i1" for number in range(6))
    assert check(f"func.func @f({flags}) {{\n%a = memref.alloc() : memref<4xf32>\n{body}return\n}}\n").findings
    assert len(tried) == 1
