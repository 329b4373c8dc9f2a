"""Deallocations of custom dialects, and of buffers that functions hand out."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config, load_config
from memlane.fixes import Fixer, fix_all, refusal

T = "!my.buf<?xf32>"
ALLOC = """[resource.pool]
alloc = "my.alloc"
free = "my.free"
[op."my.alloc"]
alloc = [{ result = 0, resource = "pool", filled = true }]
[op."my.use"]
read = [0]
[op."my.box"]
view = [{ result = 0, of = 0, kind = "whole" }]
[op."my.free"]
free = [{ operand = 0, resource = "pool" }]
"""
ONE, TWO = '[op."my.free"]\noperands = ["buffer"]\n', '[op."my.free"]\noperands = ["buffer", "size"]\n'


@pytest.fixture
def described(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """The operations above."""
    return _config(tmp_path_factory, ALLOC)


def _config(folders: pytest.TempPathFactory, toml: str) -> Config:
    path = folders.mktemp("own") / "memlane.toml"
    path.write_text(toml)
    config, problems = load_config(path)
    assert problems == ()
    return config


def body(*lines: str) -> str:
    """A function with these statements."""
    inner = "".join(f"  {line}\n" for line in lines)
    return f"func.func @f(%n: index, %c: i1) {{\n{inner}  return\n}}\n"


def refusals(source: str, config: Config) -> dict[str, str]:
    """By rule, why the findings have no safe fix."""
    checked = check(source, config)
    fixer = Fixer(checked, config)
    return {finding.rule.name: refusal(fixer, finding) for finding in checked.findings}


def test_the_type_is_told_where_the_buffer_is_used(described: Config) -> None:
    """`fir.allocmem f32` is written like that."""
    alloc, use = "%a = my.alloc f32, %n", "my.use %a : !my.heap<f32>"
    free = '"my.free"(%a) : (!my.heap<f32>) -> ()'
    assert fix_all(body(alloc, use), described) == body(alloc, use, free)
    assert refusals(body(alloc), described) == {"leak": "the type of the buffer is not in the text"}


def test_a_value_of_another_kind_is_not_freed(described: Config) -> None:
    """What frees a buffer takes no box of it: what comes out of one does."""
    made = [
        f"%a = my.alloc %n : {T}",
        f"%b = my.box %a : ({T}) -> !my.box<{T}>",
        f"%r = scf.if %c -> (!my.box<{T}>) {{",
        f"  scf.yield %b : !my.box<{T}>",
        "} else {",
        f"  %d = my.alloc %n : {T}",
        f"  %e = my.box %d : ({T}) -> !my.box<{T}>",
        f"  scf.yield %e : !my.box<{T}>",
        "}",
        f"my.use %r : !my.box<{T}>",
    ]
    assert f"(!my.box<{T}>) -> ()" not in fix_all(body(*made), described)
    out = f"%q = my.box %r : (!my.box<{T}>) -> {T}"
    assert f'"my.free"(%q) : ({T}) -> ()' in fix_all(body(*made, out, f"my.use %q : {T}"), described)


def test_what_takes_more_than_the_buffer_is_not_made_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = body(f"%a = my.alloc %n : {T}", f"my.use %a : {T}")
    takes_more = _config(tmp_path_factory, ALLOC.replace('[op."my.free"]\n', TWO))
    assert fix_all(source, takes_more) == source
    reason = "the operation that frees this kind of buffer is declared with more operands or results than the buffer"
    assert refusals(source, takes_more) == {"leak": reason}
    gives = _config(tmp_path_factory, ALLOC.replace('[op."my.free"]\n', '[op."my.free"]\ntoken = 0\n'))
    assert fix_all(source, gives) == source
    takes_one = _config(tmp_path_factory, ALLOC.replace('[op."my.free"]\n', ONE))
    assert f'"my.free"(%a) : ({T}) -> ()' in fix_all(source, takes_one)
    # Nor where only the text shows it.
    more = source.replace("%a", "%b").replace("@f", "@g")[: -len("  return\n}\n")]
    both = body(f"%a = my.alloc %n : {T}", f"%b = my.alloc %n : {T}", f"my.free %b, %n : {T}")
    assert fix_all(both, takes_one) == both and more


def test_what_moves_stays_as_it_is_written(described: Config) -> None:
    """Its other operands, its form and its comment; not where one of those operands is not there yet."""
    start, free = [f"%a = my.alloc %n : {T}", f"my.use %a : {T}"], f"my.free %a, %n : {T} // done"
    work = ["%s = arith.addi %n, %n : index", "%t = arith.muli %s, %n : index"]
    assert fix_all(body(*start, *work, free), described) == body(*start, free, *work)
    late = body(*start, *work, f"my.free %a, %s : {T}")
    assert f"my.free %a, %s : {T}" in fix_all(late, described) and '"my.free"' not in fix_all(late, described)


def test_calls_take_the_type_that_is_declared(tmp_path_factory: pytest.TempPathFactory) -> None:
    toml = """[op."my.call"]
call = true
[op."my.cast"]
view = [{ result = 0, of = 0, kind = "whole" }]
[op."my.use"]
read = [0]
[resource.c]
free = "my.call @release"
[function.obtain]
alloc = [{ result = 0, resource = "c", filled = true }]
[function.release]
free = [{ operand = 0, resource = "c" }]
"""
    config = _config(tmp_path_factory, toml)
    lines = ["%a = my.call @obtain() : () -> !my.ptr<void>", "%b = my.cast %a : !my.ptr<void> -> !my.ptr<f32>"]
    fixed = fix_all(body(*lines, "my.use %b : !my.ptr<f32>"), config)
    assert "my.call @release(%a) : (!my.ptr<void>) -> ()" in fixed


MAKE = """func.func private @make() -> memref<4xf32> {
  %a = gpu.alloc () : memref<4xf32>
  return %a : memref<4xf32>
}
"""


def test_what_functions_hand_out_goes_back_to_where_it_is_from() -> None:
    """It was given to `memref.dealloc`, also where the program had done right."""
    call = "%a = func.call @make() : () -> memref<4xf32>"
    right = MAKE + body(call, "gpu.dealloc %a : memref<4xf32>")
    assert fix_all(MAKE + body(call)) == right
    some = body(call, "scf.if %c {", "  gpu.dealloc %a : memref<4xf32>", "}")
    assert fix_all(MAKE + some) == right
    declared = "func.func private @make() -> memref<4xf32>\n"
    assert fix_all(declared + some) == declared + body(call, "gpu.dealloc %a : memref<4xf32>")


def test_what_may_come_from_two_allocators_is_not_freed() -> None:
    make = """func.func private @make(%c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = gpu.alloc () : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}
"""
    source = make + body("%a = func.call @make(%c) : (i1) -> memref<4xf32>")
    assert fix_all(source) == source
