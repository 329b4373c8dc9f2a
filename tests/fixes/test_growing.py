"""Looking for fixes is no square of what there is to be fixed, in whatever way that is much."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from memlane.checking import check
from memlane.fixes import with_fixes
from tests.hostile.growth import CONFIG, PHASES, power
from tests.hostile.shapes import TYPE, chosen, held, stages, swapped
from tests.hostile.test_growth_of_checks import freed_together, late_or_lost, retaining

MOST = 1.15
"""See `tests/hostile/test_growth.py`."""
_MADE = f"  %a{{0}} = memref.alloc() : {TYPE}\n  memref.store %x, %a{{0}}[%i] : {TYPE}\n"
_FREED = f"  memref.dealloc %a{{0}} : {TYPE}\n"


def _function(body: str) -> str:
    return f"func.func @f(%c: i1, %x: f32, %i: index) {{\n{body}  return\n}}\n"


def _each(count: int, lines: str) -> str:
    return "".join(lines.format(number) for number in range(count))


def _undescribed(count: int) -> str:
    """Operations that nobody described, each of another name."""
    return _function(_each(count, f'{_MADE}  "x.op{{0}}"(%a{{0}}) : ({TYPE}) -> ()\n{_FREED}'))


def _used_after(count: int) -> str:
    """Uses of one buffer that has been freed."""
    return _function(_each(1, _MADE + _FREED) + _each(count, f"  %y{{0}} = memref.load %a0[%i] : {TYPE}\n"))


def _freed_again(count: int) -> str:
    """Deallocations of one buffer."""
    return _function(_each(1, _MADE) + _FREED.format(0) * count)


def _freed_by_callee(count: int) -> str:
    """Deallocations of an argument that a private function frees."""
    callee = f"func.func private @g(%a0: {TYPE}) {{\n{_FREED.format(0) * count}  return\n}}\n"
    return callee + _function(_each(1, _MADE) + f"  call @g(%a0) : ({TYPE}) -> ()\n")


def _mismatched(count: int) -> str:
    """Buffers that are each freed by the operation of another allocator."""
    return _function(_each(count, f"  %a{{0}} = gpu.alloc() : {TYPE}\n{_FREED}"))


def _of_callers(count: int) -> str:
    """Arguments that are freed, which is for the caller to do."""
    arguments = ", ".join(f"%a{number}: {TYPE}" for number in range(count))
    return _function(_each(count, _FREED)).replace("%c: i1", arguments)


def _taken_together(count: int) -> str:
    """Buffers that one operation takes which nobody described: all are freed behind it."""
    names, types = (", ".join(parts) for parts in (_each(count, "%a{0} ").split(), [TYPE] * count))
    return _function(_each(count, _MADE) + f'  "x.op"({names}) : ({types}) -> ()\n')


def _on_one_line(count: int) -> str:
    """Buffers that are freed late, all in one line."""
    return _function(_each(count, _MADE + "  %w{0} = arith.addf %x, %x : f32\n" + _FREED)).replace("\n", " ")


def _given_back_by_one(count: int) -> str:
    """Buffers that one branch gives back: what is put in behind it is too late for each of them."""
    return _function(_each(count, _MADE) + f"  scf.if %c {{\n{_each(count, _FREED)}  }}\n")


def _freed_under_a_flag(count: int) -> str:
    """Buffers that one deallocation frees under a flag: what is put in behind it leaves all but one freed late."""
    names, types = (", ".join(parts) for parts in (_each(count, "%a{0} ").split(), [TYPE] * count))
    return _function(
        _each(count, _MADE) + f"  bufferization.dealloc ({names} : {types}) if ({', '.join(['%c'] * count)})\n"
    )


def _chosen_or_made(count: int) -> str:
    """A chain of choices: every other one between two buffers, and in between to make a new one."""
    between = f"{_MADE.format('{1}')}  %s{{1}} = arith.select %c{{1}}, %s{{0}}, %a{{1}} : {TYPE}\n"
    made = (
        f"  %s{{1}} = scf.if %c{{1}} -> ({TYPE}) {{{{\n    scf.yield %s{{0}} : {TYPE}\n  }}}} else {{{{\n"
        f"    %a{{1}} = memref.alloc() : {TYPE}\n    scf.yield %a{{1}} : {TYPE}\n  }}}}\n"
    )
    choices = "".join((made if number % 2 else between).format(number, number + 1) for number in range(count))
    used = f"  memref.store %x, %s{count}[%i] : {TYPE}\n"
    flags = ", ".join(f"%c{number}: i1" for number in range(count + 1))
    return _function(_MADE.format(0).replace("%a", "%s") + choices + used).replace("%c: i1", flags)


def undeclared(count: int) -> str:
    """Functions that each lose what they get, in a module where nobody has declared what frees it."""
    one = (
        "llvm.func @f{0}(%n: i64, %x: f32) {{\n  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr\n"
        "  llvm.store %x, %a : f32, !llvm.ptr\n  llvm.return\n}}\n"
    )
    return f"module {{\nllvm.func @malloc(i64) -> !llvm.ptr\n{_each(count, one)}}}\n"


def lost_on_one_edge(count: int) -> str:
    """Buffers that are all freed in one block, past which control may go."""
    return _function(f"{_each(count, _MADE)}  cf.cond_br %c, ^a, ^b\n^a:\n{_each(count, _FREED)}  cf.br ^b\n^b:\n")


def late_behind_loops(count: int) -> str:
    """Loops in a row, as they are lowered: each reads a buffer made before all of them, which is freed late behind."""
    loop = (
        "  cf.br ^h{0}(%i : index)\n^h{0}(%i{0}: index):\n  %c{0} = arith.cmpi slt, %i{0}, %n : index\n"
        "  cf.cond_br %c{0}, ^b{0}, ^e{0}\n^b{0}:\n"
        f"  %v{{0}} = memref.load %a{{0}}[%i{{0}}] : {TYPE}\n  %j{{0}} = arith.addi %i{{0}}, %n : index\n"
        "  cf.br ^h{0}(%j{0} : index)\n^e{0}:\n"
    )
    used = f"  memref.store %x, %a{{0}}[%i] : {TYPE}\n"
    body = "".join(_each(count, part) for part in (_MADE, loop, used, _FREED))
    return _function(body).replace("%i: index", "%i: index, %n: index")


def made_or_lent(count: int) -> str:
    """Choices between a new buffer and an argument, always the same one; each is lost."""
    choice = (
        f"  %r{{0}} = scf.if %c -> ({TYPE}) {{{{\n    %a{{0}} = memref.alloc() : {TYPE}\n"
        f"    memref.copy %m, %a{{0}} : {TYPE} to {TYPE}\n    scf.yield %a{{0}} : {TYPE}\n"
        f"  }}}} else {{{{\n    scf.yield %m : {TYPE}\n  }}}}\n"
    )
    return _function(_each(count, choice)).replace("%c: i1", f"%c: i1, %m: {TYPE}")


def late_together(count: int) -> str:
    """Buffers that are each freed late where another takes over; the first way to free one earlier has the other freed
    behind what two paths have in common, where that is late."""
    made = _MADE.replace("%a", "%s")
    one = (
        f"{_MADE}  %l{{0}} = scf.for %k{{0}} = %i to %n step %n iter_args(%z{{0}} = %a{{0}}) -> ({TYPE}) {{{{\n"
        f"    %n{{0}} = memref.alloc() : {TYPE}\n    memref.store %x, %n{{0}}[%i] : {TYPE}\n"
        f"    memref.dealloc %z{{0}} : {TYPE}\n    scf.yield %n{{0}} : {TYPE}\n  }}}}\n"
        f"{made}  %r{{0}} = scf.if %c -> ({TYPE}) {{{{\n    %b{{0}} = memref.alloc() : {TYPE}\n"
        f"    memref.store %x, %b{{0}}[%i] : {TYPE}\n    scf.yield %b{{0}} : {TYPE}\n"
        f"  }}}} else {{{{\n    scf.yield %l{{0}} : {TYPE}\n  }}}}\n  memref.store %x, %s{{0}}[%i] : {TYPE}\n"
        f"  %y{{0}} = memref.load %l{{0}}[%i] : {TYPE}\n  memref.store %y{{0}}, %r{{0}}[%i] : {TYPE}\n"
        f"  scf.if %c {{{{\n    memref.dealloc %s{{0}} : {TYPE}\n    memref.dealloc %r{{0}} : {TYPE}\n"
        f"  }}}} else {{{{\n    memref.dealloc %s{{0}} : {TYPE}\n  }}}}\n  memref.dealloc %l{{0}} : {TYPE}\n"
    )
    return _function(_each(count, one)).replace("%i: index", "%i: index, %n: index")


SHAPES: Mapping[str, tuple[Callable[[int], str], int]] = {
    "undescribed": (_undescribed, 20),
    "used after": (_used_after, 60),
    "freed again": (_freed_again, 80),
    "freed by callee": (_freed_by_callee, 80),
    "mismatched": (_mismatched, 80),
    "of callers": (_of_callers, 60),
    "on one line": (_on_one_line, 60),
    "taken together": (_taken_together, 40),
    "given back by one": (_given_back_by_one, 100),
    "held": (held, 16),
    "late behind loops": (late_behind_loops, 40),
    "late or lost": (late_or_lost, 8),
    "stages": (stages, 240),
    "freed together": (freed_together, 24),
    "retaining": (retaining, 200),
    "undeclared": (undeclared, 24),
    "lost on one edge": (lost_on_one_edge, 24),
    "made or lent": (made_or_lent, 120),
    "late together": (late_together, 12),
}


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", SHAPES)
def test_fixes_are_found_in_linear_work(shape: str) -> None:
    make, size = SHAPES[shape]
    assert power(lambda count: PHASES["fixes"](make(count)), size) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_loops_that_swap_buffers_are_no_power_of_two() -> None:
    """Each path would name all that were left in some loop; checking the repaired text is not quite linear."""
    assert power(lambda count: PHASES["fixes"](swapped(count)), 8) < 1.5


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("make", "size"), [(chosen, 24), (_chosen_or_made, 8), (_freed_under_a_flag, 40)])
def test_fixes_are_found_in_bounded_work(make: Callable[[int], str], size: int) -> None:
    """Paths that all name all buffers, and what is tried for one finding, are bounded; checking is not quite linear."""
    assert power(lambda count: PHASES["fixes"](make(count)), size) < 2


def test_of_many_buffers_that_only_what_is_lent_makes_one_group_each_is_freed_by_itself() -> None:
    count = 40
    found = with_fixes(check(made_or_lent(count), CONFIG), CONFIG).findings
    freed = [edit.content for one in found if one.report.fix is not None for edit in one.report.fix.edits]
    # Nothing uses the name that the choice gives: each buffer dies where it is handed on.
    wanted = [f"    memref.dealloc %a{number} : {TYPE}\n" for number in range(count)]
    assert freed == wanted
