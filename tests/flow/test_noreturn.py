"""Assertions, as lowered code has them: control goes on, or to where execution ends. What they part is one way."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import edit_on
from tests.hostile.growth import PHASES, power
from tests.hostile.shapes import TYPE

ABORT = "func.func private @abort()\n"
FAIL = "  call @abort() : () -> ()\n  llvm.unreachable\n"


def asserted(count: int, common: bool = False) -> str:
    """Buffers of which each lives until something has been asserted, and one that lives until all has been. Each is
    used under a condition of its own, which is asked once more at the end.

    Args:
        common: all of them fail in one place; else each has its own.
    """
    body, end = f"  %all = memref.alloc() : {TYPE}\n", ""
    for at in range(count):
        body += f"  %a{at} = memref.alloc() : {TYPE}\n  memref.store %x, %a{at}[%i] : {TYPE}\n"
        body += f"  %c{at} = memref.load %flags{at}[%i] : memref<4xi1>\n"
        body += f"  cf.cond_br %c{at}, ^ok{at}, ^bad{'' if common else at}\n^ok{at}:\n"
        body += f"  cf.cond_br %d{at}, ^use{at}, ^go{at}\n^use{at}:\n  memref.store %x, %a{at}[%i] : {TYPE}\n"
        body += f"  cf.br ^go{at}\n^go{at}:\n  memref.dealloc %a{at} : {TYPE}\n  memref.store %x, %all[%i] : {TYPE}\n"
        end += f"  cf.cond_br %d{at}, ^again{at}, ^done{at}\n^again{at}:\n"
        end += f"  memref.store %x, %all[%i] : {TYPE}\n  cf.br ^done{at}\n^done{at}:\n"
    flags = "".join(f"%d{at}: i1, %flags{at}: memref<4xi1>, " for at in range(count))
    fails = "".join(f"^bad{at}:\n{FAIL}" for at in (("",) if common else range(count)))
    head = f"func.func @f({flags}%x: f32, %i: index) {{\n"
    return f"{ABORT}{head}{body}{end}  memref.dealloc %all : {TYPE}\n  return\n{fails}}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("common", [False, True])
def test_buffers_between_assertions_are_checked_in_linear_work(common: bool) -> None:
    assert not check(asserted(60, common)).findings
    assert power(lambda count: PHASES["check"](asserted(count, common)), 60) < 1.15


def _rules(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 60])
def test_what_happens_before_an_abort_is_found(count: int) -> None:
    source = asserted(count).replace("^bad1:\n", f"^bad1:\n  memref.dealloc %a0 : {TYPE}\n")
    assert _rules(source) == ["double-free"]
    inside = f"  %z = memref.alloc() : {TYPE}\n  cf.cond_br %d0, ^more, ^end\n^more:\n  memref.dealloc %z : {TYPE}\n"
    inside += f"  cf.br ^end\n^end:\n  memref.dealloc %z : {TYPE}\n"
    assert _rules(asserted(count).replace("^bad1:\n", f"^bad1:\n{inside}")) == ["possible-double-free"]
    behind = f"  %z = memref.alloc() : {TYPE}\n  memref.dealloc %z : {TYPE}\n  cf.br ^on\n^on:\n  cf.br ^end\n"
    behind += f"^end:\n  memref.dealloc %z : {TYPE}\n"
    assert _rules(asserted(count).replace("^bad1:\n", f"^bad1:\n{behind}")) == ["double-free"]
    freed = f"  memref.dealloc %a1 : {TYPE}\n"
    used = asserted(count, common=True).replace(freed, f"{freed}  memref.store %x, %a0[%i] : {TYPE}\n")
    assert _rules(used) == ["use-after-free"]


@pytest.mark.parametrize("count", [2, 60])
def test_what_is_asserted_holds_behind(count: int) -> None:
    """A buffer that is freed only where something else was asserted is not freed twice."""
    twice = f"  cf.cond_br %c1, ^well, ^again\n^again:\n  memref.dealloc %a0 : {TYPE}\n  cf.br ^well\n^well:\n"
    source = asserted(count).replace(f"  memref.dealloc %a1 : {TYPE}\n", f"{twice}  memref.dealloc %a1 : {TYPE}\n")
    assert _rules(source) == []
    assert _rules(source.replace("%c1, ^well", "%c0, ^well").replace("^well, ^again", "^again, ^well")) != []


@pytest.mark.parametrize("count", [2, 60])
def test_nothing_is_late_where_control_never_comes(count: int) -> None:
    """What was asserted keeps it from there. Where control surely comes instead, that buffer is late, and so is the one
    that is freed behind all that."""
    late = f"  %l = memref.alloc() : {TYPE}\n  memref.store %x, %l[%i] : {TYPE}\n  %y = arith.addf %x, %x : f32\n"
    never = f"  cf.cond_br %c1, ^well, ^never\n^never:\n{late}  memref.dealloc %l : {TYPE}\n  cf.br ^well\n^well:\n"
    source = asserted(count).replace(f"  memref.dealloc %a1 : {TYPE}\n", f"{never}  memref.dealloc %a1 : {TYPE}\n")
    assert _rules(source) == []
    assert _rules(source.replace("%c1, ^well, ^never", "%c1, ^never, ^well")) == ["late-free", "late-free"]


@pytest.mark.slow
@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("count", [2, 60])
def test_what_ends_the_program_is_typed(count: int, common: bool) -> None:
    """Where it does not any more, buffers are lost; what is found is found from scratch. What is called may return."""
    config = Config()
    document, checker = Document(asserted(count, common).replace("@abort", "@fail"), config.models), Checker()
    checker.findings(document, config)
    at = document.source.index("llvm.unreachable")
    for start, end, text in ((16, 16, "x"), (16, 17, ""), (0, 16, "return"), (0, 6, "llvm.unreachable")):
        document = document.edit([Edit(Span(at + start, at + end), text)])
        found = {(one.rule.name, one.report.span) for one in checker.findings(document, config)}
        assert found == {(one.rule.name, one.report.span) for one in check(document.source).findings}
        assert bool(found) == (text != "" and "unreachable" not in text)


@pytest.mark.slow
@pytest.mark.parametrize("common", [False, True])
def test_edits_between_assertions(common: bool) -> None:
    edit_on(asserted(6, common), seed=12, count=40)
