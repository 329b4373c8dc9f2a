"""Which functions a value may be is computed once for all values of a function."""

from __future__ import annotations

from typing import Any

import pytest

from memlane import check
from memlane.findings import Severity
from memlane.flow.cfg.function_pointers import FunctionValues
from memlane.flow.interproc import summary_engine
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.typestate.apply_summary import Invoke

TYPE = "(memref<4xf32>) -> ()"
FUNCTION = f"""func.func private @release(%m: memref<4xf32>) {{
memref.dealloc %m : memref<4xf32>
return
}}
func.func @many(%c: i1) {{
%f = func.constant @release : {TYPE}
cf.cond_br %c, ^b0(%f : {TYPE}), ^b0(%f : {TYPE})
"""


def handed_on(blocks: int) -> str:
    """A function from block to block, each of which calls it."""
    parts = [FUNCTION]
    for number in range(blocks):
        parts.append(f"^b{number}(%f{number}: {TYPE}):\n%m{number} = memref.alloc() : memref<4xf32>\n")
        parts.append(f"func.call_indirect %f{number}(%m{number}) : {TYPE}\n")
        parts.append(f"cf.br ^b{number + 1}(%f{number} : {TYPE})\n")
    return "".join(parts) + f"^b{blocks}(%last: {TYPE}):\nreturn\n}}\n"


def looks(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    """How often it is looked what a value is given."""
    seen: list[object] = []
    given: Any = FunctionValues._given  # pyright: ignore[reportPrivateUsage] -- what is counted

    def counted(self: FunctionValues, value: Any) -> Any:
        seen.append(value)
        return given(self, value)

    with monkeypatch.context() as patch:
        patch.setattr(FunctionValues, "_given", counted)
        assert [finding.rule.name for finding in check(text).findings] == ["argument-free"]
    return len(seen)


def test_each_value_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (looks(monkeypatch, handed_on(blocks)) for blocks in (20, 80))
    assert few <= 3 * 20
    assert many <= 4 * few


def may_be_any(functions: int, calls: int) -> str:
    """Calls in a row, each of one of several functions, each of which frees what it is passed or gives it back."""
    kind = "(memref<4xf32>, i32) -> memref<4xf32>"
    parts: list[str] = []
    for number in range(functions):
        parts.append(f"""func.func private @f{number}(%m: memref<4xf32>, %k: i32) -> memref<4xf32> {{
%n = arith.constant {number} : i32
%c = arith.cmpi eq, %k, %n : i32
%r = scf.if %c -> memref<4xf32> {{
scf.yield %m : memref<4xf32>
}} else {{
%x = memref.alloc() : memref<4xf32>
memref.dealloc %m : memref<4xf32>
scf.yield %x : memref<4xf32>
}}
return %r : memref<4xf32>
}}
""")
    parts.append("func.func @many(%c: i1, %k: i32) {\n%m0 = memref.alloc() : memref<4xf32>\n")
    parts.append(f"%s0 = func.constant @f0 : {kind}\n")
    for number in range(1, functions):
        parts.append(f"%f{number} = func.constant @f{number} : {kind}\n")
        parts.append(f"%s{number} = arith.select %c, %f{number}, %s{number - 1} : {kind}\n")
    for number in range(calls):
        parts.append(f"%m{number + 1} = func.call_indirect %s{functions - 1}(%m{number}, %k) : {kind}\n")
    return "".join(parts) + f"memref.dealloc %m{calls} : memref<4xf32>\nreturn\n}}\n"


def test_many_ways_are_not_gone_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a call does at most is asked where the functions may go too many ways."""
    asked: list[object] = []
    roughly: Any = Inquiry.roughly

    def counted(self: Inquiry, *question: Any) -> Any:
        asked.append(question)
        return roughly(self, *question)

    monkeypatch.setattr(Inquiry, "roughly", counted)
    assert {finding.rule.name for finding in check(may_be_any(16, 8)).findings} == {"argument-free"}
    assert not asked
    monkeypatch.setattr(summary_engine, "MAX_OUTCOMES", 8)
    found = [finding for finding in check(may_be_any(16, 8)).findings if finding.severity is Severity.ERROR]
    assert asked
    assert not found


@pytest.mark.slow
def test_ways_of_several_functions_are_asked_once_for_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were the same ways in another tuple each time, and asked for their conditions again for each state."""
    asked: list[object] = []
    assumed: Any = Invoke._assume  # pyright: ignore[reportPrivateUsage] -- what is counted

    def counted(self: Invoke, *question: Any) -> Any:
        asked.append(question)
        return assumed(self, *question)

    monkeypatch.setattr(Invoke, "_assume", counted)
    check(may_be_any(16, 32))
    assert len(asked) < 32 * 32 * 4
