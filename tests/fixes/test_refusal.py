"""Where a finding has no safe fix, it is told why."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.fixes import Fixer, fix_all, refusal

T = "memref<4xf32>"


def refusals(source: str, config: Config) -> dict[str, str]:
    """By rule, why the findings have no safe fix."""
    checked = check(source, config)
    fixer = Fixer(checked, config)
    return {finding.rule.name: refusal(fixer, finding) for finding in checked.findings}


def test_what_has_a_safe_fix_needs_no_reason() -> None:
    assert refusals(f"func.func @f() {{\n  %a = memref.alloc() : {T}\n  return\n}}\n", Config()) == {"leak": ""}


def test_what_needs_a_look() -> None:
    source = f'func.func @f() {{\n  %a = memref.alloc() : {T}\n  "who.knows"(%a) : ({T}) -> ()\n  return\n}}\n'
    reason = refusals(source, Config())["possible-leak"]
    assert reason.startswith("its fix is unsafe: an unknown operation takes the buffer")


def test_what_a_call_may_give_back() -> None:
    """What is called may give the buffer that it is passed, which others free."""
    source = f"""func.func private @same(%m: {T}) -> {T} {{
  return %m : {T}
}}
func.func @f(%c: i1, %g: ({T}) -> {T}) {{
  %a = memref.alloc() : {T}
  %same = func.constant @same : ({T}) -> {T}
  %f = arith.select %c, %same, %g : ({T}) -> {T}
  %x = func.call_indirect %f(%a) : ({T}) -> {T}
  memref.dealloc %a : {T}
  return
}}
"""
    reason = refusals(source, Config())["possible-leak"]
    assert reason.startswith("its fix is unsafe: it is unknown which function is called")
    assert fix_all(source) == source


def test_public_functions_keep_their_type() -> None:
    """Whether the result of `@pick` is the caller's would be told by one more result, which others do not expect."""
    source = f"""func.func private @cond() -> i1
func.func @pick(%x: {T}) -> {T} {{
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}
func.func @f(%x: {T}) {{
  %r = func.call @pick(%x) : ({T}) -> {T}
  return
}}
"""
    found = refusals(source, Config())
    reason = (
        "the caller owns the result of @pick on some paths only, and not all callers can take a flag that says so, or "
        "too many functions would have to return one"
    )
    assert [why for rule, why in found.items() if rule.endswith("leak")] == [reason]
    private = source.replace("func.func @pick", "func.func private @pick")
    assert "" in [why for rule, why in refusals(private, Config()).items() if rule.endswith("leak")]


def test_kinds_that_are_not_repaired() -> None:
    source = f"func.func @f(%x: {T}) -> {T} {{\n  return %x : {T}\n}}\n"
    assert refusals(source, Config()) == {"borrowed-return": "no fix is known for findings of this kind"}


def test_pointers_are_not_freed_as_memrefs() -> None:
    source = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @take(%n: i64) -> !llvm.ptr {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %p : !llvm.ptr
}
llvm.func @give(%p: !llvm.ptr) {
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @use(%n: i64) {
  %p = llvm.call @take(%n) : (i64) -> !llvm.ptr
  llvm.call @give(%p) : (!llvm.ptr) -> ()
  llvm.return
}
"""
    assert refusals(source, Config())
    assert "memref" not in fix_all(source, Config(), unsafe=True)


@pytest.mark.parametrize("after", ["%v = memref.load %a[%c0] : {T}", "memref.dealloc %a : {T}"])
def test_what_is_kept_in_memory_is_freed_where_it_was(after: str) -> None:
    """Nothing is owed for a buffer that somebody else may free; what the program frees must stay freed."""
    source = f"""func.func @f(%box: memref<1x{T}>) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : {T}
  memref.store %zero, %a[%c0] : {T}
  memref.store %a, %box[%c0] : memref<1x{T}>
  memref.dealloc %a : {T}
  {after.format(T=T)}
  return
}}
"""
    (reason,) = refusals(source, Config()).values()
    assert reason.startswith("the buffer is kept in memory")
    assert fix_all(source, unsafe=True) == source


def test_what_an_earlier_round_has_put_in_a_container_is_not_freed() -> None:
    """The next round may find it there: what is told is why there is no place, not what happens to deallocations."""
    source = f"""func.func @f(%k: index, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloca() : memref<2x{T}>
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.alloc() : {T}
    %b = memref.alloc() : {T}
    memref.store %a, %all[%c0] : memref<2x{T}>
    memref.store %b, %all[%i] : memref<2x{T}>
    %x = memref.load %all[%k] : memref<2x{T}>
    %z = memref.load %x[%c0] : {T}
  }}
  return
}}
"""
    reason = "the buffer is kept in memory, where it may be used without being named here: no place is known behind"
    reason += " all uses"
    assert refusals(source, Config()) == {"leak": reason}
    assert fix_all(source, unsafe=True) == source


def test_what_nobody_waits_for_is_said() -> None:
    source = f"""func.func @f(%n: index, %b: {T}) {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : {T}
  %t = memref.alloc() : memref<1xi32>
  memref.dma_start %b[%c0], %a[%c0], %n, %t[%c0] : {T}, {T}, memref<1xi32>
  return
}}
"""
    reason = "nothing here waits for the work started on the buffer: it may go on until the end"
    assert refusals(source, Config()) == {"possible-leak": reason}


def test_nothing_is_freed_while_somebody_may_work_on_it() -> None:
    """Which token stands for the work behind the branch is not followed: right behind it would be too early."""
    source = f"""func.func @f(%c: i1, %x: f32) {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : {T}
  %token = scf.if %c -> !async.token {{
    %work = async.execute {{
      memref.store %x, %a[%c0] : {T}
      async.yield
    }}
    scf.yield %work : !async.token
  }} else {{
    %none = async.execute {{
      async.yield
    }}
    scf.yield %none : !async.token
  }}
  async.await %token : !async.token
  return
}}
"""
    assert set(refusals(source, Config())) == {"possible-leak"}
    assert fix_all(source, unsafe=True) == source


def test_which_deallocation_goes_is_a_guess_where_nobody_described_the_alias() -> None:
    source = f"""func.func @f() {{
  %a = memref.alloc() : {T}
  %b = "who.knows"(%a) : ({T}) -> {T}
  memref.dealloc %b : {T}
  memref.dealloc %a : {T}
  return
}}
"""
    assert refusals(source, Config())["possible-double-free"].startswith("its fix is unsafe")
    assert fix_all(source) == source
