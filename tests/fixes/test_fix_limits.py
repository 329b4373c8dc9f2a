"""Where fixes end to be looked for: the last program of a kind that is repaired, and the first that is left alone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from memlane.checking import Checked, check, check_document
from memlane.config import Config
from memlane.findings import Applicability, Edit, Finding, Fix, Span
from memlane.fixes import all as every
from memlane.fixes import fix_all, text_versions, with_fixes
from memlane.fixes.decision_tree import decide
from memlane.fixes.fixer import Fixer
from memlane.fixes.refusal import NOT_TRIED
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.tree.tree import Value
from memlane.text import Text
from tests.hostile.shapes import functions

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


@pytest.mark.parametrize(("functions", "fixed"), [(1, True), (4, True), (5, False), (8, False)])
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
    offered = "Free %new after its last use on each path, with a flag that says who owns it"
    assert (message, reason) == ((offered, None) if fixed else (None, NO_PATHS))


def picked(count: int) -> str:
    """A function that gives a new buffer where so many conditions hold, and is called on one of two paths."""
    flags = "".join(f"%c{number}: i1, " for number in range(count))
    names = "".join(f"%c{number}, " for number in range(count))
    opened = "".join(f"  %r{number} = scf.if %c{number} -> ({TYPE}) {{\n" for number in range(count))
    made = f"  %r{count} = memref.alloc() : {TYPE}\n"
    closed = "".join(
        f"  scf.yield %r{number + 1} : {TYPE}\n  }} else {{\n  scf.yield %m : {TYPE}\n  }}\n"
        for number in reversed(range(count))
    )
    called = f"  %r = call @pick({names}%m) : ({'i1, ' * count}{TYPE}) -> {TYPE}\n  scf.yield %r : {TYPE}\n"
    either = f"  %u = scf.if %e -> ({TYPE}) {{\n{called}  }} else {{\n  scf.yield %m : {TYPE}\n  }}\n"
    return f"""\
{COND}func.func @pick({flags}%m: {TYPE}) -> {TYPE} {{
{opened}{made}{closed}  return %r0 : {TYPE}
}}
func.func @main({flags}%m: {TYPE}, %x: f32, %i: index) {{
  %v = scf.execute_region -> {TYPE} {{
  %e = call @cond() : () -> i1
{either}  scf.yield %u : {TYPE}
  }}
{USE.format("%v")}  return
}}
"""


@pytest.mark.parametrize(("conditions", "fixed"), [(3, True), (4, True), (6, True), (7, False), (9, False)])
def test_conditions_of_one_flag(conditions: int, fixed: bool) -> None:
    """Three are asked together; a flag is split by three more, one after the other."""
    source = picked(conditions)
    [leak] = [one for one in with_fixes(check(source)).findings if one.rule.name == "leak"]
    offered = "Free %r after its last use on each path, with a flag that says who owns it"
    assert (leak.report.fix.message if leak.report.fix is not None else None) == (offered if fixed else None)
    left = [one.rule.name for one in check(fix_all(source)).findings]
    assert left == ["borrowed-return"] + ["leak"] * (not fixed)


def left_early(count: int) -> str:
    """A buffer that is lost on so many ways out, which lead where it is unknown whether it was made."""
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


class Useless(Fixer):
    """Proposes something for each finding that comes to nothing, `count` times, before anything else."""

    count = 0

    def candidates(self, finding: Finding) -> Iterator[Fix]:
        """Comments before the line of the finding, then those that there are."""
        at = self.checked.text.source.rindex("\n", 0, finding.report.span.start) + 1
        for number in range(self.count):
            edit = Edit(Span(at, at), "// nothing\n" * (number + 1))
            yield Fix("Say nothing", (edit,), Applicability.SAFE)
        yield from super().candidates(finding)


@pytest.fixture
def useless(monkeypatch: pytest.MonkeyPatch) -> type[Useless]:
    """What looks for fixes, from now on."""
    monkeypatch.setattr(every, "Fixer", Useless)
    return Useless


@pytest.mark.parametrize(("before", "checks"), [(0, 2), (7, 9), (8, 100)])
def test_fixes_of_a_finding_that_are_tried_with_those_of_others(
    before: int, checks: int, useless: type[Useless], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One check for each that all findings have; after eight each is tried alone, and what is repaired is the same."""
    made: list[str] = []

    def counting(text: Text, document: Document, checker: Checker, config: Config) -> Checked:
        made.append(text.source)
        return check_document(text, document, checker, config)

    monkeypatch.setattr(text_versions, "check_document", counting)
    monkeypatch.setattr(useless, "count", before)
    assert check(fix_all(functions(10))).findings == ()
    assert len(made) == checks


@pytest.mark.parametrize(("before", "patient"), [(0, True), (35, True), (36, False), (50, False)])
def test_text_that_is_checked_again_to_find_a_fix_for_one_finding(
    before: int, patient: bool, useless: type[Useless], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million characters and sixteen times the text: beyond, a fix is tried where it helps with all at once."""
    monkeypatch.setattr(useless, "count", before)
    source = functions(2).replace("  return\n", f"  // {'x' * 99_700}\n  return\n")
    first, second = with_fixes(check(source)).findings
    assert first.report.fix is not None
    assert (second.report.fix is not None, second.report.unfixed == NOT_TRIED) == (patient, not patient)


MIXED = (
    passed(1)
    + f"""\
func.func @late(%x: f32, %i: index) {{
  %a = memref.alloc() : {TYPE}
{USE.format("%a")}  %y = arith.addf %x, %x : f32
  %b = memref.alloc() : {TYPE}
{USE.format("%b")}  memref.dealloc %b : {TYPE}
  memref.dealloc %a : {TYPE}
  return
}}
func.func @lost() {{
  %a = memref.alloc() : {TYPE}
  return
}}
"""
)


@pytest.mark.parametrize(
    ("rounds", "fixed", "left"),
    [
        (0, (), ["argument-free", "late-free", "leak"]),
        (1, ("late-free", "leak"), ["argument-free"]),
        (2, ("argument-free", "late-free", "leak"), []),
        (3, ("argument-free", "late-free", "leak"), []),
    ],
)
def test_rounds_of_fixes(rounds: int, fixed: tuple[str, ...], left: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """There are a hundred, set to fewer here. What is left was not looked at, and says so."""
    monkeypatch.setattr(every, "MAX_ROUNDS", rounds)
    found = every.repaired(MIXED, Config(), reasons=True)
    assert found.fixed == fixed
    assert [finding.rule.name for finding in found.checked.findings] == left
    assert {finding.report.unfixed for finding in found.checked.findings} <= {NOT_TRIED}


def test_fixes_that_others_follow_are_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one a round, each of which looks for those of all others."""
    monkeypatch.setattr(every, "MAX_ROUNDS", 2)
    source = "".join(passed(2).replace("@f", f"@f{number}_").replace("@drop", f"@drop{number}") for number in range(4))
    assert len(check(source).findings) == 4
    assert check(fix_all(source)).findings == ()


def test_many_paths_are_told_apart_by_many_flags_at_once() -> None:
    """Or not at all: by three flags each, of which there are hundreds, on all paths together."""
    flags = [Value(f"%c{number}", number, 1, "i1", 0) for number in range(14)]
    place = {flag: number for number, flag in enumerate(flags)}
    odd = [path for path in range(16_384) if path.bit_count() % 2]
    even = [path for path in range(16_384) if not path.bit_count() % 2]
    began = time.process_time()
    assert decide(odd, even, flags, lambda path, flag: bool(path >> place[flag] & 1)) is None
    assert decide(even, odd, flags, lambda path, flag: bool(path >> place[flag] & 1)) is None
    assert time.process_time() - began < 5
    low = [path for path in range(16_384) if path % 8 == 5]
    others = [path for path in range(16_384) if path % 8 != 5]
    tree = decide(low, others, flags, lambda path, flag: bool(path >> place[flag] & 1))
    assert tree is not None
    assert set(tree.flags()) == set(flags[:3]) and tree.size == 3
