"""Aliases of types and attributes: operations have the types that are meant, after any edit."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.syntax.tree.aliases import meant, resolved
from tests.flow.test_incremental import Bench, random_edits

PROGRAM = """\
#local = 3 : i32
!element = f32
!buffer = memref<16x!element>
!local = memref<4x4xf32, #local>
func.func private @drop(%a: !buffer) {
  memref.dealloc %a : !buffer
  return
}
func.func @lost(%x: f32, %i: index) {
  %a = memref.alloc() : !buffer
  memref.store %x, %a[%i] : !buffer
  %b = memref.alloc() : !local
  %c = memref.alloc() : !local
  memref.dealloc %c : !local
  return
}
func.func @twice() {
  %a = memref.alloc() : !buffer
  call @drop(%a) : (!buffer) -> ()
  call @drop(%a) : (!buffer) -> ()
  return
}
"""


def sizes(bench: Bench) -> list[int | None]:
    found = (one.report.buffer for one in bench.compare() if one.rule.name == "leak")
    return [buffer.size if buffer is not None else None for buffer in found]


def test_what_an_alias_stands_for_may_change() -> None:
    bench = Bench(PROGRAM)
    assert sizes(bench) == [64, 64]
    bench.replace("element = f32", "element = f64")
    assert sizes(bench) == [128, 64]
    bench.replace("16x!element", "8x!element")
    assert sizes(bench) == [64, 64]
    bench.replace("!local = memref<4x4xf32, #local>\n", "")
    assert sizes(bench) == [64, None]
    bench.edit(0, 0, "!local = memref<2xf32>\n")
    assert sizes(bench) == [64, 8]
    bench.replace("%a: !buffer", "%a: !local")


def test_an_edit_after_an_alias_was_changed_and_changed_back() -> None:
    """What was built in between is not put right: it has other types."""
    bench = Bench(PROGRAM)
    bench.replace("memref.store %x", "memref.store  %x")
    bench.replace("element = f32", "element = f64")
    bench.replace("memref.store  %x", "memref.store %x")
    bench.replace("memref.store %x", "memref.store  %x")
    bench.replace("element = f64", "element = f32")
    bench.replace("memref.store  %x, %a[%i] : !buffer\n", "")
    assert sizes(bench) == [64, 64]


def test_each_chunk_has_its_own() -> None:
    both = PROGRAM + "// -----\n" + PROGRAM.replace("16x", "32x")
    found = [one.report.buffer for one in check(both).findings if one.rule.name == "leak"]
    assert [str(one.size) for one in found if one is not None] == ["64", "64", "128", "64"]


def test_aliases_of_aliases() -> None:
    aliases = resolved([("!a", "f32"), ("!b", "vector<4x!a>"), ("#m", "3 : i32"), ("!c", "memref<2x!b, #m>")])
    assert meant("(!c, !a) -> !dialect.type<!b>", aliases) == (
        "(memref<2xvector<4xf32>, 3 : i32>, f32) -> !dialect.type<vector<4xf32>>"
    )
    assert meant("!ab, !a.b, !a", aliases) == "!ab, !a.b, f32"


def test_aliases_that_double_do_not_explode() -> None:
    """Each names the one before it twice."""
    lines = ["!t0 = tuple<i1, i1>", *(f"!t{n} = tuple<!t{n - 1}, !t{n - 1}>" for n in range(1, 60))]
    source = "\n".join(lines) + "\nfunc.func @f(%a: !t59) {\n  return\n}\n"
    assert not check(source).findings
    itself = "!a = tuple<!a, !a>\nfunc.func @f(%a: !a) {\n  return\n}\n"
    assert not check(itself, Config()).findings


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_edits(seed: int) -> None:
    bench = Bench(PROGRAM)
    for start, end, content in random_edits(PROGRAM, 60, seed):
        bench.edit(start, end, content)
