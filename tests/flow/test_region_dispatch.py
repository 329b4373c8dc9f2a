"""Regions that run in any order are explored through one point between them, with the same findings."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from memlane.checking import check
from memlane.findings import Certainty, Edit, Finding, Severity, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.inner_edits import CONFIG, edit_on

T = "memref<8xf32>"
_ENDS = '    "nobody.ends"() : () -> ()\n'
_GIVES = f'    "nobody.ends"(%a{{0}}) : ({T}) -> ()\n'
_MADE = f"    %a{{0}} = memref.alloc() : {T}\n    memref.store %x, %a{{0}}[%i] : {T}\n"
_FREED = f"    memref.dealloc %a{{0}} : {T}\n"
_BLOCKS = f"    cf.cond_br %c, ^b{{0}}, ^d{{0}}\n  ^b{{0}}:\n{_FREED}    cf.br ^d{{0}}\n  ^d{{0}}:\n"
_NEVER = (
    f"    %t{{0}} = arith.constant true\n    cf.cond_br %t{{0}}, ^b{{0}}, ^d{{0}}\n  ^b{{0}}:\n{_ENDS}"
    f"  ^d{{0}}:\n{_MADE}    %z{{0}} = arith.addf %x, %x : f32\n    func.call @nobody() : () -> ()\n{_FREED}{_ENDS}"
)
_TAKEN = f"  ^bb0(%b{{0}}: {T}):\n    memref.store %x, %b{{0}}[%i] : {T}\n"


def any_order(count: int, inside: str, before: str = "", gives: str = "", behind: str = "") -> str:
    """An op nobody described, of whose regions any may follow on any.

    Args:
        inside: what is in each. `before`: what is before it, for each. `behind`: what is behind it.
        gives: the type of its result.
    """
    regions = ", ".join(f"{{\n{inside.format(number)}  }}" for number in range(count))
    made = "".join(before.format(number) for number in range(count))
    result = "%r = " if gives else ""
    return (
        f"func.func @f(%c: i1, %x: f32, %i: index) {{\n{made}"
        f'  {result}"nobody.knows"() ({regions}) : () -> {gives or "()"}\n{behind}  return\n}}\n'
    )


def freed_before(count: int) -> str:
    """Each region frees a buffer that was made before."""
    return any_order(count, _FREED + _ENDS, _MADE)


def given(count: int) -> str:
    """Any of the regions gives the buffer that is made in it."""
    return any_order(count, _MADE + _GIVES, gives=T, behind=f"  memref.dealloc %r : {T}\n")


SHAPES: Mapping[str, Callable[[int], str]] = {
    "freed before": freed_before,
    "given": given,
    "given, made before": lambda count: any_order(count, _GIVES, _MADE, T, f"  memref.store %x, %r[%i] : {T}\n"),
    "made and freed": lambda count: any_order(count, _MADE + _FREED + _ENDS),
    "lost": lambda count: any_order(count, _MADE + _ENDS),
    "freed on some path": lambda count: any_order(count, _MADE + _BLOCKS + _ENDS),
    "made before, freed on some path": lambda count: any_order(count, _BLOCKS + _ENDS, _MADE),
    "never executed": lambda count: any_order(count, _NEVER),
    "taken": lambda count: any_order(count, _TAKEN + _ENDS, _MADE),
    "flags": lambda count: any_order(
        count, '    "nobody.ends"(%c) : (i1) -> ()\n', _MADE, "i1", f"  scf.if %r {{\n{_FREED.format(0)}  }}\n"
    ),
}  # fmt: skip


def _told(one: Finding) -> tuple[str, Severity, Certainty, int]:
    return one.rule.name, one.severity, one.report.certainty, one.report.span.start


@pytest.mark.parametrize("shape", SHAPES)
def test_a_place_between_changes_nothing(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SHAPES[shape](4)
    direct = check(text).findings
    monkeypatch.setattr("memlane.flow.cfg.region_dispatch.MAX_DIRECT_REGIONS", 1)
    assert [*map(_told, check(text).findings)] == [*map(_told, direct)]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_edits_beside_such_a_place(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions in which nothing has happened are looked at where something does."""
    monkeypatch.setattr("memlane.flow.cfg.region_dispatch.MAX_DIRECT_REGIONS", 1)
    edit_on(SHAPES[shape](3), random.Random(shape).randrange(100), 12)


def test_edits_of_what_is_never_executed_in_a_region() -> None:
    """An edit that leaves where control goes as it is."""
    document, checker = Document(any_order(20, _NEVER), CONFIG.models), Checker()
    assert "late-free" not in {one.rule.name for one in checker.findings(document, CONFIG)}
    for old, new in (("%z5 = arith.addf", "%z5 = arith.mulf"), ("%z7 = arith.addf %x, %x : f32", "")):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


@pytest.mark.slow
def test_what_is_made_in_one_region_has_no_name_in_the_next() -> None:
    """One that is left by another region than its own is lost; what each of them gives is freed behind."""
    findings = [one for one in check(given(40)).findings if one.rule.name != "unknown-effects"]
    assert {(one.rule.name, one.report.certainty) for one in findings} == {("possible-leak", Certainty.SOME)}
    assert len(findings) == 40
