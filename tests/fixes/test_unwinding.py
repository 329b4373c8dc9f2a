"""Calls that may throw: nothing is put before a landing pad, and what a call did not give is not freed there."""

from __future__ import annotations

import pytest

from memlane.fixes import fix_all

DECLARED = """\
llvm.func @__gxx_personality_v0(...) -> i32
llvm.func @may_throw()
llvm.func @_Znwm(i64) -> !llvm.ptr
llvm.func @_ZdlPv(!llvm.ptr)
"""
HEAD = "llvm.func @f(%n: i64) attributes {personality = @__gxx_personality_v0} {\n"
PAD = "^lp:\n  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n"
MADE = "  %p = llvm.call @_Znwm(%n) : (i64) -> !llvm.ptr\n"
THROWS = "  llvm.invoke @may_throw() to ^ok unwind ^lp : () -> ()\n"
USED = "  llvm.store %n, %p : i64, !llvm.ptr\n"
FREED = "  llvm.call @_ZdlPv(%p) : (!llvm.ptr) -> ()\n"
RESUMED = "  llvm.resume %1 : !llvm.struct<(ptr, i32)>\n}\n"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "  %p = llvm.invoke @_Znwm(%n) to ^ok unwind ^lp : (i64) -> !llvm.ptr\n^ok:\n  llvm.return\n",
            id="made by it",
        ),
        pytest.param(f"{MADE}{THROWS}^ok:\n{USED}{FREED}  llvm.return\n", id="made before it"),
    ],
)
def test_nothing_stands_before_a_landing_pad(body: str) -> None:
    source = f"{DECLARED}{HEAD}{body}{PAD}{RESUMED}"
    assert fix_all(source) == source


def test_what_is_dead_is_freed_before_the_call() -> None:
    rest = f"{THROWS}^ok:\n  llvm.return\n{PAD}{RESUMED}"
    assert fix_all(f"{DECLARED}{HEAD}{MADE}{rest}") == f"{DECLARED}{HEAD}{MADE}{FREED}{rest}"


def test_what_is_freed_only_where_nothing_is_thrown_is_freed_before() -> None:
    """Else it is lost where the exception goes on."""
    found = fix_all(f"{DECLARED}{HEAD}{MADE}{THROWS}^ok:\n{FREED}  llvm.return\n{PAD}{RESUMED}")
    assert found == f"{DECLARED}{HEAD}{MADE}{FREED}{THROWS}^ok:\n  llvm.return\n{PAD}{RESUMED}"


def test_a_call_that_ends_its_block_stays() -> None:
    freed = "  llvm.invoke @_ZdlPv(%p) to ^ok unwind ^lp : (!llvm.ptr) -> ()\n"
    rest = f"^ok:\n  llvm.return\n{PAD}"
    source = f"{DECLARED}{HEAD}{MADE}{freed}{rest}"
    assert fix_all(f"{source}{FREED}{RESUMED}") == f"{source}{RESUMED}"
    again = f"{DECLARED}{HEAD}{MADE}{FREED}{freed}{rest}{RESUMED}"
    assert freed in fix_all(again)
