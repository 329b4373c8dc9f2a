"""Buffers that are not followed because there is nothing to say: following them all the same finds nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.flow import ownership
from memlane.flow.alias import Cluster
from memlane.flow.graph import Graph
from memlane.flow.straight import uneventful

LINES = [
    "%{a} = memref.alloc() : memref<4xf32>",
    "memref.store %x, %{a}[%i] : memref<4xf32>",
    "%{v} = memref.load %{a}[%i] : memref<4xf32>",
    "memref.copy %{a}, %{b} : memref<4xf32> to memref<4xf32>",
    "linalg.fill ins(%x : f32) outs(%{a} : memref<4xf32>)",
    "%{v} = memref.subview %{a}[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>",
    "%{v} = memref.cast %{a} : memref<4xf32> to memref<?xf32>",
    '"npu.run"(%{a}) : (memref<4xf32>) -> ()',
    "%{v} = arith.addf %x, %x : f32",
    "memref.dealloc %{a} : memref<4xf32>",
    "memref.dealloc %{a} : memref<4xf32>",
]


def programs(seed: int) -> str:
    """Statements about few buffers, in any order after their allocations, in blocks that may be skipped."""
    choose = random.Random(seed)
    body = ["%p = memref.alloc() : memref<4xf32>", "%q = memref.alloc() : memref<4xf32>"]
    for number in range(choose.randrange(2, 12)):
        line = choose.choice(LINES[1:])
        body.append(line.format(a=choose.choice("pq"), b=choose.choice("pq"), v=f"v{number}"))
    body += [f"memref.dealloc %{name} : memref<4xf32>" for name in "pq" if choose.random() < 0.5]
    inside = "\n".join(body)
    around = choose.choice(["{}", "scf.if %c {{\n{}\n}}", "cf.cond_br %c, ^a, ^b\n^a:\n{}\ncf.br ^b\n^b:"])
    return f"func.func @f(%x: f32, %i: index, %c: i1) {{\n{around.format(inside)}\nreturn\n}}\n"


class Both:
    """Checks with and without looking for such buffers, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = 0
        self._monkeypatch = monkeypatch

    def agree(self, source: str) -> None:
        """Both find the same."""
        self._monkeypatch.setattr(ownership, "uneventful", self._counted)
        quick = check(source).findings
        self._monkeypatch.setattr(ownership, "uneventful", _never)
        assert quick == check(source).findings, source

    def _counted(self, graph: Graph, cluster: Cluster) -> bool:
        found = uneventful(graph, cluster)
        self.found += found
        return found


def _never(graph: Graph, cluster: Cluster) -> bool:
    return False


def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(monkeypatch)
    for seed in range(120):
        both.agree(programs(seed))
    assert both.found > 5


@pytest.mark.slow
def test_cases(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted((shared / "cases").glob("*/*.mlir"))
    if not paths:
        pytest.skip("no cases in the shared material")
    both = Both(monkeypatch)
    for path in paths[::6]:
        both.agree(path.read_text(encoding="utf-8"))
