"""Many comparisons in one function: each is not asked of for each buffer, and bounds that they choose make no ways."""

from __future__ import annotations

from functools import partial

import pytest

from memlane.checking import check
from memlane.flow.cfg.graph import Graph
from memlane.flow.slicing import address_reuse
from memlane.flow.symbolic.comparisons import possible
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import TRUE, Expr
from tests.hostile.growth import lines_run

TYPE = "memref<8xf32>"


def conditions(count: int) -> str:
    """Buffers that are each freed on two ways, under a comparison of their own."""
    lines = [
        f"%a{n} = memref.alloc() : {TYPE}\n"
        f'"foo.fill"(%a{n}) : ({TYPE}) -> ()\n'
        f"%c{n} = arith.cmpi slt, %x, %y : index\n"
        f"scf.if %c{n} {{\nmemref.dealloc %a{n} : {TYPE}\n}} else {{\nmemref.dealloc %a{n} : {TYPE}\n}}\n"
        for n in range(count)
    ]
    return f"func.func @f(%x: index, %y: index) {{\n{''.join(lines)}return\n}}\n"


def tiles(depth: int) -> str:
    """A nest of loops, of which each has the rest of the one around it where that is less than a tile."""
    lines = [f"func.func @f(%n: index, %zero: index, %i: index, %v: f32) {{\n%a = memref.alloc() : {TYPE}"]
    lines += [f"memref.store %v, %a[%i] : {TYPE}", "%rest0 = arith.addi %n, %i : index"]
    for n in range(depth):
        lines += [
            f"%tile{n} = arith.constant {2 ** (depth - n)} : index",
            f"scf.for %k{n} = %zero to %rest{n} step %tile{n} {{",
            f"%sum{n} = arith.addi %k{n}, %tile{n} : index",
            f"%less{n} = arith.cmpi slt, %sum{n}, %rest{n} : index",
            f"%end{n} = arith.select %less{n}, %sum{n}, %rest{n} : index",
            f"%rest{n + 1} = arith.subi %end{n}, %k{n} : index",
            f"%whole{n} = arith.cmpi sge, %rest{n + 1}, %tile{n} : index",
            f"scf.if %whole{n} {{\nmemref.store %v, %a[%k{n}] : {TYPE}\n}}",
        ]
    lines += ["}"] * depth
    lines += [f"memref.dealloc %a : {TYPE}", f"memref.dealloc %a : {TYPE}", "return", "}"]
    return "\n".join(lines)


def test_whether_addresses_are_compared_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each buffer would look at all comparisons of the function."""
    asked: list[Graph] = []

    def compares(graph: Graph) -> bool:
        asked.append(graph)
        return False

    monkeypatch.setattr(address_reuse, "_compares_addresses", compares)
    assert check(conditions(20)).findings
    assert len(asked) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_bounds_of_tiles_make_no_ways() -> None:
    """Told apart by what each bound is chosen to be, four loops took seven million lines."""
    check(tiles(2))
    assert lines_run(partial(check, tiles(4))) < 3_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_bounds_of_many_tiles_are_numbers_like_others() -> None:
    """Each bound is made twice of the one around it: six loops took thirteen million lines."""
    check(tiles(2))
    assert lines_run(partial(check, tiles(6))) < 5_000_000


@pytest.mark.slow
def test_orders_of_other_numbers_cost_little() -> None:
    """What is known of numbers that have nothing to do with those that are compared is not solved again."""
    less: list[Expr] = [("cmpi", "slt", ("pointer", f"a{n}"), ("pointer", f"b{n}")) for n in range(24)]
    ranges = {expr[2]: Range(0, 100) for expr in less}
    few, many = ({**dict.fromkeys(less[:count], TRUE), **ranges} for count in (2, 24))
    assert possible(less[0], many)
    assert lines_run(partial(possible, less[0], many)) < 3 * lines_run(partial(possible, less[0], few))


def test_numbers_that_are_the_least_of_others_are_compared_with_them() -> None:
    """Also where what is asked names such a number and what is known does not, and where it is the least of such."""
    one, other, third, fourth = (("pointer", name) for name in "abcd")
    least: Expr = ("minsi", one, ("minsi", other, third))
    known: Expr = ("cmpi", "slt", fourth, one)
    asked: Expr = ("cmpi", "slt", fourth, least)
    assert possible(asked, {known: TRUE, asked: TRUE})
    assert possible(asked, {known: TRUE, fourth: Range(0, 3)})
    assert not possible(asked, {asked: TRUE, ("cmpi", "sle", third, fourth): TRUE})
