"""Flags that say who owns a buffer are made of others, of any number of them and one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from memlane.checking import check
from tests.hostile.growth import lines_run

TYPE = "memref<4xf32>"


def _many(count: int) -> str:
    """One op is given many buffers, and asked whether one of them is the buffer that it retains."""
    made = "".join(f"  %a{number} = memref.alloc() : {TYPE}\n" for number in range(count))
    names = ", ".join(f"%a{number}" for number in range(count))
    given = f"({names} : {', '.join([TYPE] * count)}) if ({', '.join(['%true'] * count)}) retain (%a0 : {TYPE})"
    rest = f"  %mine = bufferization.dealloc {given}\n  bufferization.dealloc (%a0 : {TYPE}) if (%mine)\n"
    return f"func.func @f() {{\n  %true = arith.constant true\n{made}{rest}  return\n}}\n"


def _chain(count: int) -> str:
    """Each op is told by the one before it who owns the buffer."""
    one = f"  %mine{{1}} = bufferization.dealloc (%a : {TYPE}) if (%mine{{0}}) retain (%a : {TYPE})\n"
    asked = "".join(one.format(number, number + 1) for number in range(count))
    rest = f"{asked}  bufferization.dealloc (%a : {TYPE}) if (%mine{count})\n"
    return f"func.func @f() {{\n  %mine0 = arith.constant true\n  %a = memref.alloc() : {TYPE}\n{rest}  return\n}}\n"


def _first(count: int) -> str:
    """One of many flags decides where a buffer is freed: the first that is true, else the end."""
    flags = ", ".join(f"%c{number}: i1" for number in range(count))
    lines = ["%true = arith.constant true", "%done0 = arith.constant false", f"%a = memref.alloc() : {TYPE}"]
    for number in range(count):
        lines += [
            f"%left{number} = arith.xori %done{number}, %true : i1",
            f"%now{number} = arith.andi %c{number}, %left{number} : i1",
            f"scf.if %now{number} {{\n  memref.dealloc %a : {TYPE}\n}}",
            f"%done{number + 1} = arith.ori %done{number}, %c{number} : i1",
        ]
    lines += [f"%left = arith.xori %done{count}, %true : i1", f"scf.if %left {{\n  memref.dealloc %a : {TYPE}\n}}"]
    return f"func.func @f({flags}) {{\n" + "\n".join([*lines, "return", "}"]) + "\n"


def _first_of_blocks(count: int) -> str:
    """The same with branches between blocks."""
    text = _first(count)
    for number in range(count + 1):
        name = f"%now{number}" if number < count else "%left"
        begun = f"scf.if {name} {{\n  memref.dealloc %a : {TYPE}\n}}"
        branch = f"cf.cond_br {name}, ^free{number}, ^on{number}\n^free{number}:"
        text = text.replace(begun, f"{branch}\n  memref.dealloc %a : {TYPE}\n  cf.br ^on{number}\n^on{number}:")
    return text


def _row(count: int) -> str:
    """Each op retains one of two buffers, which a flag tells, and what it says of that is asked by the next."""
    lines = ["%true = arith.constant true", f"%a0 = memref.alloc() : {TYPE}", "%mine0 = arith.constant true"]
    for number in range(count):
        one, other, kept = f"%a{number}", f"%b{number}", f"%a{number + 1}"
        given = f"({one}, {other} : {TYPE}, {TYPE}) if (%mine{number}, %true) retain ({kept} : {TYPE})"
        lines += [
            f"{other} = memref.alloc() : {TYPE}",
            f"{kept} = arith.select %c, {one}, {other} : {TYPE}",
            f"%mine{number + 1} = bufferization.dealloc {given}",
        ]
    lines += [f"bufferization.dealloc (%a{count} : {TYPE}) if (%mine{count})", "return", "}"]
    return "func.func @f(%c: i1) {\n" + "\n".join(lines) + "\n"


def _wrong(text: str) -> set[str]:
    return {one.rule.name for one in check(text).findings} - {"redundant-dealloc-check", "late-free", "unused-buffer"}


@pytest.mark.parametrize("text", [_many(60), _chain(4), _first(20)], ids=["many", "chain", "first"])
def test_flags_are_followed(text: str) -> None:
    assert not _wrong(text)


@pytest.mark.slow
@pytest.mark.parametrize("made", [_chain, _first, _first_of_blocks, _row])
def test_so_are_those_of_many_levels(made: Callable[[int], str]) -> None:
    """What is deeper than can be asked wherever it is used is looked at where it is made."""
    assert not _wrong(made(60))


@pytest.mark.slow
def test_what_goes_wrong_is_found_behind_many_levels() -> None:
    """The last of them frees what another one has, or none does."""
    text = _first(60)
    end = text.index("%left = ")
    assert _wrong(text[:end] + "return\n}\n") == {"possible-leak"}
    assert _wrong(text.replace("scf.if %left {", "scf.if %c7 {")) == {"possible-leak", "double-free"}
    row = _row(60)
    assert _wrong(row.replace("return\n", f"memref.dealloc %a60 : {TYPE}\nreturn\n")) == {"double-free"}


@pytest.mark.slow
@pytest.mark.parametrize("text", [_many(1_200), _chain(1_200)], ids=["many", "chain"])
def test_there_may_be_any_number(text: str) -> None:
    """Where there are too many nothing is known of the flag, and nothing is certain for it."""
    assert _wrong(text) <= {"possible-leak", "possible-double-free"}


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_flags_that_exclude_each_other() -> None:
    """Once one is true no other matters: else there would be 2 to the power of n paths."""
    check(_first(2))
    small, large = (lines_run(partial(check, _first(count))) for count in (8, 16))
    assert large < 5 * small
