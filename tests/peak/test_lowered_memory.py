"""What lowered code takes is what its source takes: exactly; and so is what it takes in the ideal case."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak import footprint
from memlane.flow.peak.peak import Peak, peak_of
from memlane.syntax import parse

DESCRIPTOR = "!llvm.struct<(ptr, ptr, i64)>"
HEAD = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64, %x: f32) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %fifteen = llvm.mlir.constant(15 : i64) : i64
  %sixteen = llvm.mlir.constant(16 : i64) : i64
"""
MAKE = f"""  %p{{0}} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %number{{0}} = llvm.ptrtoint %p{{0}} : !llvm.ptr to i64
  %above{{0}} = llvm.add %number{{0}}, %fifteen : i64
  %rest{{0}} = llvm.urem %above{{0}}, %sixteen : i64
  %even{{0}} = llvm.sub %above{{0}}, %rest{{0}} : i64
  %aligned{{0}} = llvm.inttoptr %even{{0}} : i64 to !llvm.ptr
  %poison{{0}} = llvm.mlir.poison : {DESCRIPTOR}
  %half{{0}} = llvm.insertvalue %p{{0}}, %poison{{0}}[0] : {DESCRIPTOR}
  %whole{{0}} = llvm.insertvalue %aligned{{0}}, %half{{0}}[1] : {DESCRIPTOR}
"""
LOOP = f"""  llvm.br ^head{{0}}(%zero : i64)
^head{{0}}(%i{{0}}: i64):
  %more{{0}} = llvm.icmp "slt" %i{{0}}, %n : i64
  llvm.cond_br %more{{0}}, ^body{{0}}, ^exit{{0}}
^body{{0}}:
  %taken{{0}} = llvm.extractvalue %whole{{0}}[1] : {DESCRIPTOR}
  llvm.store %x, %taken{{0}} : f32, !llvm.ptr
  %j{{0}} = llvm.add %i{{0}}, %one : i64
  llvm.br ^head{{0}}(%j{{0}} : i64)
^exit{{0}}:
"""
FREE = f"""  %freed{{0}} = llvm.extractvalue %whole{{0}}[0] : {DESCRIPTOR}
  llvm.call @free(%freed{{0}}) : (!llvm.ptr) -> ()
"""
TAIL = "  llvm.return\n}\n"


def peak(text: str, budget: int = footprint.MAX_PRODUCT_NODES) -> Peak:
    """What its function takes; `budget`: of nodes."""
    models = Config().models
    (chunk,) = parse(text, models).chunks
    program = Program(chunk.ops, models, text)
    (flow,) = (one for one in program.functions.values() if one.name == "f")
    return peak_of(footprint.Ledger(program, budget=budget), flow)


def said(found: Peak) -> tuple[str, str, bool]:
    """The peak, the ideal one, and whether that is exact."""
    return " ".join(map(str, found.peak)), " ".join(map(str, found.ideal)), found.exact


def in_turn(count: int) -> str:
    """Buffers that are each used in a loop of their own before the next is made, and all freed at the end."""
    numbers = range(count)
    stages = "".join(MAKE.format(n) + LOOP.format(n) for n in numbers)
    return HEAD + stages + "".join(FREE.format(n) for n in numbers) + TAIL


def test_a_descriptor_does_not_use_what_it_describes() -> None:
    """In a block: the pointer is taken out of it again to be freed."""
    use = f"  %t{{0}} = llvm.extractvalue %whole{{0}}[1] : {DESCRIPTOR}\n  llvm.store %x, %t{{0}} : f32, !llvm.ptr\n"
    stages = "".join(MAKE.format(n) + use.format(n) for n in range(3))
    found = peak(HEAD + stages + "".join(FREE.format(n) for n in range(3)) + TAIL)
    assert said(found) == ("3*%n", "%n", True)


def test_nor_where_paths_are_followed() -> None:
    assert said(peak(in_turn(3))) == ("3*%n", "%n", True)


@pytest.mark.parametrize("budget", [20, 100])
def test_the_peak_is_exact_where_paths_are_too_many(budget: int) -> None:
    assert said(peak(in_turn(3), budget)) == ("3*%n", "%n", True)


def up_front(count: int) -> str:
    """The same, all made before the first is used."""
    numbers = range(count)
    stages = "".join([*(MAKE.format(n) for n in numbers), *(LOOP.format(n) for n in numbers)])
    return HEAD + stages + "".join(FREE.format(n) for n in numbers) + TAIL


@pytest.mark.parametrize("budget", [20, 100, footprint.MAX_PRODUCT_NODES])
@pytest.mark.parametrize("count", [3, 5, 40])
def test_it_is_not_used_before_the_loop_that_uses_it_first(budget: int, count: int) -> None:
    """Nor by what computes its aligned address and packs it."""
    assert said(peak(up_front(count), budget)) == (f"{count}*%n", "%n", True)


def test_a_buffer_is_used_until_the_loop_ends_that_uses_it() -> None:
    """Another is made and used behind that use in the loop: control comes back."""
    use = f"  %t1 = llvm.extractvalue %whole1[1] : {DESCRIPTOR}\n  llvm.store %x, %t1 : f32, !llvm.ptr\n"
    inner = MAKE.format(1) + use + FREE.format(1)
    loop = LOOP.format(0).replace("  %j0", inner + "  %j0")
    text = HEAD + MAKE.format(0) + loop + FREE.format(0) + TAIL
    expected = said(peak(text))
    assert expected == ("2*%n", "2*%n", True)
    assert said(peak(text, 10)) == expected


@pytest.mark.parametrize("start", ["", "again"])
def test_what_is_made_once_has_a_bound(start: str) -> None:
    """Though nobody can follow how it is freed, on one of two ways; what a loop makes has none."""
    first = f"  llvm.br ^{start}\n^{start}:\n" if start else ""
    branch = '  %c = llvm.icmp "eq" %n, %one : i64\n  llvm.cond_br %c, ^left, ^right\n'
    ways = [
        f"^{way}:\n" + FREE.format(0).replace("%freed0", f"%{way}") + "  llvm.br ^end\n" for way in ("left", "right")
    ]
    last = f"^end:\n  llvm.cond_br %c, ^{start}, ^out\n^out:\n" if start else "^end:\n"
    found = peak("".join([HEAD, first, MAKE.format(0), branch, *ways, last, TAIL]), 3)
    bound = "unbounded" if start else "%n"
    assert said(found) == (bound, bound, False)
