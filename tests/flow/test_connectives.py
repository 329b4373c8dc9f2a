"""Conditions that are made of many flags: what they cost, and that no path contradicts itself in them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from memlane import check
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, balanced
from memlane.syntax.tree.tree import Value
from tests.effort import FULL, some
from tests.hostile.growth import PHASES, power
from tests.paths.holding import impossible
from tests.paths.programs import program

FORMS: dict[str, tuple[str, ...]] = {
    "xori": ("arith.xori {0}, {1} : i1",),
    "cmpi ne": ("arith.cmpi ne, {0}, {1} : i1",),
    "cmpi eq": ("arith.cmpi eq, {0}, {1} : i1",),
    "llvm": ("llvm.xor {0}, {1} : i1",),
    "addi": ("arith.addi {0}, {1} : i1",),
    "andi": ("arith.andi {0}, {1} : i1",),
    "ori": ("arith.ori {0}, {1} : i1",),
    "mixed": ("arith.andi {0}, {1} : i1", "arith.ori {0}, {1} : i1"),
    "three": ("arith.andi {0}, {1} : i1", "arith.ori {0}, {1} : i1", "arith.xori {0}, {1} : i1"),
    "llvm mixed": ("llvm.and {0}, {1} : i1", "llvm.or {0}, {1} : i1"),
    "select": ("arith.select {0}, {1}, %q : i1", "arith.xori {0}, {1} : i1"),
    "negated": ("arith.xori {0}, %true : i1", "arith.andi {0}, {1} : i1", "arith.ori {0}, {1} : i1"),
}


def chain(names: list[str], forms: tuple[str, ...], prefix: str) -> tuple[list[str], str]:
    """The lines that make one flag of those with these names, and its name."""
    lines, last = list[str](), names[0]
    for at, name in enumerate(names[1:]):
        lines.append(f"  %{prefix}{at} = {forms[at % len(forms)].format(last, name)}")
        last = f"%{prefix}{at}"
    return lines, last


def freed_under(count: int, lines: list[str], first: str, second: str) -> str:
    """A function of so many flags that frees its buffer where one flag is true, and where another one is false."""
    given = ", ".join(["%q: i1", *(f"%p{at}: i1" for at in range(count))])
    return "\n".join(
        [
            f"func.func @f({given}) {{",
            "  %true = arith.constant true",
            "  %a = memref.alloc() : memref<4xf32>",
            *lines,
            f"  scf.if {first} {{\n    memref.dealloc %a : memref<4xf32>\n  }}",
            f"  scf.if {second} {{\n  }} else {{\n    memref.dealloc %a : memref<4xf32>\n  }}",
            "  return\n}\n",
        ]
    )


def names(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings if finding.rule.name != "late-free"]


def once(form: str, count: int) -> str:
    lines, last = chain([f"%p{at}" for at in range(count)], FORMS[form], "o")
    return freed_under(count, lines, last, last)


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 12, 20, 40, 150])
@pytest.mark.parametrize("form", FORMS)
def test_a_flag_that_is_asked_twice_is_one(form: str, count: int) -> None:
    assert names(once(form, count)) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 12, 20, 40, 150])
@pytest.mark.parametrize("form", ["xori", "cmpi ne", "llvm", "andi", "ori"])
def test_two_orders_make_one_flag(form: str, count: int) -> None:
    flags = [f"%p{at}" for at in range(count)]
    one, first = chain(flags, FORMS[form], "o")
    other, second = chain(flags[::-1], FORMS[form], "r")
    assert names(freed_under(count, one + other, first, second)) == []


@pytest.mark.parametrize("count", [4, 12, 20, 40, 150])
def test_a_tree_and_a_chain_make_one_flag(count: int) -> None:
    names_, lines = [f"%p{at}" for at in range(count)], list[str]()
    one, first = chain(names_, FORMS["xori"], "o")
    while len(names_) > 1:
        lines.append(f"  %t{len(lines)} = arith.xori {names_[0]}, {names_[1]} : i1")
        names_ = [*names_[2:], f"%t{len(lines) - 1}"]
    assert names(freed_under(count, one + lines, first, names_[0])) == []


@pytest.mark.parametrize("count", [4, 12, 20, 40])
def test_parts_of_a_parity_decide_it(count: int) -> None:
    """Of a parity and of that of half its flags follows that of the others, whatever these are."""
    flags = [f"%p{at}" for at in range(count)]
    whole, all_ = chain(flags, FORMS["xori"], "o")
    half, left = chain(flags[: count // 2], FORMS["xori"], "l")
    other, right = chain(flags[count // 2 :], FORMS["xori"], "r")
    source = freed_under(count, whole + half + other, all_, right)
    assert names(source) == ["possible-leak", "possible-double-free"]
    inside = source.replace(
        f"  scf.if {all_} {{\n    memref.dealloc %a : memref<4xf32>\n  }}",
        f"  scf.if {left} {{\n    memref.dealloc %a : memref<4xf32>\n  }} else {{\n    scf.if {all_} {{\n"
        "      memref.dealloc %a : memref<4xf32>\n    }\n  }",
    ).replace(f"  scf.if {right} {{\n  }} else", f"  %s = arith.ori {left}, {right} : i1\n  scf.if %s {{\n  }} else")
    assert names(inside) == []


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("form", ["xori", "andi", "mixed", "three", "select"])
def test_growth_of_conditions(form: str) -> None:
    assert power(lambda count: PHASES["check"](once(form, count)), 100) < 1.15


def flags(count: int) -> list[Expr]:
    return [("leaf", Value(f"%c{at}", at, 2, "i1", at)) for at in range(count)]


def taken(decisions: list[tuple[Expr, bool]]) -> list[Facts]:
    found: list[Facts] = [{}]
    for expr, truth in decisions:
        found = [after for before in found for after in assume(expr, truth, before, lambda _: True)]
    return found


def test_a_parity_is_one_fact() -> None:
    assert len(taken([(balanced("xori", flags(20)), True)])) == 1


@pytest.mark.parametrize("kind", ["xori", "andi", "ori"])
def test_what_is_known_of_its_parts_decides_a_condition(kind: str) -> None:
    """Each value of six flags, told after the condition, is possible where it makes that true, and nowhere else."""
    parts = flags(6)
    expr = (kind, balanced("xori", parts[:5]), balanced("xori", parts[1:]))
    for values in product((False, True), repeat=6):
        left, right = sum(values[:5]) % 2, sum(values[1:]) % 2
        holds = {"xori": left != right, "andi": left and right, "ori": left or right}[kind]
        decisions = [(expr, True), *zip(parts, values, strict=True)]
        assert bool(taken(decisions)) == bool(holds)


def conditions(chance: random.Random, count: int) -> Iterator[str]:
    """Functions that free a buffer under conditions made of eight flags."""
    forms = [form for group in FORMS.values() for form in group]
    for _ in range(count):
        names_, lines = [f"%p{at}" for at in range(8)], list[str]()
        for at in range(14):
            left = names_[-1] if chance.random() < 0.6 else chance.choice(names_)
            lines.append(f"  %o{at} = {chance.choice(forms).format(left, chance.choice(names_))}")
            names_.append(f"%o{at}")
        yield freed_under(8, lines, *chance.sample(names_[6:], 2))


@pytest.mark.slow
def test_no_path_contradicts_itself() -> None:
    assert [found for source in conditions(random.Random(1), 30) for found in impossible(check(source))] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [lambda: conditions(random.Random(2), 300 if FULL else 150), lambda: (program(s)[0] for s in some(range(150), 75))],
)
def test_no_path_of_many_contradicts_itself(make: Callable[[], Iterator[str]]) -> None:
    assert [found for source in make() for found in impossible(check(source))] == []


def test_constants_are_no_parity() -> None:
    assert taken([(("xori", TRUE, FALSE), False)]) == []
