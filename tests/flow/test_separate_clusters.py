"""Clusters that are too much to explore together are explored one by one first."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point
from memlane.flow.interproc.exploration_result import Explorations
from memlane.flow.strategy import _Following  # pyright: ignore[reportPrivateUsage] -- its ways are compared
from tests.effort import some
from tests.fuzz.programs import program

TYPE = "memref<4xf32>"


def guarded(count: int, freed: int) -> str:
    """`count` times a new buffer or the argument, by its flag; the first `freed` are freed by the same flags."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines = [f"func.func @f(%x: {TYPE}, {flags}) {{"]
    for n in range(count):
        lines += [f"  %a{n} = scf.if %c{n} -> ({TYPE}) {{", f"    %n{n} = memref.alloc() : {TYPE}"]
        lines += [f"    scf.yield %n{n} : {TYPE}", "  } else {", f"    scf.yield %x : {TYPE}", "  }"]
    for n in range(freed):
        lines += [f"  scf.if %c{n} {{", f"    memref.dealloc %a{n} : {TYPE}", "  }"]
    return "\n".join([*lines, "  return", "}", ""])


def found(source: str) -> list[tuple[str, int, str]]:
    """What is told, and where."""
    return [(one.rule.name, one.report.span.start, one.report.message) for one in check(source).findings]


@pytest.mark.slow
def test_buffers_of_many_flags_cost_one_attempt_together(steps: list[Point]) -> None:
    assert found(guarded(20, 20)) == []
    assert 12_000 < len(steps) < 20_000  # attempts past flags and as if alike would each be 12,000 more


@pytest.mark.slow
def test_where_one_goes_wrong_that_is_found() -> None:
    assert [(rule, message) for rule, _, message in found(guarded(12, 11))] == [
        ("leak", "buffer %n11 of 16 bytes is never freed")
    ]


@pytest.mark.slow
def test_the_same_is_found_of_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of several together: where that is done first, whatever following them together would cost. Last uses may be
    others: a call that never comes back with one buffer is not on the paths of another."""
    texts = [program(random.Random(seed), 12) for seed in some(range(50), 10)]
    told = [_wrong(text) for text in texts]
    alone: set[_Following] = set()
    apart = _Following._apart  # pyright: ignore[reportPrivateUsage] -- the way under test

    def unless_alone(way: Callable[[_Following], Explorations | None]) -> Callable[[_Following], Explorations | None]:
        def found(self: _Following) -> Explorations | None:
            if self not in alone and apart(self):
                alone.add(self)
            return None if self in alone else way(self)

        return found

    exactly = _Following._exactly  # pyright: ignore[reportPrivateUsage] -- the way that is first
    monkeypatch.setattr(_Following, "_exactly", unless_alone(exactly))
    compared = 0
    for text, before in zip(texts, told, strict=True):
        alone.clear()
        assert _wrong(text) == before, text
        compared += bool(alone)
    assert compared > len(texts) // 12


def _wrong(source: str) -> list[tuple[str, int, str]]:
    return [one for one in found(source) if one[0] != "late-free"]
