"""What checking took with the square of its input, or more: each input is twice as large as the one before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.flow.test_region_dispatch import freed_before, given
from tests.hostile.growth import PHASES, lines_run, power

MOST = 1.2


def waiting(count: int) -> str:
    """Asynchronous operations on one buffer, each of which waits for the one before it."""
    work = "{{\n    memref.store %x, %a[%i] : memref<8xf32>\n    async.yield\n  }}\n"
    steps = "".join(f"  %t{n + 1} = async.execute [%t{n}] {work}".format() for n in range(count))
    first = "  %t0 = async.execute " + work.format()
    return (
        "func.func @f(%x: f32, %i: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
        f"{first}{steps}  async.await %t{count} : !async.token\n  memref.dealloc %a : memref<8xf32>\n  return\n}}\n"
    )


def pads(count: int) -> str:
    """Calls that may throw, each with a buffer of its own, which is given back on both ways."""
    free = "  llvm.call @free(%a{0}) : (!llvm.ptr) -> ()\n"
    one = (
        "  %a{0} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n"
        "  llvm.invoke @use(%a{0}) to ^then{0} unwind ^pad{0} : (!llvm.ptr) -> ()\n^pad{0}:\n"
        "  %l{0} = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n"
        f"{free}  llvm.resume %l{{0}} : !llvm.struct<(ptr, i32)>\n^then{{0}}:\n{free}"
    )
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\nllvm.func @use(!llvm.ptr)\n"
        "llvm.func @person(...) -> i32\nllvm.func @f(%n: i64) attributes {personality = @person} {\n"
        + "".join(one.format(number) for number in range(count))
        + "  llvm.return\n}\n"
    )


def switches(count: int) -> str:
    """Two switches over one number: a buffer is freed in every other case of one, and the others of the other."""
    free = "memref.dealloc %a : memref<8xf32>"
    others = ("%s = arith.addi %n, %n : index", free)
    text = "func.func @f(%n: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
    for first in (True, False):
        done = (others[(number % 2 == 0) is first] for number in range(count))
        cases = "".join(f"  case {number} {{\n    {one}\n    scf.yield\n  }}\n" for number, one in enumerate(done))
        text += f"  scf.index_switch %n\n{cases}  default {{\n    {others[0] if first else free}\n  }}\n"
    return text + "  return\n}\n"


def retaining(count: int) -> str:
    """Deallocations that each retain one of two buffers, and are told by the one before who owns the other."""
    one = (
        "  %b{1} = memref.alloc() : memref<8xf32>\n  %a{1} = arith.select %c, %a{0}, %b{1} : memref<8xf32>\n"
        "  %m{1} = bufferization.dealloc (%a{0}, %b{1} : memref<8xf32>, memref<8xf32>) if (%m{0}, %true)"
        " retain (%a{1} : memref<8xf32>)\n"
    )
    return (
        "func.func @f(%c: i1) {\n  %true = arith.constant true\n  %m0 = arith.constant true\n"
        "  %a0 = memref.alloc() : memref<8xf32>\n"
        + "".join(one.format(number, number + 1) for number in range(count))
        + f"  bufferization.dealloc (%a{count} : memref<8xf32>) if (%m{count})\n  return\n}}\n"
    )


def freed_by_one(count: int) -> str:
    """Buffers that one deallocation frees at the end, each used in a block of its own."""
    type_ = "memref<8xf32>"
    one = (
        f"  %a{{0}} = memref.alloc() : {type_}\n  linalg.fill ins(%x : f32) outs(%a{{0}} : {type_})\n"
        "  cf.br ^b{0}\n^b{0}:\n"
    )
    names = ", ".join(f"%a{number}" for number in range(count))
    freed = f"({names} : {', '.join([type_] * count)}) if ({', '.join(['%true'] * count)})"
    text = "".join(one.format(number) for number in range(count))
    last = f"  bufferization.dealloc {freed}\n  return\n}}\n"
    return f"func.func @f(%x: f32) {{\n  %true = arith.constant true\n{text}{last}"


def cases(count: int) -> str:
    """Buffers of which a switch says which one is used."""
    names = [f"%a{number}" for number in range(count)]
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    ways = ",\n".join(f"    {number}: ^s({name} : memref<8xf32>)" for number, name in enumerate(names))
    switch = f"  cf.switch %n : i32, [\n    default: ^s(%a0 : memref<8xf32>),\n{ways}\n  ]\n"
    used = "^s(%w: memref<8xf32>):\n  memref.store %x, %w[%i] : memref<8xf32>\n"
    freed = "".join(f"  memref.dealloc {name} : memref<8xf32>\n" for name in names)
    return f"func.func @f(%n: i32, %i: index, %x: f32) {{\n{made}{switch}{used}{freed}  return\n}}\n"


def ends(count: int) -> str:
    """A switch that hands a buffer to blocks which each free it."""
    names = [f"^s{number}" for number in range(count)]
    ways = ",\n".join(f"    {number}: {name}(%a : memref<8xf32>)" for number, name in enumerate(names))
    freed = "%x: memref<8xf32>):\n  memref.dealloc %x : memref<8xf32>\n  return\n"
    return (
        "func.func @f(%n: i32) {\n  %a = memref.alloc() : memref<8xf32>\n"
        f"  cf.switch %n : i32, [\n    default: ^s0(%a : memref<8xf32>),\n{ways}\n  ]\n"
        + "".join(f"{name}({freed}" for name in names)
        + "}\n"
    )


def labels(count: int) -> str:
    """Allocations of C, each looked at for null, with a jump to the label that frees all before it."""
    made = (
        "  %a{0} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n"
        '  %z{0} = llvm.icmp "eq" %a{0}, %null : !llvm.ptr\n  llvm.cond_br %z{0}, ^l{0}, ^b{0}\n^b{0}:\n'
    )
    freed = "^l{1}:\n  llvm.call @free(%a{0}) : (!llvm.ptr) -> ()\n  llvm.br ^l{0}\n"
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\nllvm.func @f(%n: i64) {\n"
        "  %null = llvm.mlir.zero : !llvm.ptr\n"
        + "".join(made.format(number) for number in range(count))
        + f"  llvm.br ^l{count}\n"
        + "".join(freed.format(number, number + 1) for number in reversed(range(count)))
        + "^l0:\n  llvm.return\n}\n"
    )


def taken(count: int) -> str:
    """Buffers that one call of a private function takes, and frees."""
    names = [f"%a{number}" for number in range(count)]
    types = ", ".join(["memref<8xf32>"] * count)
    formals = ", ".join(f"{name}: memref<8xf32>" for name in names)
    freed = "".join(f"  memref.dealloc {name} : memref<8xf32>\n" for name in names)
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    called = f"  call @g({', '.join(names)}) : ({types}) -> ()\n"
    callee = f"func.func private @g({formals}) {{\n{freed}  return\n}}\n"
    return f"{callee}func.func @f() {{\n{made}{called}  return\n}}\n"


def exits(count: int) -> str:
    """Buffers that live side by side; each time one is made control may go to the label that frees all so far."""
    made = (
        "  %a{0} = memref.alloc() : memref<8xf32>\n  memref.store %x, %a{0}[%i] : memref<8xf32>\n"
        "  cf.cond_br %c{0}, ^l{1}, ^b{0}\n^b{0}:\n"
    )
    freed = "^l{1}:\n  memref.dealloc %a{0} : memref<8xf32>\n  cf.br ^l{0}\n"
    flags = "".join(f", %c{number}: i1" for number in range(count))
    return (
        f"func.func @f(%x: f32, %i: index{flags}) {{\n"
        + "".join(made.format(number, number + 1) for number in range(count))
        + f"  cf.br ^l{count}\n"
        + "".join(freed.format(number, number + 1) for number in reversed(range(count)))
        + "^l0:\n  return\n}\n"
    )


def carried(count: int) -> str:
    """A loop that carries one buffer under many names, and hands each on as the next."""
    types = ", ".join(["memref<8xf32>"] * count)
    bound = ", ".join(f"%b{number} = %a" for number in range(count))
    handed = ", ".join(f"%b{(number + 1) % count}" for number in range(count))
    return (
        "func.func @f(%i: index, %n: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
        f"  %r:{count} = scf.for %k = %i to %n step %i iter_args({bound}) -> ({types}) {{\n"
        f"    scf.yield {handed} : {types}\n  }}\n  memref.dealloc %a : memref<8xf32>\n  return\n}}\n"
    )


def flags_handed_on(count: int) -> str:
    """Loops one after the other that hand a flag on, and behind each a buffer in a branch, which the flag decides."""
    one = (
        "  %f{1} = scf.for %j = %i to %n step %i iter_args(%f = %f{0}) -> (i1) {{\n"
        "    %g = scf.if %c -> (i1) {{\n      scf.yield %f : i1\n    }} else {{\n      scf.yield %c : i1\n    }}\n"
        "    scf.yield %g : i1\n  }}\n"
        "  scf.if %c {{\n    %a = memref.alloc() : memref<8xf32>\n    scf.if %f{1} {{\n"
        "      memref.dealloc %a : memref<8xf32>\n    }}\n  }}\n"
    )
    body = "".join(one.format(number, number + 1) for number in range(count))
    return f"func.func @f(%c: i1, %f0: i1, %i: index, %n: index) {{\n{body}  return\n}}\n"


def turned(count: int) -> str:
    """A loop that hands each of its buffers on under the name of the next in each round; all are lost."""
    names = [f"%b{number}" for number in range(count)]
    types = ", ".join(["memref<8xf32>"] * count)
    formals = ", ".join(f"%x{number}: memref<8xf32>" for number in range(count))
    handed = ", ".join(f"%x{(number + 1) % count}" for number in range(count))
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    return (
        f"func.func @f(%c: i1) {{\n{made}  cf.br ^h({', '.join(names)} : {types})\n^h({formals}):\n"
        f"  cf.cond_br %c, ^b, ^e\n^b:\n  cf.br ^h({handed} : {types})\n^e:\n  return\n}}\n"
    )


def asked_twice(count: int) -> str:
    """Allocations of C that are lost; whether each has given null is asked twice."""
    made = '  %a{0} = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n  %z{0} = llvm.icmp "eq" %a{0}, %null : !llvm.ptr\n'
    asked = "  llvm.cond_br %z{0}, ^b{1}_{0}(%n : i64), ^b{1}_{0}(%n : i64)\n^b{1}_{0}(%x{1}_{0}: i64):\n"
    return (
        "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @f(%n: i64) {\n  %null = llvm.mlir.zero : !llvm.ptr\n"
        + "".join(made.format(number) for number in range(count))
        + "".join(asked.format(number, again) for again in range(2) for number in range(count))
        + "  llvm.return\n}\n"
    )


def statuses(count: int) -> str:
    """Calls that each may replace a buffer, and say whether they have; all that they say is asked at the end."""
    one = "  %a{1}, %s{1} = call @g(%a{0}, %c{0}) : (memref<8xf32>, i1) -> (memref<8xf32>, i32)\n"
    asked = (
        "  %e{1} = arith.cmpi ne, %s{1}, %z : i32\n"
        "  cf.cond_br %e{1}, ^u{1}, ^v{1}\n^u{1}:\n  memref.store %x, %a{2}[%i] : memref<8xf32>\n"
        "  cf.br ^v{1}\n^v{1}:\n"
    )
    flags = "".join(f", %c{number}: i1" for number in range(count))
    return (
        "func.func private @g(%a: memref<8xf32>, %c: i1) -> (memref<8xf32>, i32) {\n  cf.cond_br %c, ^x, ^y\n^x:\n"
        "  memref.dealloc %a : memref<8xf32>\n  %b = memref.alloc() : memref<8xf32>\n  %0 = arith.constant 0 : i32\n"
        "  return %b, %0 : memref<8xf32>, i32\n^y:\n  %1 = arith.constant 1 : i32\n"
        "  return %a, %1 : memref<8xf32>, i32\n}\n"
        f"func.func @f(%x: f32, %i: index{flags}) {{\n  %z = arith.constant 0 : i32\n"
        "  %a0 = memref.alloc() : memref<8xf32>\n"
        + "".join(one.format(number, number + 1) for number in range(count))
        + "".join(asked.format(number, number + 1, count) for number in range(count))
        + f"  memref.dealloc %a{count} : memref<8xf32>\n  return\n}}\n"
    )


def freed_together(count: int) -> str:
    """Buffers that one operation frees, each under a condition that is true."""
    names = [f"%a{number}" for number in range(count)]
    types = ", ".join(["memref<8xf32>"] * count)
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    freed = f"  bufferization.dealloc ({', '.join(names)} : {types}) if ({', '.join(['%true'] * count)})\n"
    return f"func.func @f() {{\n  %true = arith.constant true\n{made}{freed}  return\n}}\n"


def freed_under_flags(count: int) -> str:
    """Buffers that one operation frees, each under a condition of its own."""
    names = [f"%a{number}" for number in range(count)]
    flags, types = [f"%c{number}" for number in range(count)], ", ".join(["memref<8xf32>"] * count)
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    freed = f"  bufferization.dealloc ({', '.join(names)} : {types}) if ({', '.join(flags)})\n"
    return f"func.func @f({', '.join(f'{flag}: i1' for flag in flags)}) {{\n{made}{freed}  return\n}}\n"


def given_by_one(count: int) -> str:
    """Buffers that one call of a private function makes."""
    names = [f"%a{number}" for number in range(count)]
    types = ", ".join(["memref<8xf32>"] * count)
    made = "".join(f"  {name} = memref.alloc() : memref<8xf32>\n" for name in names)
    freed = "".join(f"  memref.dealloc %r#{number} : memref<8xf32>\n" for number in range(count))
    return (
        f"func.func private @g() -> ({types}) {{\n{made}  return {', '.join(names)} : {types}\n}}\n"
        f"func.func @f() {{\n  %r:{count} = call @g() : () -> ({types})\n{freed}  return\n}}\n"
    )


def awaited_at_the_end(count: int) -> str:
    """Asynchronous operations on one buffer, each of which is waited for by itself, once all have begun."""
    work = "{{\n    memref.store %x, %a[%i] : memref<8xf32>\n    async.yield\n  }}\n"
    return (
        "func.func @f(%x: f32, %i: index) {\n  %a = memref.alloc() : memref<8xf32>\n"
        + "".join(f"  %t{number} = async.execute {work.format()}" for number in range(count))
        + "".join(f"  async.await %t{number} : !async.token\n" for number in range(count))
        + "  memref.dealloc %a : memref<8xf32>\n  return\n}\n"
    )


def nested(count: int) -> str:
    """Branches in one another, each with a buffer that lives as long."""
    flags = ", ".join(f"%c{number}: i1" for number in range(count))
    made = "  %a{0} = memref.alloc() : memref<8xf32>\n  memref.store %x, %a{0}[%i] : memref<8xf32>\n  scf.if %c{0} {{\n"
    freed = "  }}\n  memref.dealloc %a{0} : memref<8xf32>\n"
    return (
        f"func.func @f(%x: f32, %i: index, {flags}) {{\n"
        + "".join(made.format(number) for number in range(count))
        + "".join(freed.format(number) for number in reversed(range(count)))
        + "  return\n}\n"
    )


def late_or_lost(count: int) -> str:
    """Buffers that a block each gets and frees late; where control goes past it they are lost."""
    one = (
        "  %a{0} = memref.alloc() : memref<8xf32>\n  memref.store %x, %a{0}[%i] : memref<8xf32>\n"
        "  cf.cond_br %c{0}, ^a{0}(%a{0} : memref<8xf32>), ^b{0}\n^a{0}(%p{0}: memref<8xf32>):\n"
        "  memref.store %x, %p{0}[%i] : memref<8xf32>\n  %y{0} = arith.addi %i, %i : index\n"
        "  memref.dealloc %p{0} : memref<8xf32>\n  cf.br ^b{0}\n^b{0}:\n"
    )
    flags = "".join(f", %c{number}: i1" for number in range(count))
    body = "".join(one.format(number) for number in range(count))
    return f"func.func @f(%x: f32, %i: index{flags}) {{\n{body}  return\n}}\n"


def freed_in_any_order(count: int) -> str:
    """An operation nobody described of whose regions each frees the same buffer."""
    freed = '{\n    memref.dealloc %a : memref<8xf32>\n    "nobody.ends"() : () -> ()\n  }'
    op = f'  "nobody.knows"() ({", ".join([freed] * count)}) : () -> ()\n'
    return f"func.func @f() {{\n  %a = memref.alloc() : memref<8xf32>\n{op}  return\n}}\n"


def freed_by_branches(count: int) -> str:
    """A buffer that branches free, each under a condition of its own."""
    flags = ", ".join(f"%c{number}: i1" for number in range(count))
    freed = "  scf.if %c{0} {{\n    memref.dealloc %a : memref<8xf32>\n  }}\n"
    body = "".join(freed.format(number) for number in range(count))
    return f"func.func @f({flags}) {{\n  %a = memref.alloc() : memref<8xf32>\n{body}  return\n}}\n"


def owned_under_a_flag(count: int) -> str:
    """A buffer that is made under one flag and freed under it; in between others are asked twice each."""
    flags = "".join(f", %c{number}: i1" for number in range(count))
    used = "  scf.if %c{0} {{\n    memref.store %x, %b[%i] : memref<8xf32>\n  }}\n"
    return (
        f"func.func @f(%x: f32, %i: index, %o: i1, %g: memref<8xf32>{flags}) {{\n"
        "  %b = scf.if %o -> (memref<8xf32>) {\n    %a = memref.alloc() : memref<8xf32>\n"
        "    scf.yield %a : memref<8xf32>\n  } else {\n    scf.yield %g : memref<8xf32>\n  }\n"
        + "".join(used.format(number) for _ in range(2) for number in range(count))
        + "  scf.if %o {\n    memref.dealloc %b : memref<8xf32>\n  }\n  return\n}\n"
    )


SHAPES = [
    (owned_under_a_flag, 64),
    (freed_by_branches, 64),
    (freed_in_any_order, 40),
    (late_or_lost, 120),
    (freed_together, 80),
    (freed_under_flags, 40),
    (given_by_one, 80),
    (awaited_at_the_end, 80),
    (waiting, 80),
    (pads, 20),
    (switches, 64),
    (retaining, 40),
    (freed_by_one, 100),
    (labels, 40),
    (taken, 100),
    (exits, 60),
    (flags_handed_on, 40),
    (carried, 200),
    (freed_before, 40),
    (ends, 200),
    (given, 80),
    (statuses, 16),
]


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("made", "size"), SHAPES)
def test_growth(made: Callable[[int], str], size: int) -> None:
    assert power(lambda count: PHASES["check"](made(count)), size) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_states_of_many_buffers_count_for_more() -> None:
    """A square, as there are that many pairs of a buffer and a way; it was 64 million."""
    assert lines_run(PHASES["check"](cases(160))) < 25_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_handing_many_buffers_on_counts_for_more() -> None:
    """It grew with the cube, as each of n rounds hands on n buffers and looks at all of them for each; 37 million."""
    assert lines_run(PHASES["check"](turned(300))) < 15_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_what_is_asked_twice_is_not_followed_on_all_ways() -> None:
    """They are 2 to the power of n; of ten it was 49 million."""
    assert lines_run(PHASES["check"](asked_twice(10))) < 5_000_000
    assert lines_run(PHASES["check"](asked_twice(20))) < 15_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_statuses_that_are_asked_again_are_not_followed_on_all_ways() -> None:
    """Until the budget ends it, it was 25 million, whatever the number."""
    assert lines_run(PHASES["check"](statuses(16))) < 2_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_what_is_around_is_asked_once_whether_it_repeats() -> None:
    """A square, as each buffer is followed through what is around it; it was a cube, as each of that asked again."""
    assert power(lambda count: PHASES["check"](nested(count)), 40) < 2
