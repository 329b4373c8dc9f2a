"""The contracted CFG, and clusters that are explored under a few names at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Certainty
from memlane.flow import strategy
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.dataflow.budget import Purse
from memlane.flow.dataflow.events import EventKind
from memlane.flow.interproc.exploration_result import Explorations
from memlane.flow.interproc.exploration_result import explored as follow
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.program import Program
from memlane.flow.interproc.split_by_alias import Several
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.path_insensitive.fallback import Remaining
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.cluster_result import Incident
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.merged_sites import Alike
from memlane.syntax import Document
from tests.effort import some
from tests.flow.whole_function_slices import compare_with_everywhere
from tests.hostile.growth import PHASES, Work, power
from tests.hostile.shapes import lowered

TYPE = "memref<4xf32>"


def twice(count: int, wrong: int = -1) -> str:
    """Buffers, each freed where its flag is true, or else behind that: one of them, `wrong`, where it is, again."""
    lines = [f"func.func @f({', '.join(f'%p{n}: i1' for n in range(count))}) {{"]
    lines += [f"  %m{n} = memref.alloc() : {TYPE}" for n in range(count)]
    for name, first in (("a", True), ("b", False)):
        for n in range(count):
            free, on = f"^{name}{n}", f"^{name}on{n}"
            ways = (free, on) if first or n == wrong else (on, free)
            lines += [f"  cf.cond_br %p{n}, {ways[0]}, {ways[1]}", f"{free}:"]
            lines += [f"  memref.dealloc %m{n} : {TYPE}", f"  cf.br {on}", f"{on}:"]
    return "\n".join([*lines, "  return", "}", ""])


def merges(count: int, shared: str = "", wrong: int = -1) -> str:
    """Merges of a new buffer or one they share, with a flag that says who owns it; all are freed in the end, the one
    of the merge `wrong` whoever owns it. `shared` makes what they share; else it is an argument."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines = [f"func.func @f({flags}, %x: f32, %i: index{'' if shared else f', %s: {TYPE}'}) {{"]
    lines += ["  %true = arith.constant true", "  %false = arith.constant false", *([shared] if shared else [])]
    for n in range(count):
        lines += [f"  cf.cond_br %c{n}, ^new{n}, ^old{n}", f"^new{n}:", f"  %n{n} = memref.alloc() : {TYPE}"]
        lines += [f"  cf.br ^m{n}(%n{n}, %true : {TYPE}, i1)", f"^old{n}:", f"  cf.br ^m{n}(%s, %false : {TYPE}, i1)"]
        lines += [f"^m{n}(%x{n}: {TYPE}, %o{n}: i1):", f"  memref.store %x, %x{n}[%i] : {TYPE}"]
    for n in range(count):
        lines += [f"  cf.cond_br {'%true' if n == wrong else f'%o{n}'}, ^free{n}, ^on{n}", f"^free{n}:"]
        lines += [f"  memref.dealloc %x{n} : {TYPE}", f"  cf.br ^on{n}", f"^on{n}:"]
    return "\n".join([*lines, f"  memref.dealloc %s : {TYPE}" if shared else "", "  return", "}", ""])


def replaced(count: int, wrong: int = -1) -> str:
    """Branches in a row that may each put a new buffer in place of the one before, and free that, if it is owned;
    one of them, `wrong`, does not."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines = [f"func.func @f({flags}, %x: f32, %i: index, %s: {TYPE}) {{", "  %true = arith.constant true"]
    lines += ["  %false = arith.constant false", f"  cf.br ^m0(%s, %false : {TYPE}, i1)"]
    for n in range(count):
        lines += [
            f"^m{n}(%x{n}: {TYPE}, %o{n}: i1):",
            f"  cf.cond_br %c{n}, ^new{n}, ^m{n + 1}(%x{n}, %o{n} : {TYPE}, i1)",
        ]
        lines += [f"^new{n}:", f"  %n{n} = memref.alloc() : {TYPE}", f"  memref.copy %x{n}, %n{n} : {TYPE} to {TYPE}"]
        lines += [f"  cf.cond_br {'%false' if n == wrong else f'%o{n}'}, ^free{n}, ^on{n}", f"^free{n}:"]
        lines += [f"  memref.dealloc %x{n} : {TYPE}", f"  cf.br ^on{n}", f"^on{n}:"]
        lines += [f"  cf.br ^m{n + 1}(%n{n}, %true : {TYPE}, i1)"]
    lines += [f"^m{count}(%x{count}: {TYPE}, %o{count}: i1):", f"  cf.cond_br %o{count}, ^free, ^end", "^free:"]
    return "\n".join([*lines, f"  memref.dealloc %x{count} : {TYPE}", "  cf.br ^end", "^end:", "  return", "}", ""])


def calls(count: int) -> str:
    """The same in calls of a function that hands on who owns what it gives."""
    lines = [f"func.func private @g(%x: {TYPE}, %o: i1, %c: i1) -> ({TYPE}, i1) {{", "  %true = arith.constant true"]
    lines += ["  cf.cond_br %c, ^new, ^old", "^new:", "  cf.cond_br %o, ^free, ^on", "^free:"]
    lines += [f"  memref.dealloc %x : {TYPE}", "  cf.br ^on", "^on:", f"  %n = memref.alloc() : {TYPE}"]
    lines += [f"  return %n, %true : {TYPE}, i1", "^old:", f"  return %x, %o : {TYPE}, i1", "}"]
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines += [f"func.func @f({flags}, %s: {TYPE}) {{", "  %o = arith.constant false"]
    name, owned = "%s", "%o"
    for n in range(count):
        lines.append(f"  %r{n}:2 = call @g({name}, {owned}, %c{n}) : ({TYPE}, i1, i1) -> ({TYPE}, i1)")
        name, owned = f"%r{n}#0", f"%r{n}#1"
    return "\n".join(
        [*lines, f"  scf.if {owned} {{", f"    memref.dealloc {name} : {TYPE}", "  }", "  return", "}", ""]
    )


def _said(source: str) -> list[tuple[str, str]]:
    return [(finding.rule.name, finding.report.message) for finding in check(source).findings]


def test_flags_of_other_buffers_do_not_matter() -> None:
    """They are two to the power of forty cases. In all of them each buffer is freed once, though nothing uses it from
    the start."""
    assert {rule for rule, _ in _said(twice(40))} == {"late-free"}
    assert [one for one in _said(twice(40, wrong=17)) if one[0] != "late-free"] == [
        ("possible-leak", "buffer %m17 of 16 bytes is not freed on some path"),
        ("double-free", "the buffer of %m17 is freed a second time"),
    ]


@pytest.mark.slow
def test_merges_of_owned_and_borrowed_buffers() -> None:
    assert _said(merges(40)) == []
    assert _said(merges(40, wrong=7)) == [("argument-free", "frees %x7, which on some paths belongs to the caller")]


@pytest.mark.slow
def test_merges_of_new_buffers_and_one_that_all_share() -> None:
    made = f"  %s = memref.alloc() : {TYPE}"
    late = "buffer %s of 16 bytes is held over 1 operation after its last use"
    assert _said(merges(24, made)) == [("late-free", late)]  # over the branches that free the others
    assert _said(merges(24, made, wrong=7)) == [
        ("late-free", late),
        ("possible-double-free", "the buffer of %s is freed a second time on some path"),
    ]


def guarded(count: int, wrong: int = -1) -> str:
    """Buffers that are each new or the caller's, by a flag, and freed where that holds; one is not."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines = [f"func.func @f(%x: memref<4xf32>, {flags}) {{"]
    for n in range(count):
        lines += [f"  %a{n} = scf.if %c{n} -> (memref<4xf32>) {{", f"    %n{n} = memref.alloc() : memref<4xf32>"]
        lines += [f"    scf.yield %n{n} : memref<4xf32>", "  } else {", "    scf.yield %x : memref<4xf32>", "  }"]
    for n in range(count):
        if n != wrong:
            lines += [f"  scf.if %c{n} {{", f"    memref.dealloc %a{n} : memref<4xf32>", "  }"]
    return "\n".join([*lines, "  return", "}", ""])


@pytest.mark.slow
def test_ends_of_regions_that_hand_one_buffer_on_under_other_names() -> None:
    """Name by name, the one that all may be is told from the flags that decide what it is handed on as."""
    assert _said(guarded(40)) == []
    assert [rule for rule, _ in _said(guarded(40, wrong=20))] == ["leak"]


def test_what_is_certain_under_one_name_hides_what_may_be_under_another() -> None:
    text = f"func.func @f() {{\n  %a = memref.alloc() : {TYPE}\n  return\n}}\n"
    op = next(op for op in Document(text, Config().models).tree.walk() if op.results)
    origin = Origin(OriginKind.ALLOCATION, op.results[0])
    some = Incident(EventKind.DOUBLE_FREE, Certainty.SOME, op, None, origin, None, None, (), False)
    parts = [Mock(spec=Explorations), Mock(spec=Explorations)]
    for part, certainty in zip(parts, (Certainty.SOME, Certainty.ALWAYS), strict=True):
        part.incidents.return_value = [replace(some, certainty=certainty)]
    assert [one.certainty for one in Several(tuple(parts)).incidents()] == [Certainty.ALWAYS]


@pytest.mark.slow
def test_buffers_that_replace_each_other() -> None:
    """There are as many as branches or calls before, and each may live until the end: no matter which it is."""
    assert _said(replaced(100)) == []
    assert ("possible-leak", "buffer %n40 of 16 bytes is not freed on some path") in _said(replaced(100, wrong=41))
    assert [rule for rule, _ in _said(calls(150))] == ["argument-free"]  # of what the private function does


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", [replaced, calls])
def test_growth_of_what_replaces_each_other(shape: Callable[[int], str]) -> None:
    assert power(lambda count: PHASES["check"](shape(count)), 120) < 1.15


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth() -> None:
    def work(count: int) -> Work:
        return PHASES["check"](twice(count))

    assert power(work, 40) < 1.3  # each buffer lives past all of the blocks


def exits(count: int) -> str:
    """Early exits, each where an unknown function says so, into one long row of blocks that frees four buffers."""
    lines = ["func.func private @ask() -> i1", "func.func @f() {"]
    lines += [*(f"  %b{n} = memref.alloc() : {TYPE}" for n in range(4)), "  cf.br ^s0"]
    frees = [f"  memref.dealloc %b{n} : {TYPE}" for n in range(4)]
    for n in range(count):
        lines += [f"^s{n}:", f"  %q{n} = func.call @ask() : () -> i1", f"  cf.cond_br %q{n}, ^c0, ^s{n + 1}"]
    lines += [f"^s{count}:", *frees, f"  cf.br ^c{count}"]
    for n in range(count):
        lines += [f"^c{n}:", *frees[n : n + 1], f"  cf.br ^c{n + 1}"]
    return "\n".join([*lines, f"^c{count}:", "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_exits_into_a_long_row() -> None:
    """No path keeps all that was decided before, and ways into the row are not told for each of its blocks."""
    assert {rule for rule, _ in _said(exits(20))} == {"late-free"}  # nothing uses the buffers
    assert power(lambda count: PHASES["check"](exits(count)), 150) < 1.15


class Stages:
    """Stages of blocks by chance, which make, merge, use and free buffers as some flags say, or do nothing."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._lines: list[str] = []
        self._names, self._flags = ["%a", "%s"], ["%p0", "%p1", "%p2", "%true"]

    def text(self) -> str:
        for number in range(self._chance.randint(3, 9)):
            kinds = [self._merge, self._free, self._nothing, self._loop, self._use, self._end]
            self._chance.choices(kinds, (3, 4, 3, 1, 1, 1))[0](number)
        head = [f"func.func @f(%p0: i1, %p1: i1, %p2: i1, %x: f32, %i: index, %s: {TYPE}) {{"]
        head += ["  %true = arith.constant true", "  %false = arith.constant false"]
        head += ["  %one = arith.constant 1 : index", f"  %a = memref.alloc() : {TYPE}"]
        return "\n".join([*head, *self._lines, "  return", "}", ""])

    def _name(self) -> str:
        return self._chance.choice(self._names[-4:])

    def _flag(self) -> str:
        return self._chance.choice(self._flags[-4:])

    def _merge(self, n: int) -> None:
        self._lines += [f"  cf.cond_br {self._flag()}, ^new{n}, ^old{n}", f"^new{n}:"]
        self._lines += [f"  %n{n} = memref.alloc() : {TYPE}", f"  cf.br ^m{n}(%n{n}, %true : {TYPE}, i1)", f"^old{n}:"]
        self._lines += [f"  cf.br ^m{n}({self._name()}, %false : {TYPE}, i1)", f"^m{n}(%x{n}: {TYPE}, %o{n}: i1):"]
        self._names.append(f"%x{n}")
        self._flags.append(f"%o{n}")

    def _free(self, n: int) -> None:
        self._lines += [f"  cf.cond_br {self._flag()}, ^free{n}, ^on{n}", f"^free{n}:"]
        self._lines += [f"  memref.dealloc {self._name()} : {TYPE}", f"  cf.br ^on{n}", f"^on{n}:"]

    def _nothing(self, n: int) -> None:
        self._lines += [
            f"  cf.cond_br {self._flag()}, ^t{n}, ^e{n}",
            f"^t{n}:",
            f"  cf.cond_br {self._flag()}, ^e{n}, ^on{n}",
        ]
        self._lines += [f"^e{n}:", f"  cf.br ^on{n}", f"^on{n}:"]

    def _loop(self, n: int) -> None:
        self._lines += [
            f"  cf.br ^h{n}(%one : index)",
            f"^h{n}(%k{n}: index):",
            f"  %c{n} = arith.cmpi slt, %k{n}, %i : index",
        ]
        self._lines += [f"  cf.cond_br %c{n}, ^body{n}, ^on{n}", f"^body{n}:"]
        if self._chance.random() < 0.5:
            self._use(n)
        self._lines += [f"  %l{n} = arith.addi %k{n}, %one : index", f"  cf.br ^h{n}(%l{n} : index)", f"^on{n}:"]

    def _use(self, _: int) -> None:
        self._lines.append(f"  memref.store %x, {self._name()}[%i] : {TYPE}")

    def _end(self, n: int) -> None:
        self._lines += [f"  cf.cond_br {self._flag()}, ^ret{n}, ^on{n}", f"^ret{n}:", "  return", f"^on{n}:"]


def _findings(text: str) -> set[tuple[str, object, str]]:
    """All but the paths, which tell what matters alone."""
    return {(one.rule.name, one.report.span, one.report.message) for one in check(text).findings}


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 200, 50), 1))
def test_the_same_is_found_as_on_all_paths(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare_with_everywhere([Stages(seed).text() for seed in range(first, first + 50)], monkeypatch) > 50


@pytest.mark.parametrize("stages", [4, 40])
def test_paths_of_large_functions_tell_the_choices_that_matter(stages: int) -> None:
    """A buffer that one branch in the middle does not free, which it is given back behind all others."""
    lines = [f"func.func @f({', '.join(f'%p{n}: i1' for n in range(stages))}) {{", f"  %a = memref.alloc() : {TYPE}"]
    for n in range(stages):
        lines += [f"  cf.cond_br %p{n}, ^t{n}, ^on{n}", f"^t{n}:", f"  cf.br ^on{n}", f"^on{n}:"]
        if n == stages // 2:
            lines += [f"  cf.cond_br %p{n}, ^lost, ^kept", "^lost:", "  return", "^kept:"]
    found = check("\n".join([*lines, f"  memref.dealloc %a : {TYPE}", "  return", "}", ""])).findings
    assert {one.rule.name for one in found} == {"possible-leak"}  # branches with nothing in them make it late nowhere
    finding = next(one for one in found if one.rule.name == "possible-leak")
    told = [note.message for note in finding.report.notes if " is " in note.message and "%a" not in note.message]
    lost = f"%p{stages // 2} is true"
    assert told == [lost]


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 200, 50), 1))
def test_the_same_is_found_where_buffers_are_alike_and_name_by_name(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [Stages(seed).text() for seed in range(first, first + 50)]
    found = [_findings(text) for text in texts]
    told: list[bool] = []
    together = Remaining.incidents

    def explored(
        program: Program,
        flow: FunctionFlow,
        part: Slice,
        callees: Inquiry,
        purse: Purse,
        how: type[Explorer] = Explorer,
    ) -> Explorations | None:
        few = how is Alike or not (len(set(part.root.values())) > 3 or part.plain)
        return follow(program, flow, part, callees, purse, how) if few else None

    def incidents(rest: Remaining) -> list[Incident] | None:
        told.append(not rest.origins)
        return together(rest)

    monkeypatch.setattr(strategy, "explored", explored)
    monkeypatch.setattr(Remaining, "incidents", incidents)
    compared = 0
    for text, findings in zip(texts, found, strict=True):
        told.clear()
        now = _findings(text)
        if all(told):
            compared += 1
            assert _kinds(findings) == _kinds(now), text
        assert _kinds(findings) <= _kinds(now), text
        assert {one for one in now if one[0] == "double-free"} <= findings  # what is certain for one of two may be less
    assert compared > 10


def _kinds(findings: set[tuple[str, object, str]]) -> set[tuple[str, object]]:
    """What goes wrong where, however certainly."""
    return {(rule.removeprefix("possible-"), span) for rule, span, _ in findings}


def test_paths_of_large_functions_tell_no_choices_on_the_way_to_the_few_blocks_that_matter() -> None:
    """A buffer of the body of one lowered loop of many, lost there, if the value that it had is not freed."""
    freed = f"  memref.dealloc %b20 : {TYPE}\n"
    (finding,) = (one for one in check(lowered(30).replace(freed, "")).findings if one.rule.name == "leak")
    assert [note.message for note in finding.report.notes] == ["%b20 is lost here"]
    branch = f"  %s = arith.cmpf oeq, %v20, %x : f32\n  scf.if %s {{\n  {freed}  }}\n"
    (finding,) = (one for one in check(lowered(30).replace(freed, branch)).findings if one.rule.name == "possible-leak")
    told = [note.message for note in finding.report.notes]
    assert told[-2:] == ["%s is false", "%b20 is lost here"]
    assert len(told) < 4
