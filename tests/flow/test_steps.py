"""What following buffers costs grows with the program: lines run are counted, by doubling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memlane.checking import check
from tests.hostile.growth import exponent, lines_run

STORE = "memref.store %x, {buffer}[%i] : memref<4xf32>\n"
MOST = 1.15
"""The largest exponent."""


def in_one_block(count: int) -> str:
    """`count` buffers that live side by side."""
    body = "".join(f"%a{n} = memref.alloc() : memref<4xf32>\n{STORE.format(buffer=f'%a{n}')}" for n in range(count))
    body += "".join(f"memref.dealloc %a{n} : memref<4xf32>\n" for n in range(count))
    return f"func.func @f(%x: f32, %i: index) {{\n{body}return\n}}\n"


def uses(count: int) -> str:
    """One buffer, used `count` times, or not."""
    body = f"scf.if %c {{\n{STORE.format(buffer='%a')}}}\n" * count
    return (
        "func.func @f(%x: f32, %i: index, %c: i1) {\n%a = memref.alloc() : memref<4xf32>\n"
        f"{body}memref.dealloc %a : memref<4xf32>\nreturn\n}}\n"
    )


def nested(count: int) -> str:
    """One buffer, used inside `count` loops."""
    heads = "".join(f"scf.for %k{n} = %i to %n step %s {{\n" for n in range(count))
    body = f"%a = memref.alloc() : memref<4xf32>\n{heads}{STORE.format(buffer='%a')}" + "}\n" * count
    return (
        "func.func @f(%x: f32, %i: index, %n: index, %s: index) {\n"
        f"{body}memref.dealloc %a : memref<4xf32>\nreturn\n}}\n"
    )


def blocks(count: int) -> str:
    """One buffer, used in `count` blocks one after the other."""
    body = "".join(
        f"^bb{n}:\n{STORE.format(buffer='%a')}cf.cond_br %c, ^bb{n + 1}, ^bb{n + 1}\n" for n in range(1, count)
    )
    return (
        "func.func @f(%x: f32, %i: index, %c: i1) {\n%a = memref.alloc() : memref<4xf32>\ncf.br ^bb1\n"
        f"{body}^bb{count}:\nmemref.dealloc %a : memref<4xf32>\nreturn\n}}\n"
    )


def block_by_block(count: int) -> str:
    """A buffer in each of `count` blocks, and one that lives in all of them."""
    body = "".join(
        f"^bb{n}:\n%a{n} = memref.alloc() : memref<4xf32>\n{STORE.format(buffer=f'%a{n}')}"
        f"memref.dealloc %a{n} : memref<4xf32>\ncf.cond_br %c, ^bb{n + 1}, ^bb{n + 1}\n"
        for n in range(1, count)
    )
    head = f"%a = memref.alloc() : memref<4xf32>\n{STORE.format(buffer='%a')}cf.br ^bb1\n"
    tail = f"^bb{count}:\nmemref.dealloc %a : memref<4xf32>\nreturn\n"
    return f"func.func @f(%x: f32, %i: index, %c: i1) {{\n{head}{body}{tail}}}\n"


def ring(count: int) -> str:
    """`count` functions that call each other in a cycle, and hand a buffer round."""
    arguments, types = "(%a, %c, %x, %i)", "(memref<4xf32>, i1, f32, index) -> ()"
    functions = "".join(
        f"func.func private @f{n}(%a: memref<4xf32>, %c: i1, %x: f32, %i: index) {{\n{STORE.format(buffer='%a')}"
        f"scf.if %c {{\nfunc.call @f{(n + 1) % count}{arguments} : {types}\n}}\nreturn\n}}\n"
        for n in range(count)
    )
    return (
        f"{functions}func.func @main(%c: i1, %x: f32, %i: index) {{\n%a = memref.alloc() : memref<4xf32>\n"
        f"call @f0{arguments} : {types}\nmemref.dealloc %a : memref<4xf32>\nreturn\n}}\n"
    )


def chain(count: int) -> str:
    """`count` functions, each calling the next."""
    return ring(count).replace("func.call @f0(%a, %c, %x, %i) : (memref<4xf32>, i1, f32, index) -> ()\n", "")


def branches(count: int) -> str:
    """Four buffers, each of which is named in each of `count` branches, or in none, and freed or not."""
    names = [f"%m{n}" for n in range(4)]
    body = "".join(f"{name} = memref.alloc() : memref<4xf32>\n" for name in names)
    for n in range(count):
        body += f"scf.if %c{n} {{\n{''.join(STORE.format(buffer=name) for name in names)}}}\n"
    body += "scf.if %d {\n" + "".join(f"memref.dealloc {name} : memref<4xf32>\n" for name in names) + "}\n"
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    return f"func.func @f(%x: f32, %i: index, %d: i1, {flags}) {{\n{body}return\n}}\n"


def switches(count: int) -> str:
    """Four buffers, of which each of `count` switches gives one that is read."""
    names = [f"%m{n}" for n in range(4)]
    body = "".join(f"{name} = memref.alloc() : memref<4xf32>\n" for name in names)
    cases = "".join(f"case {n} {{\nscf.yield {name} : memref<4xf32>\n}}\n" for n, name in enumerate(names[:3]))
    for n in range(count):
        body += f"%s{n} = scf.index_switch %k{n} -> memref<4xf32>\n{cases}"
        body += "default {\nscf.yield %m3 : memref<4xf32>\n}\n"
        body += f"%v{n} = memref.load %s{n}[%i] : memref<4xf32>\n"
    body += "".join(f"memref.dealloc {name} : memref<4xf32>\n" for name in names)
    numbers = ", ".join(f"%k{n}: index" for n in range(count))
    return f"func.func @f(%i: index, {numbers}) {{\n{body}return\n}}\n"


PROGRAMS = [
    *((in_one_block, 50), (uses, 50), (nested, 25), (blocks, 50), (block_by_block, 50), (ring, 20), (chain, 40)),
    *((branches, 20), (switches, 20)),
]


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("program", "count"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS])
def test_work_grows_with_the_program(program: Callable[[int], str], count: int) -> None:
    """Counted in lines run, for most buffers here need not be followed step by step."""
    _ = check(program(2 * count))  # learn what statements look like
    taken: list[int] = []
    for many in (2 * count, 4 * count):
        source = program(many)
        rules = {finding.rule.name for finding in check(source).findings}
        assert "analysis-limit" not in rules and "leak" not in rules
        taken.append(lines_run(lambda source=source: check(source)))
    assert exponent(*taken) <= MOST, taken


@pytest.mark.slow
def test_calls_may_be_nested_deeply() -> None:
    """What the last of a long chain does to a buffer, the first one's caller is told."""
    head = "@f199(%a: memref<4xf32>, %c: i1, %x: f32, %i: index) {\n"
    frees = chain(200).replace(head, head + "memref.dealloc %a : memref<4xf32>\n")
    found = {(finding.rule.name, finding.function) for finding in check(frees).findings}
    assert ("use-after-free", "f199") in found
    assert ("possible-double-free", "main") in found


def test_buffers_that_many_switches_give_are_followed() -> None:
    """None of the reads has been written to: that is told of each, as long as the budget is not at its end."""
    rules = [finding.rule.name for finding in check(switches(20)).findings]
    assert rules == ["uninitialized-read"] * 20
