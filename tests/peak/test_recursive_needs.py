"""Needs of functions that call each other: which results are final, and which are computed again."""

from __future__ import annotations

from collections import Counter

import pytest

from memlane.config import Config
from memlane.flow.interproc.scc_solver import Answers, Group
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import usage

CALLS = {
    "main": ("even",),
    "even": ("odd", "leaf"),
    "odd": ("even", "leaf"),
    "self": ("self", "leaf", "helper"),
    "helper": ("leaf",),
    "leaf": (),
}
PAIR, SELF = Group(2, recursive=True), Group(1, recursive=True)
GROUPS = {"even": PAIR, "odd": PAIR, "self": SELF}


def reachable(first: str) -> tuple[tuple[str, ...], Counter[str]]:
    """All that a function comes to call, itself included, by answers; and how often each was followed."""
    followed = Counter[str]()

    def explore(name: str) -> tuple[str, ...]:
        followed[name] += 1
        asked = [answers.of(callee) or () for callee in CALLS[name]]
        return tuple(sorted({name}.union(*asked)))

    groups = {name: GROUPS.get(name) or Group(1, recursive=False) for name in CALLS}
    answers = Answers[str, str](groups.__getitem__, explore, most=100)
    return answers.of(first) or (), followed


def test_what_a_recursion_calls_is_followed_once() -> None:
    """It does not rest on what is still growing."""
    found, followed = reachable("self")
    assert found == ("helper", "leaf", "self")
    assert followed["self"] == 2
    assert followed["helper"] == followed["leaf"] == 1


def test_what_rests_on_a_growing_answer_is_asked_again() -> None:
    """The first answer of `odd` comes from one of `even` that is not whole."""
    found, followed = reachable("main")
    assert found == ("even", "leaf", "main", "odd")
    assert followed["even"] == followed["odd"] == 2
    assert followed["leaf"] == 1


def grown(to: int) -> tuple[int, ...] | None:
    """The answer to a question that rests on itself, and is longer by one than what is known of it, up to a length."""

    def explore(name: str) -> tuple[int, ...]:
        known = answers.of(name) or ()
        return (*known, len(known))[:to]

    answers = Answers[str, int](lambda _: SELF, explore, most=100)
    return answers.of("self")


def test_an_answer_that_grows_for_long_is_not_known() -> None:
    assert grown(7) == tuple(range(7))
    assert grown(8) is None
    assert grown(80) is None


def counting_down(start: int) -> str:
    """A function that calls itself twice with a lower number, down to zero; it holds a buffer meanwhile."""
    return f"""\
func.func @main() {{
  %n = arith.constant {start} : index
  call @f(%n) : (index) -> ()
  return
}}
func.func private @f(%n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ne, %n, %c0 : index
  scf.if %more {{
    %a = memref.alloc() : memref<25xf32>
    %m = arith.subi %n, %c1 : index
    func.call @f(%m) : (index) -> ()
    func.call @f(%m) : (index) -> ()
    memref.dealloc %a : memref<25xf32>
  }}
  return
}}
"""


@pytest.mark.parametrize(("start", "peak"), [(0, "0"), (3, "300"), (30, "3000"), (1000, "unbounded")])
def test_a_function_that_counts_down(start: int, peak: str) -> None:
    """Each number is a question about the function, within that about the number before."""
    main = next(iter(usage(counting_down(start), Config(), Assumptions())))
    assert [str(most) for most in main.peak.peak] == [peak]
