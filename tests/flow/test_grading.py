"""Grading all events at once says of each what following the paths for it alone says."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Certainty
from memlane.flow import Program
from memlane.flow.dataflow.events import EventKind, Goal, Pair, Purpose
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate import path_choices
from memlane.flow.typestate.certainty import avoidable
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.limits import MIN_LOOKS
from memlane.flow.typestate.must_violations import unavoidable
from memlane.syntax import parse
from tests.fuzz.programs import program
from tests.hostile.growth import exponent, lines_run

CONFIG = Config()


def one_by_one(explorer: Explorer, part: Slice, goal: Goal) -> bool:
    """Whether a path passes the place of `goal` without it: followed with a mark on each path that has passed."""
    pending = [(pair, False) for pair in explorer.starts()]
    seen = set(pending)
    while pending:
        (point, state), passed = pending.pop()
        stops = part.stops.get(point.block, [])
        if goal.kind is not EventKind.LEAK and point.stop < len(stops) and stops[point.stop] is goal.place:
            passed = True
        explorer.log.ended = None
        following = list(explorer.step(point, state))
        if explorer.log.ended is not None and passed and goal not in explorer.log.ended:
            return True
        for to, after in following:
            if goal in after.bad:
                continue
            made = any(Goal(EventKind.LEAK, name.op, name.name) == goal for name in after.made if name.op is not None)
            pair: Pair = to, after._replace(made=frozenset(), bad=frozenset())
            if (pair, passed or made) not in seen:
                seen.add((pair, passed or made))
                pending.append((pair, passed or made))
    return False


def graded(found: Program, flow: FunctionFlow, certain: list[Goal]) -> list[tuple[bool, bool]]:
    """Of each event in a function whether it can be avoided: told for all at once, and for it alone.

    `certain` takes those of which that is told without following paths.
    """
    grades: list[tuple[bool, bool]] = []
    for cluster in found.aliases(flow).clusters.values():
        part = Slice(flow.graph, [cluster])
        first = Explorer(flow.graph, part, found)
        reached = first.run()
        goals = list(dict.fromkeys(Goal(event.kind, event.place) for event in first.log.events))
        told = avoidable(first, reached, flow.graph, part, goals)
        certain.extend(unavoidable(flow.graph, part, goals))
        assert told.isdisjoint(certain)
        for goal in goals:
            alone = Explorer(flow.graph, part, found, Purpose.GRADES)
            grades.append((goal in told, one_by_one(alone, part, goal)))
    return grades


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_all_at_once_and_one_by_one(first: int) -> None:
    told: list[bool] = []
    certain: list[Goal] = []
    for seed in range(first, first + 20):
        source = program(random.Random(seed), 3)
        found = Program(parse(source, CONFIG.models).chunks[0].ops, CONFIG.models, source)
        for flow in list(found.functions.values()):
            for at_once, alone in graded(found, flow, certain):
                assert at_once == alone, seed
                told.append(at_once)
    assert set(told) == {True, False}  # programs that have both, or nothing would be compared
    assert EventKind.LEAK in {goal.kind for goal in certain}


M = "memref<4xf32>"
EITHER = f"""
func.func @f(%c: i1, %d: i1, %i: index) {{
  %e = arith.ori %c, %d : i1
  scf.if %e {{
    %a = memref.alloc() : {M}
    %x = memref.load %a[%i] : {M}
    memref.dealloc %a : {M}
  }}
  return
}}
"""


def test_ways_in_that_differ_in_nothing() -> None:
    found = [(f.rule.name, f.report.certainty) for f in check(EITHER).findings]
    assert ("uninitialized-read", Certainty.ALWAYS) in found


HEAD = f"func.func @f(%c: i1, %x: f32, %i: index) {{\n%a0 = memref.alloc() : {M}\nmemref.dealloc %a0 : {M}\n"
WRONG = {
    "used after it is freed": f"scf.if %c {{\nmemref.store %x, %a0[%i] : {M}\n}}\n",
    "freed again": f"scf.if %c {{\nmemref.dealloc %a0 : {M}\n}}\n",
}


def wrong(kind: str, count: int) -> str:
    """Something wrong in so many branches, one after the other."""
    return HEAD + WRONG[kind] * count + "return\n}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("kind", WRONG)
def test_work_grows_with_what_is_wrong(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many things go wrong with one buffer as there are places; of each path so much is told, and no more."""
    monkeypatch.setattr(path_choices, "MAX_CHOICES_SHOWN", 20)
    _ = check(wrong(kind, 100))  # learn what statements look like
    assert exponent(*(lines_run(lambda count=count: check(wrong(kind, count))) for count in (100, 200))) < 1.15


@pytest.mark.parametrize("looks", [MIN_LOOKS, 0])
def test_of_long_paths_the_end_is_told(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine branches may free a buffer: it is lost where none of them does. Also if there is no time to explain that."""
    monkeypatch.setattr(path_choices, "MAX_CHOICES_SHOWN", 4)
    monkeypatch.setattr(path_choices, "MIN_LOOKS", looks)
    monkeypatch.setattr(path_choices, "MAX_LOOKS_PER_PAIR", looks)
    body = "%a = memref.alloc() : memref<4xf32>\n"
    body += "".join(f"scf.if %c{n} {{\nmemref.dealloc %a : memref<4xf32>\n}}\n" for n in range(9))
    head = f"func.func @f({', '.join(f'%c{n}: i1' for n in range(9))}) {{\n"
    (lost,) = (f for f in check(f"{head}{body}return\n}}\n").findings if f.rule.name == "possible-leak")
    said = [note.message for note in lost.report.notes]
    assert said == ["after 5 other choices", *[f"%c{n} is false" for n in range(5, 9)], "%a is lost here"]


def test_the_cause_is_told_before_the_end_of_a_long_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no time to explain what goes wrong, and the deallocation is before what is read of the path."""
    for limit, value in (("MIN_LOOKS", 0), ("MAX_LOOKS_PER_PAIR", 0), ("MAX_END", 2)):
        monkeypatch.setattr(path_choices, limit, value)
    flags = ", ".join(f"%c{n}: i1" for n in range(9))
    body = "".join(f"scf.if %c{n} {{\nmemref.dealloc %a0 : {M}\n}}\n" for n in range(9))
    head = HEAD.replace("%c: i1", flags)
    findings = check(f"{head}{body}return\n}}\n").findings
    assert [found.rule.name for found in findings] == ["double-free"] * 9
    for number, found in enumerate(findings):
        told = [note.message for note in found.report.notes]
        assert told[-2:] == ["freed here first", f"%c{number} is true"]
