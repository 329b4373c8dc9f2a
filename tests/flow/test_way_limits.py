"""How much is known on the ways through a function. What is farther, or more, may be anything."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.syntax import parse
from tests.flow.bounded_programs import (
    UNDECIDED,
    Bounded,
    flags,
    freed_if,
    freed_unless,
    function,
    given,
    hold,
    made_of,
    said,
)
from tests.hostile.growth import exponent, lines_run

CONFIG = Config()


def blocks_before(count: int) -> str:
    """A region behind so many blocks, the first of which a flag leads to that is asked in there."""
    chain = "".join(f"^b{at}:\n  cf.br ^b{at + 1}\n" for at in range(count))
    inner = "    %b = memref.alloc() : memref<4xf32>\n    scf.if %c {\n      memref.dealloc %b : memref<4xf32>\n    }\n"
    return (
        f"func.func @f(%c: i1) {{\n  cf.cond_br %c, ^b0, ^end\n{chain}^b{count}:\n  scf.execute_region {{\n{inner}"
        "    scf.yield\n  }\n  cf.br ^end\n^end:\n  return\n}\n"
    )


def trips(count: int) -> str:
    """A loop frees the buffer in a round behind so many; if there is none, it is freed after the loop."""
    lines = f"  %z = arith.constant 0 : index\n  %o = arith.constant 1 : index\n  %k = arith.constant {count} : index\n"
    lines += f"  scf.for %i = %z to %n step %o {{\n    %p = arith.cmpi eq, %i, %k : index\n{freed_if('%p')}  }}\n"
    return function("%n: index", f"{lines}  %q = arith.cmpi sgt, %n, %k : index\n{freed_unless('%q')}")


def terms(count: int) -> str:
    """A sum of so many numbers is handed over to a block, and asked there."""
    names = flags(count, "x")
    lines, last = made_of("arith.addi", names, "t", "i32")
    lines += f"  %z = arith.constant 0 : i32\n  cf.cond_br %o, ^b({last} : i32), ^c\n^c:\n  cf.br ^b({last} : i32)\n"
    lines += f"^b(%y: i32):\n  %p = arith.cmpi slt, {last}, %z : i32\n  %q = arith.cmpi slt, %y, %z : i32\n"
    return function(f"{given(names, 'i32')}, %o: i1", lines + freed_if("%p") + freed_unless("%q"))


def known_variables(count: int) -> str:
    """So many flags are stored and loaded; the buffer is freed if all are true, and else by what was loaded."""
    lines = "".join(f"  %m{at} = memref.alloca() : memref<i1>\n" for at in range(count))
    for at in range(count):
        store = f"memref.store %c{at}, %m{at}[] : memref<i1>\n"
        lines += f"  {store}  scf.if %o {{\n    {store}  }}\n"
    lines += "".join(f"  %d{at} = memref.load %m{at}[] : memref<i1>\n" for at in range(count))
    one, first = made_of("arith.andi", flags(count), "u")
    other, second = made_of("arith.andi", flags(count, "d"), "v")
    return function(
        f"{given(flags(count), 'i1')}, %o: i1", lines + one + other + freed_if(first) + freed_unless(second)
    )


BOUNDED = {
    "MAX_BLOCKS": Bounded(blocks_before, 63, ["possible-leak"]),
    "MAX_TERM": Bounded(terms, 6, UNDECIDED),
    "MAX_KNOWN_VARIABLES": Bounded(known_variables, 5, UNDECIDED),
}


@pytest.mark.parametrize("one", BOUNDED.values(), ids=BOUNDED)
def test_ways_are_known_up_to_a_limit(one: Bounded) -> None:
    hold(one)


def test_rounds_of_loops_without_end_are_distinguished_up_to_a_limit() -> None:
    assert said(trips(0)) == said(trips(2)) == []
    assert set(said(trips(3))) == set(said(trips(30))) == {*UNDECIDED}


def ways_into_a_chain(count: int) -> str:
    """One of so many blocks comes next, and then all that are behind it."""
    cases = "".join(f", {at}: ^b{at}" for at in range(count))
    chain = "".join(f"^b{at}:\n  cf.br ^b{at + 1}\n" for at in range(count))
    lines = f"  cf.switch %k : i32, [default: ^b0{cases}]\n{chain}^b{count}:\n"
    return function("%k: i32, %c: i1", lines + freed_if("%c") + freed_unless("%c"))


def test_ways_into_a_chain_take_no_square() -> None:
    def lines(count: int) -> int:
        source = ways_into_a_chain(count)
        (flow,) = Program(parse(source, CONFIG.models).chunks[0].ops, CONFIG.models, source).functions.values()
        return lines_run(lambda: Roads(flow.graph, flow.op.regions[0]))

    assert said(ways_into_a_chain(20)) == said(ways_into_a_chain(300)) == []
    assert exponent(lines(300), lines(600)) < 1.15
