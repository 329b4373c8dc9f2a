"""What is known of the first rounds of loops of blocks costs nothing where nothing else asks of it."""

from __future__ import annotations

import pytest

from tests.hostile.growth import PHASES
from tests.hostile.lines import lines_run

TYPE = "memref<4xf32>"


def loops(count: int, bounds: int) -> str:
    """Loops in a row that use a buffer which is lost, and have some bounds in turn."""
    one = (
        "^p{n}:\n  cf.br ^h{n}(%c0 : index)\n^h{n}(%i{n}: index):\n  %m{n} = arith.cmpi slt, %i{n}, %n{bound} : index\n"
        "  cf.cond_br %m{n}, ^b{n}, ^p{next}\n^b{n}:\n"
        f"  memref.store %x, %a[%c0] : {TYPE}\n  %j{{n}} = arith.addi %i{{n}}, %c1 : index\n"
        "  cf.br ^h{n}(%j{n} : index)\n"
    )
    body = "".join(one.format(n=number, next=number + 1, bound=number % bounds) for number in range(count))
    arguments = ", ".join(f"%n{number}: index" for number in range(bounds))
    return (
        f"func.func @f(%x: f32, {arguments}) {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        f"  %a = memref.alloc() : {TYPE}\n  cf.br ^p0\n{body}^p{count}:\n  return\n}}\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_bounds_of_many_loops_make_no_power_of_states() -> None:
    PHASES["check"](loops(10, 8))()
    one, eight = (lines_run(PHASES["check"](loops(60, bounds))) for bounds in (1, 8))
    assert eight < 1.5 * one
