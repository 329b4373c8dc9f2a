"""Allocation sites that replace each other are explored as one; findings name the right one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from memlane.checking import check
from memlane.flow import strategy
from memlane.flow.dataflow.budget import Purse
from memlane.flow.interproc.exploration_result import Explorations
from memlane.flow.interproc.exploration_result import explored as follow
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.program import Program
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.merged_sites import Alike
from tests.effort import some
from tests.hostile.growth import PHASES, power

M = "memref<4xf32>"
HEAD = f"""\
func.func @f(%s: {M}, %x: f32, %i: index) {{
  %true = arith.constant true
  %false = arith.constant false
"""


def replacing(number: int | str, name: str, owned: str, fault: str = "") -> list[str]:
    """A new buffer takes the place of one, which is freed if it is owned. `fault`: what is wrong with that."""
    lines = [f"%n{number} = memref.alloc() : {M}", f"memref.copy {name}, %n{number} : {M} to {M}"]
    if fault == "twice":
        lines.append(f"memref.dealloc {name} : {M}")
    if fault != "lost":
        lines += [f"scf.if {owned} {{", f"memref.dealloc {name} : {M}", "}"]
    if fault == "used":
        lines.append(f"memref.store %x, {name}[%i] : {M}")
    return lines


def flag(fault: str) -> str:
    """Whether who goes on owns the new buffer."""
    return "%false" if fault == "disowned" else "%true"


def end(name: str, owned: str) -> list[str]:
    """The last buffer is used, and freed if it is owned."""
    return [
        f"memref.store %x, {name}[%i] : {M}",
        f"scf.if {owned} {{",
        f"memref.dealloc {name} : {M}",
        "}",
        "return",
        "}",
    ]


def loops(count: int, wrong: int = -1, fault: str = "") -> str:
    """Loops in a row that each replace a buffer in each round; the fault is in one."""
    lines: list[str] = []
    name, owned = "%s", "%false"
    for n in range(count):
        here = fault if n == wrong else ""
        lines += [f"%w{n}:2 = scf.while (%a{n} = {name}, %o{n} = {owned}) : ({M}, i1) -> ({M}, i1) {{"]
        lines += [f'%c{n} = "test.coin"() : () -> i1', f"scf.condition(%c{n}) %a{n}, %o{n} : {M}, i1"]
        lines += ["} do {", f"^bb0(%y{n}: {M}, %p{n}: i1):", *replacing(n, f"%y{n}", f"%p{n}", here)]
        lines += [f"scf.yield %n{n}, {flag(here)} : {M}, i1", "}"]
        name, owned = f"%w{n}#0", f"%w{n}#1"
    return HEAD + "\n".join([*lines, *end(name, owned), ""])


def states(count: int, wrong: int = -1, fault: str = "") -> str:
    """One loop of as many states, in each of which the buffer is replaced; the fault is in one."""
    lines = [f"%w:2 = scf.while (%a = %s, %o = %false) : ({M}, i1) -> ({M}, i1) {{"]
    lines += ['%c = "test.coin"() : () -> i1', f"scf.condition(%c) %a, %o : {M}, i1", "} do {"]
    lines += [f"^bb0(%y: {M}, %p: i1):", '%k = "test.state"() : () -> index']
    lines += [f"%r:2 = scf.index_switch %k -> {M}, i1"]
    for n in range(count):
        here = fault if n == wrong else ""
        lines += [f"case {n} {{", *replacing(n, "%y", "%p", here), f"scf.yield %n{n}, {flag(here)} : {M}, i1", "}"]
    lines += ["default {", f"scf.yield %y, %p : {M}, i1", "}", f"scf.yield %r#0, %r#1 : {M}, i1", "}"]
    return HEAD + "\n".join([*lines, *end("%w#0", "%w#1"), ""])


def said(text: str) -> list[tuple[str, str]]:
    return [(one.rule.name, one.report.message) for one in check(text).findings]


def found(text: str) -> set[tuple[str, object, str]]:
    return {(one.rule.name, one.report.span, one.report.message) for one in check(text).findings}


SHAPES = pytest.mark.parametrize("shape", [loops, states])


@pytest.mark.slow
@SHAPES
def test_nothing_is_wrong_with_many_buffers_that_replace_each_other(shape: Callable[[int], str]) -> None:
    assert said(shape(80)) == []


@pytest.mark.slow
@SHAPES
@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("twice", {"argument-free": 1, "double-free": 1}),
        ("used", {"possible-use-after-free": 1}),
        ("disowned", {"leak": 1}),
    ],
)
def test_what_is_wrong_with_one_is_told_of_that(
    shape: Callable[[int, int, str], str], fault: str, rules: dict[str, int]
) -> None:
    """As of few, where all are told apart."""
    for count, wrong in ((6, 3), (80, 57)):
        told = [rule for rule, _ in said(shape(count, wrong, fault))]
        assert {rule: told.count(rule) for rule in told} == rules
    if fault == "disowned":
        assert said(shape(80, 57, fault)) == [("leak", "buffer %n57 of 16 bytes is never freed")]


@pytest.mark.slow
def test_what_may_be_lost_is_what_was_made_before() -> None:
    lost = [message.split()[1] for rule, message in said(loops(60, 20, "lost")) if rule == "possible-leak"]
    assert lost == [f"%n{n}" for n in range(21)]


def only_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several buffers are followed as if they were alike, or not at all."""

    def explored(
        program: Program,
        flow: FunctionFlow,
        part: Slice,
        callees: Inquiry,
        purse: Purse,
        how: type[Explorer] = Explorer,
    ) -> Explorations | None:
        few = how is Alike or len(part.origins) == 1
        return follow(program, flow, part, callees, purse, how) if few else None

    monkeypatch.setattr(strategy, "explored", explored)


def faulty(choose: random.Random, text: str) -> str:
    """A text of which some deallocations are missing, or made twice, or flags are other ones."""
    lines = text.split("\n")
    for _ in range(choose.choice((0, 1, 1, 2))):
        freeing = [number for number, line in enumerate(lines) if "memref.dealloc" in line]
        at, kind = choose.choice(freeing), choose.randrange(3)
        if kind == 2:
            at = choose.randrange(len(lines))
            lines[at] = lines[at].replace(", %true", ", %false")
        else:
            lines[at : at + 1] = [lines[at]] * (2 * kind)
    return "\n".join(lines)


def texts(seed: int) -> Iterator[str]:
    choose = random.Random(seed)
    for _ in range(20):
        count = choose.randint(2, 5)
        fault = choose.choice(["", "lost", "twice", "used", "disowned"])
        yield faulty(choose, choose.choice([loops, states])(count, choose.randrange(count), fault))


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 1))
def test_the_same_is_found_as_where_all_are_told_apart(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [found(text) for text in texts(seed)]
    only_alike(monkeypatch)
    for text, findings in zip(texts(seed), wanted, strict=True):
        assert found(text) == findings, text
    assert sum(map(len, wanted)) > 20


@SHAPES
def test_deallocations_are_late_for_the_same_buffer(
    shape: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waste = "func.call @g() : () -> ()\n"
    late = "func.func private @g()\n" + shape(4)
    for place in ("scf.if", "memref.dealloc"):
        late = late.replace(place, waste + place)
    wanted = found(late)
    only_alike(monkeypatch)
    assert found(late) == wanted
    assert [rule for rule, _, _ in wanted].count("late-free") >= 1


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@SHAPES
def test_growth(shape: Callable[[int], str]) -> None:
    assert power(lambda count: PHASES["check"](shape(count)), 40) < 1.15


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("shape", "fault", "count"), [(loops, "twice", 100), (states, "twice", 200)])
def test_growth_where_something_is_wrong(shape: Callable[[int, int, str], str], fault: str, count: int) -> None:
    assert power(lambda n: PHASES["check"](shape(n, n // 2, fault)), count) < 1.15
