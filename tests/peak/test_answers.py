"""Answers to questions of functions that call each other: what is found for keeps, and what is asked again."""

from __future__ import annotations

from collections import Counter

from memlane.flow.interproc.scc_solver import Answers, Group

CALLS = {
    "main": ("even",),
    "even": ("odd", "leaf"),
    "odd": ("even", "leaf"),
    "self": ("self", "leaf", "helper"),
    "helper": ("leaf",),
    "leaf": (),
}
PAIR, SELF = Group(2, 2), Group(1, 1)
GROUPS = {"even": PAIR, "odd": PAIR, "self": SELF}


def reachable(first: str) -> tuple[tuple[str, ...], Counter[str]]:
    """All that a function comes to call, itself included, by answers; and how often each was followed."""
    followed = Counter[str]()

    def explore(name: str) -> tuple[str, ...]:
        followed[name] += 1
        asked = [answers.of(callee) or () for callee in CALLS[name]]
        return tuple(sorted({name}.union(*asked)))

    groups = {name: GROUPS.get(name) or Group(1, 0) for name in CALLS}
    answers = Answers[str, str](groups.__getitem__, explore, lambda before, found: found, most=100)
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

    answers = Answers[str, int](lambda _: SELF, explore, lambda before, found: found, most=100)
    return answers.of("self")


def test_an_answer_that_grows_for_long_is_not_known() -> None:
    assert grown(7) == tuple(range(7))
    assert grown(8) is None
    assert grown(80) is None
