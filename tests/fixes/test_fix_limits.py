"""Where fixes end to be looked for: the last program of a kind that is repaired, and the first that is left alone."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.fixes import fix_all, with_fixes

TYPE = "memref<4xf32>"
COND = "func.func private @cond() -> i1\n"
EITHER = f"""\
  %c = call @cond() : () -> i1
  %r = scf.if %c -> {TYPE} {{
    %new = memref.alloc() : {TYPE}
    scf.yield %new : {TYPE}
  }} else {{
    scf.yield %m : {TYPE}
  }}
"""
USE = "  memref.store %x, {0}[%i] : " + TYPE + "\n"
NO_PATHS = "no place decides on which paths the buffer is to be freed, or there are too many paths"


def repaired(source: str) -> tuple[str | None, str | None]:
    """What the fix of the one finding does; why there is none. One that there is repairs all."""
    [finding] = with_fixes(check(source)).findings
    fix = finding.report.fix
    fixed = fix_all(source, unsafe=True)
    assert (fixed == source) == (fix is None)
    assert len(check(fixed).findings) == (fix is None)
    return fix.message if fix is not None else None, finding.report.unfixed or None


def passed(count: int) -> str:
    """A function that frees what its callers pass to it."""
    call = f"  %x = memref.alloc() : {TYPE}\n  call @drop(%x) : ({TYPE}) -> ()\n  return\n"
    callers = "".join(f"func.func @f{number}() {{\n{call}}}\n" for number in range(count))
    return f"func.func @drop(%a: {TYPE}) {{\n  memref.dealloc %a : {TYPE}\n  return\n}}\n{callers}"


@pytest.mark.parametrize(("callers", "fixed"), [(1, True), (4, True), (5, False)])
def test_fixes_that_follow_one_another(callers: int, fixed: bool) -> None:
    """Once the function frees nothing, each of its callers has to."""
    message, reason = repaired(passed(callers))
    if fixed:
        assert message == "Remove the deallocation of %a" + "; free %x after its last use" * callers
    else:
        assert (message, reason) == (None, "each fix that was tried leaves the finding or causes another")


def handed_on(count: int) -> str:
    """Private functions, each of which gives what the one before it gives: a new buffer, or that of its caller."""
    text = f"{COND}func.func private @g0(%m: {TYPE}) -> {TYPE} {{\n{EITHER}  return %r : {TYPE}\n}}\n"
    for number in range(1, count):
        call = f"  %r = call @g{number - 1}(%m) : ({TYPE}) -> {TYPE}\n"
        text += f"func.func private @g{number}(%m: {TYPE}) -> {TYPE} {{\n{call}  return %r : {TYPE}\n}}\n"
    used = f"  %r = call @g{count - 1}(%m) : ({TYPE}) -> {TYPE}\n{USE.format('%r')}  return\n"
    return f"{text}func.func @main(%m: {TYPE}, %x: f32, %i: index) {{\n{used}}}\n"


@pytest.mark.parametrize(("functions", "fixed"), [(1, True), (4, True), (5, False), (20, False)])
def test_functions_that_return_flags(functions: int, fixed: bool) -> None:
    message, reason = repaired(handed_on(functions))
    if fixed:
        assert message == "Free %r after its last use on each path, with a flag that says who owns it"
    else:
        assert message is None and reason is not None
        assert reason.endswith("or too many functions would have to return one")


def yielded(count: int) -> str:
    """A buffer that is new on one path, and handed up by so many regions."""
    opened = "".join(f"  %v{number} = scf.execute_region -> {TYPE} {{\n" for number in range(count))
    names = ["%r", *(f"%v{number}" for number in reversed(range(count)))]
    closed = "".join(f"  scf.yield {name} : {TYPE}\n  }}\n" for name in names[:-1])
    body = f"{opened}{EITHER}{closed}{USE.format(names[-1])}"
    return f"{COND}func.func @f(%m: {TYPE}, %x: f32, %i: index) {{\n{body}  return\n}}\n"


@pytest.mark.parametrize(("regions", "fixed"), [(24, True), (25, False), (40, False)])
def test_flags_of_one_repair(regions: int, fixed: bool) -> None:
    message, reason = repaired(yielded(regions))
    told = "Free %new after its last use on each path, with a flag that says who owns it"
    assert (message, reason) == ((told, None) if fixed else (None, NO_PATHS))


def left_early(count: int) -> str:
    """A buffer that is lost on so many ways out, which lead where nobody knows whether it was made."""
    arguments = "".join(f"%c{number}: i1, " for number in range(count + 1))
    blocks = f"^b1:\n  %a = memref.alloc() : {TYPE}\n{USE.format('%a')}  cf.cond_br %c1, ^exit, ^b2\n"
    for number in range(2, count + 1):
        blocks += f"^b{number}:\n{USE.format('%a')}  cf.cond_br %c{number}, ^exit, ^b{number + 1}\n"
    blocks += f"^b{count + 1}:\n{USE.format('%a')}  memref.dealloc %a : {TYPE}\n  cf.br ^exit\n^exit:\n  return\n"
    return f"func.func @f({arguments}%x: f32, %i: index) {{\n  cf.cond_br %c0, ^exit, ^b1\n{blocks}}}\n"


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        (23, "Free %a after its last use on each path"),
        (24, "Free %a after its last use on each path, with a flag that says who owns it"),
        pytest.param(
            47,
            "Free %a after its last use on each path, with a flag that says who owns it",
            marks=pytest.mark.slow,
        ),
        pytest.param(48, None, marks=pytest.mark.slow),
    ],
)
def test_placements_of_one_buffer(ways: int, message: str | None) -> None:
    """One on each way, and at last the look that all is well; where there may be flags, twice as many."""
    assert repaired(left_early(ways)) == (message, None if message else NO_PATHS)
