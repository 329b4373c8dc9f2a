"""The path-insensitive analysis misses nothing that goes wrong on one path, and claims nothing certain
and is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from memlane.checking import check
from memlane.findings import Certainty
from memlane.flow import strategy
from memlane.flow.path_insensitive import fallback
from tests.effort import some
from tests.flow.test_budget import nothing, shuffled
from tests.flow.test_state_liveness import TYPE, diamonds, pairs, selects
from tests.fuzz.programs import program
from tests.hostile.growth import power
from tests.paths.programs import program as runnable

LIMIT = "analysis-limit"
ABOUT = {
    *("leak", "double-free", "use-after-free", "argument-free", "invalid-free"),
    *("mismatched-free", "dangling-stack", "borrowed-return", "aliased-results", "free-before-wait"),
}


def head(count: int) -> list[str]:
    """The start of a function of so many conditions."""
    return [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{"]


def twice(count: int) -> str:
    """All conditions are asked, and then all of them again; a buffer may be freed at each."""
    lines = [*head(count), f"  %a = memref.alloc() : {TYPE}"]
    for number in range(2 * count):
        lines += [f"  scf.if %c{number % count} {{", f"    memref.dealloc %a : {TYPE}", "  }"]
    return "\n".join([*lines, "  return", "}", ""])


def shared(count: int) -> str:
    """One buffer may be each of many that are all freed in the end."""
    lines = [*head(count), f"  %a = memref.alloc() : {TYPE}"]
    for number in range(count):
        lines.append(f"  %m{number} = memref.alloc() : {TYPE}")
        lines.append(f"  %s{number} = arith.select %c{number}, %a, %m{number} : {TYPE}")
    lines += [f"  memref.dealloc %s{number} : {TYPE}" for number in range(count)]
    return "\n".join([*lines, "  return", "}", ""])


def nested(count: int) -> str:
    """Buffers that are replaced where a condition holds, and freed where the same one holds later, the last first."""
    lines = [*head(count), f"  %s0 = memref.alloc() : {TYPE}"]
    for number in range(count):
        lines += [f"  %s{number + 1} = scf.if %c{number} -> ({TYPE}) {{", f"    %n = memref.alloc() : {TYPE}"]
        lines += [f"    scf.yield %n : {TYPE}", "  } else {", f"    scf.yield %s{number} : {TYPE}", "  }"]
    for number in reversed(range(count)):
        lines += [f"  scf.if %c{number} {{", f"    memref.dealloc %s{number + 1} : {TYPE}", "  }"]
    return "\n".join([*lines, f"  memref.dealloc %s0 : {TYPE}", "  return", "}", ""])


def freed(count: int) -> str:
    """The last of a row of selects is freed."""
    return selects(count, f"  memref.dealloc %s{count} : {TYPE}")


SHAPES = [twice, shared, nested, freed, selects, pairs, diamonds]


def rules(source: str) -> set[str]:
    return {finding.rule.name for finding in check(source).findings}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_given_up(shape: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback, "MAX_STEPS_ALONE", 0)
    for count in (12, 60):
        assert LIMIT not in rules(shape(count))


def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing is followed path by path."""
    monkeypatch.setattr(strategy, "explored", nothing)
    monkeypatch.setattr(fallback, "MAX_STEPS_ALONE", -(10**9))


Told = dict[tuple[str, int], bool]
"""What goes wrong, by its rule and offset, and whether that is certain."""


def told(source: str) -> Told:
    found: Told = {}
    for finding in check(source).findings:
        rule = finding.rule.name.removeprefix("possible-")
        if rule in ABOUT:
            certain = finding.report.certainty is Certainty.ALWAYS
            key = rule, finding.report.span.start
            found[key] = found.get(key, False) or certain
    return found


def compared(source: str, monkeypatch: pytest.MonkeyPatch, ends: bool = False) -> None:
    """`ends`: all paths of the program do."""
    exact = told(source)
    with monkeypatch.context() as patched:
        together(patched)
        found = told(source)
        assert LIMIT not in rules(source)
    assert exact.keys() <= found.keys()
    # Functions that call themselves for ever do nothing, by the exact analysis; sets do not tell that they do so.
    known = {key: exact.get(key, not ends) for key in found}
    assert {key for key, certain in found.items() if certain and not known[key]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("first", some([0, 10, 20], 1))
def test_nothing_is_missed_and_nothing_wrong_is_certain(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(first, first + 10):
        compared(program(random.Random(seed), 1 + seed % 5), monkeypatch)
        compared(runnable(seed)[0], monkeypatch, ends=True)


@pytest.mark.slow
def test_the_same_of_more_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in some(range(100, 160), 7):
        compared(program(random.Random(seed), 1 + seed % 5), monkeypatch)
        compared(runnable(seed)[0], monkeypatch, ends=True)


def test_what_happens_on_every_path_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    together(monkeypatch)
    assert rules(selects(3)) == {"leak"}
    assert rules(selects(3, "\n".join(f"  memref.dealloc %{n} : {TYPE}" for n in ("s0", "m1", "m2", "m3")))) == set()
    lost = f"  memref.dealloc %s1 : {TYPE}\n  memref.dealloc %s1 : {TYPE}"
    assert rules(selects(1, lost)) == {"double-free", "possible-leak"}


def test_what_a_call_need_not_make_is_not_surely_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"""func.func private @either(%c: i1, %x: {TYPE}) -> {TYPE} {{
  %r = scf.if %c -> ({TYPE}) {{
    %n = memref.alloc() : {TYPE}
    scf.yield %n : {TYPE}
  }} else {{
    scf.yield %x : {TYPE}
  }}
  return %r : {TYPE}
}}
func.func @f(%c: i1, %x: {TYPE}) {{
  scf.if %c {{
  }} else {{
    %r = func.call @either(%c, %x) : (i1, {TYPE}) -> {TYPE}
  }}
  return
}}
"""
    together(monkeypatch)
    assert rules(source) == {"possible-leak"}


def test_what_may_be_on_the_stack_is_not_surely_freed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"""func.func @f(%c: i1) {{
  %a = memref.alloc() : {TYPE}
  %s = memref.alloca() : {TYPE}
  %r = arith.select %c, %a, %s : {TYPE}
  memref.dealloc %r : {TYPE}
  memref.dealloc %r : {TYPE}
  return
}}
"""
    exact = told(source)
    together(monkeypatch)
    assert not exact["double-free", source.rindex("memref.dealloc")]
    assert not told(source)["double-free", source.rindex("memref.dealloc")]


def test_what_loops_hand_on_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each buffer that is owed has a name that keeps it, whichever of many it may be."""
    source = f"""func.func @f(%n: index, %zero: index, %one: index) {{
  %a = memref.alloc() : {TYPE}
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %a) -> ({TYPE}) {{
    memref.dealloc %v : {TYPE}
    %b = memref.alloc() : {TYPE}
    scf.yield %b : {TYPE}
  }}
  memref.dealloc %r : {TYPE}
  return
}}
"""
    together(monkeypatch)
    assert rules(source) == set()
    assert rules(source.replace(f"    memref.dealloc %v : {TYPE}\n", "")) == {"possible-leak"}
    assert rules(source.replace(f"  memref.dealloc %r : {TYPE}\n", "")) == {"possible-leak"}
    assert rules(source.replace("scf.yield %b", "scf.yield %v")) == {"possible-double-free", "possible-leak"}


def test_what_a_missing_region_gives_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of text that is no valid program: nobody knows what the result is where the condition does not hold."""
    lines = [
        *head(1),
        f"  %a = memref.alloc() : {TYPE}",
        f"  %r = scf.if %c0 -> ({TYPE}) {{",
        f"    scf.yield %a : {TYPE}",
    ]
    lines += ["  }", f"  memref.dealloc %a : {TYPE}", f"  memref.dealloc %r : {TYPE}", "  return", "}", ""]
    together(monkeypatch)
    assert rules("\n".join(lines)) == {"possible-double-free"}


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_work_for_one_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known at a point does not grow with the ways there."""
    together(monkeypatch)
    for shape in SHAPES:
        assert power(lambda count, shape=shape: partial(check, shape(count)), 64) < 1.3, shape


@pytest.mark.slow
def test_following_one_by_one_ends_where_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    source = shuffled(9, 8)
    assert [finding.rule.name for finding in check(source).findings] == ["possible-leak"] * 9
    for limit in ("MAX_STEPS_ALONE", "STEPS_ALONE_PER_OP"):
        monkeypatch.setattr(fallback, limit, 0)
    assert "possible-leak" in rules(source) and not any(
        finding.report.certainty is Certainty.ALWAYS for finding in check(source).findings
    )
