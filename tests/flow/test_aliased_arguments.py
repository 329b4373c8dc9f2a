"""Arguments that are one buffer: edits of those who free them and of those who pass them, and too many paths."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from memlane.findings import Finding
from tests.effort import some
from tests.flow.test_incremental import Bench
from tests.flow.test_path_insensitive import compared

PROGRAM = """\
func.func @both(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
func.func @through(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @both(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @caller() {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  call @through(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %y : memref<4xf32>
  return
}
"""
LITERATE = Path(__file__).parents[1] / "rules" / "passed_twice.mlir"


def where(findings: tuple[Finding, ...]) -> list[tuple[str | None, str]]:
    """Function and rule of what is freed twice."""
    return [(one.function, one.rule.name) for one in findings if one.rule.name.endswith("double-free")]


def test_whoever_is_edited_decides() -> None:
    bench = Bench(PROGRAM)
    assert where(bench.compare()) == [("caller", "double-free")]
    assert where(bench.replace("func.func @both", "\n\nfunc.func @both")) == [("caller", "double-free")]
    assert where(bench.replace("  memref.dealloc %b : memref<4xf32>\n", "")) == []
    assert where(bench.replace("  return", "  memref.dealloc %b : memref<4xf32>\n  return")) != []
    assert where(bench.replace("@through(%x, %x)", "@through(%x, %y)")) == [("caller", "double-free")]  # %y
    assert where(bench.replace("@through(%x, %y)", "@through(%y, %y)")) == [("caller", "double-free")] * 2


def test_where_it_is_told_depends_on_who_may_call() -> None:
    bench = Bench(PROGRAM.replace("@both(%a", "private @both(%a").replace("@through(%x", "@both(%x"))
    assert where(bench.compare()) == [("both", "possible-double-free")]  # for another call passes two
    assert where(bench.replace("private ", "")) == [("caller", "double-free")]
    assert where(bench.replace("@both(%a", "private @both(%a")) == [("both", "possible-double-free")]


def test_called_with_many_pairs() -> None:
    """Each pair of five arguments is one buffer in some call: all frees but the first are perhaps second ones."""
    kind, freed = "memref<4xf32>", "vwxyz"
    source = f"func.func private @all({', '.join(f'%{name}: {kind}' for name in freed)}) {{\n"
    source += "".join(f"  memref.dealloc %{name} : {kind}\n" for name in freed) + "  return\n}\n"
    for one, other in itertools.combinations(range(5), 2):
        names = [f"%b{one if at == other else at}" for at in range(5)]
        source += f"func.func @f{one}{other}() {{\n"
        source += "".join(f"  {name} = memref.alloc() : {kind}\n" for name in dict.fromkeys(names))
        source += f"  call @all({', '.join(names)}) : ({', '.join([kind] * 5)}) -> ()\n  return\n}}\n"
    assert where(Bench(source).compare()) == [("all", "possible-double-free")] * 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 1))
def test_what_is_public_comes_and_goes(seed: int) -> None:
    bench, choose = Bench(LITERATE.read_text(encoding="utf-8")), random.Random(seed)
    for _ in range(12):
        lines = bench.document.source.split("\n")
        at = choose.choice([number for number, line in enumerate(lines) if line.strip()])
        old = lines[at]
        if old.startswith("func.func private"):
            new = old.replace("private ", "")
        elif old.startswith("func.func"):
            new = old.replace("func.func", "func.func private")
        else:
            new = choose.choice(["", old + "\n" + old, old.replace("%b", "%a"), old.replace("%y", "%x")])
        start = sum(len(line) + 1 for line in lines[:at])
        bench.edit(start, start + len(old), new)


@pytest.mark.slow
def test_all_paths_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where paths are too many to follow, nothing is missed, and nothing is certain that is not."""
    compared(LITERATE.read_text(encoding="utf-8"), monkeypatch, ends=True)
