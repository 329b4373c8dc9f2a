"""Names loaded from memory that holds several buffers are forgotten after their last use."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point
from memlane.flow.typestate import explorer
from tests.flow.test_state_liveness import taken

_HEAD = "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\nllvm.func @look(!llvm.ptr)\n"
_PLACE = "%{0} = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr"


def _function(lines: Iterator[str]) -> str:
    made = "%p = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr"
    return "\n".join([_HEAD + "llvm.func @f(%n: i64, %i: i64, %c: i1, %d: i1) {", made, *lines, "llvm.return", "}", ""])


def kept(buffers: int, loads: int) -> str:
    """Buffers that are kept at places nobody knows, and names that are each loaded from there and used once."""

    def lines() -> Iterator[str]:
        for number in range(buffers):
            yield f"%a{number} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr"
            yield _PLACE.format(f"q{number}")
            yield f"llvm.store %a{number}, %q{number} : !llvm.ptr, !llvm.ptr"
        for number in range(loads):
            yield _PLACE.format(f"g{number}")
            yield f"%b{number} = llvm.load %g{number} : !llvm.ptr -> !llvm.ptr"
            yield f"llvm.store %n, %b{number} : i64, !llvm.ptr"
        yield from (f"llvm.call @free(%a{number}) : (!llvm.ptr) -> ()" for number in range(buffers))

    return _function(lines())


def _chosen(seed: int) -> str:
    """Such buffers, used and freed by any name, in branches as well."""
    chance = random.Random(seed)

    def lines() -> Iterator[str]:
        names: list[str] = []
        inside: list[str] | None = None
        for number in range(chance.randint(6, 12)):
            what = chance.choice(["make", "keep", "load", "load", "look", "free", "write", "enter", "leave"])
            own = (inside if inside is not None else []) + names
            if what == "enter" and inside is None:
                inside = []
                yield f"scf.if %{chance.choice('cd')} {{"
            elif what == "leave" and inside is not None:
                inside = None
                yield "}"
            elif what == "make":
                yield f"%v{number} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr"
                (names if inside is None else inside).append(f"%v{number}")
            elif what == "load":
                yield _PLACE.format(f"g{number}")
                yield f"%v{number} = llvm.load %g{number} : !llvm.ptr -> !llvm.ptr"
                (names if inside is None else inside).append(f"%v{number}")
            elif own and what == "keep":
                yield _PLACE.format(f"g{number}")
                yield f"llvm.store {chance.choice(own)}, %g{number} : !llvm.ptr, !llvm.ptr"
            elif own and what == "write":
                yield f"llvm.store %n, {chance.choice(own)} : i64, !llvm.ptr"
            elif own and what in ("look", "free"):
                yield f"llvm.call @{what}({chance.choice(own)}) : (!llvm.ptr) -> ()"
        if inside is not None:
            yield "}"

    return _function(lines())


def _told(source: str) -> list[tuple[str, int, str]]:
    return [(one.rule.name, one.report.span[0], one.report.message) for one in check(source).findings]


def test_loads_take_as_many_steps_as_there_are(steps: list[Point]) -> None:
    """Twenty names of three buffers were more states than the budget has steps, buffer by buffer as well."""
    once = taken(kept(3, 20), steps)
    assert taken(kept(3, 40), steps) < 2.5 * once < 5_000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_the_findings_are_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [_chosen(seed) for seed in range(20 * block, 20 * block + 20)]
    before = [_told(source) for source in sources]
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_LIVENESS", -(10**9))
    assert [_told(source) for source in sources] == before
    assert any(before)


@pytest.mark.slow
def test_one_of_those_that_a_name_may_stand_for_is_told() -> None:
    """It is one thing that goes wrong, whichever it is, also where buffers are followed one by one."""

    def lines() -> Iterator[str]:
        for number in range(10):
            yield f"%a{number} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr"
            yield _PLACE.format(f"g{number}")
            yield f"llvm.store %a{number}, %g{number} : !llvm.ptr, !llvm.ptr"
            yield _PLACE.format(f"h{number}").replace("%i", "%n")
            yield f"%b{number} = llvm.load %h{number} : !llvm.ptr -> !llvm.ptr"
            yield f"llvm.call @free(%b{number}) : (!llvm.ptr) -> ()"

    told = [(rule, start) for rule, start, _ in _told(_function(lines()))]
    assert told
    assert len(told) == len({*told})
