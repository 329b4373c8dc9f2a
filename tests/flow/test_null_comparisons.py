"""Buffers of C whose addresses are compared with null: findings are those of exploring each to the end."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.findings import Certainty
from tests.effort import some
from tests.flow.whole_function_slices import compare_with_everywhere
from tests.hostile.growth import PHASES, Work, power

MOST = 1.2
_DECLARED = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @realloc(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
"""


def lost(count: int, kept: int = 0) -> str:
    """Allocations, each looked at for null with a jump to a chain of labels that frees some of them, `kept`."""
    made = (
        "  %a{0} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n"
        '  %z{0} = llvm.icmp "eq" %a{0}, %null : !llvm.ptr\n  llvm.cond_br %z{0}, ^l{0}, ^b{0}\n^b{0}:\n'
    )
    freed = "  llvm.call @free(%a{0}) : (!llvm.ptr) -> ()\n"
    label = "^l{1}:\n{2}  llvm.br ^l{0}\n"
    ends = (label.format(n, n + 1, freed.format(n) if n < kept else "") for n in reversed(range(count)))
    return (
        f"{_DECLARED}llvm.func @f(%n: i64) {{\n  %null = llvm.mlir.zero : !llvm.ptr\n"
        + "".join(made.format(number) for number in range(count))
        + f"  llvm.br ^l{count}\n{''.join(ends)}^l0:\n  llvm.return\n}}\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("kept", [0, 20])
def test_growth_of_leaks_between_allocations_that_are_looked_at(kept: int) -> None:
    """Whether one is null is a free choice for all others. Each was followed through all of them."""

    def work(count: int) -> Work:
        return PHASES["check"](lost(count, kept))

    assert power(work, 40) < MOST


def test_all_that_are_lost_are_told() -> None:
    """Those that are freed are so behind all others that are made, where their addresses were compared last."""
    findings = [(one.rule.name, one.report.certainty) for one in check(lost(40, 10)).findings]
    assert findings == [("leak", Certainty.ALWAYS)] * 30 + [("late-free", Certainty.ALWAYS)] * 10


class _Blocks:
    """A function of blocks by chance, which allocate, compare addresses, use, free and lose buffers."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._buffers: list[str] = []
        self._flags = ["%c", "%d"]
        self._count = self._chance.randint(4, 12)

    def text(self) -> str:
        blocks = [line for number in range(self._count) for line in self._block(number)]
        head = f"{_DECLARED}llvm.func @f(%n: i64, %c: i1, %d: i1) {{\n  %null = llvm.mlir.zero : !llvm.ptr"
        end = [f"^b{self._count}:", *self._use(0.5), "  llvm.br ^l0(%c : i1)"]
        freed = [f"^l0(%g: i1):\n  llvm.cond_br {self._chance.choice(['%g', self._flag()])}, ^y, ^z\n^y:"]
        return "\n".join([head, "  llvm.br ^b0", *blocks, *end, *freed, *self._use(0.3), "  llvm.br ^z", "^z:"]) + (
            "\n  llvm.return\n}\n"
        )

    def _flag(self) -> str:
        return self._chance.choice(self._flags)

    def _use(self, often: float) -> list[str]:
        ways = ("  llvm.store %n, {0} : i64, !llvm.ptr", "  llvm.call @free({0}) : (!llvm.ptr) -> ()")
        return [self._chance.choice(ways).format(one) for one in self._buffers if self._chance.random() < often]

    def _block(self, n: int) -> list[str]:
        chance, lines = self._chance, [f"^b{n}:"]
        if chance.random() < 0.6:
            lines.append(f"  %a{n} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr")
            self._buffers.append(f"%a{n}")
        elif chance.random() < 0.1 and self._buffers:
            lines.append(
                f"  %a{n} = llvm.call @realloc({chance.choice(self._buffers)}, %n) : (!llvm.ptr, i64) -> !llvm.ptr"
            )
            self._buffers.append(f"%a{n}")
        lines += self._use(0.1)
        if self._buffers and chance.random() < 0.7:
            other = chance.choice(["%null"] * 8 + self._buffers[:1])
            how, one = chance.choice(["eq", "ne"]), chance.choice(self._buffers[-2:])
            lines.append(f'  %z{n} = llvm.icmp "{how}" {one}, {other} : !llvm.ptr')
            self._flags.append(f"%z{n}")
        flag = chance.choice([self._flags[-1], self._flag()])
        back = f"^b{chance.randrange(max(0, n - 2), n + 1)}"
        ways = [f"^l0({self._flag()} : i1)"] * 4 + [f"^t{n}"] * 4 + [back]
        lines.append(f"  llvm.cond_br {flag}, {', '.join(chance.sample([chance.choice(ways), f'^b{n + 1}'], 2))}")
        return [*lines, f"^t{n}:", *self._use(0.2), f"  llvm.br ^b{n + 1}"]


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 160, 40), 1))
def test_the_same_is_found_as_in_the_whole_function(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [_Blocks(seed).text() for seed in range(first, first + 40)]
    assert compare_with_everywhere(texts, monkeypatch) > 100
