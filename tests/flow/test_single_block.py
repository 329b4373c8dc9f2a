"""Buffers of one block: the fast path agrees with the explorer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.flow import function_facts
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.single_block import Lends, Settled, settled
from tests.hostile.growth import PHASES, Work, power

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
AROUND = [
    "scf.for %k{n} = %c0 to %c4 step %c1 {{\n{body}\n}}",
    "scf.for %k{n} = %c4 to %c0 step %c1 {{\n{body}\n}}",
    "scf.for %k{n} = %c0 to %i step %c1 {{\n{body}\n}}",
    "scf.for %k{n} = %i to %c4 step %c1 {{\n{body}\n}}",
    "scf.for %k{n} = %c0 to %i step %c1 {{\nscf.for %l{n} = %c0 to %k{n} step %c1 {{\n{body}\n}}\n}}",
    "scf.for %k{n} = %c0 to %i step %c1 {{\nscf.for %l{n} = %c0 to %j step %c1 {{\n{body}\n}}\n}}",
    "scf.if %c {{\n{body}\n}}",
    "scf.if %no {{\n{body}\n}}",
    "scf.if %c {{\n{body}\n}} else {{\n{body2}\n}}",
    "affine.for %k{n} = 0 to 4 {{\n{body}\n}}",
    "scf.parallel (%k{n}) = (%c0) to (%c4) step (%c1) {{\n{body}\n}}",
    "scf.execute_region {{\n{body}\ncf.br ^e\n^e:\nscf.yield\n}}",
    "memref.alloca_scope {{\n{body}\n}}",
    '"npu.regions"() ({{\n{body}\n}}) : () -> ()',
]
"""Regions: some run for sure, some perhaps, some never."""


def nested_programs(seed: int) -> str:
    """The same, with uses in regions of the block, which may stand in regions themselves."""
    choose = random.Random(seed)

    def statements(depth: int, most: int) -> str:
        found: list[str] = []
        for _ in range(choose.randrange(0 if depth < 2 else 1, most)):
            names[0] += 1
            if depth and choose.random() < 0.5:
                around = choose.choice(AROUND)
                inner = [statements(depth - 1, 3) for _ in range(2)]
                found.append(around.format(n=names[0], body=inner[0], body2=inner[1]))
            else:
                line = choose.choice(LINES[1:-2])
                found.append(line.format(a=choose.choice("pq"), b=choose.choice("pq"), v=f"v{names[0]}"))
        return "\n".join(found)

    names = [0]
    made = "%p = memref.alloc() : memref<4xf32>\n%q = memref.alloc() : memref<4xf32>"
    if choose.random() < 0.7:
        made += "\nlinalg.fill ins(%x : f32) outs(%p : memref<4xf32>)"
    frees = "\n".join(f"memref.dealloc %{name} : memref<4xf32>" for name in "pq")
    body = f"{made}\n{statements(2, 6)}\n{frees}"
    if choose.random() < 0.2:
        handed = choose.choice(("%p", "%q", "%p, %p", "%p, %q"))
        types = ", ".join("memref<4xf32>" for _ in handed.split(","))
        body = body.removesuffix("memref.dealloc %q : memref<4xf32>")
        head = f"func.func @f(%x: f32, %i: index, %c: i1) -> ({types})"
        return f"{head} {{\n{_constants()}{body}\nreturn {handed} : {types}\n}}\n"
    for _ in range(choose.choice((0, 0, 0, 1, 2))):
        names[0] += 1
        body = choose.choice(AROUND).format(n=names[0], body=body, body2="")
    return f"func.func @f(%x: f32, %i: index, %c: i1) {{\n{_constants()}{body}\nreturn\n}}\n"


def _constants() -> str:
    numbers = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 4))
    return f"{numbers}%no = arith.constant false\n%j = arith.addi %i, %c1 : index\n"


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
        self._monkeypatch.setattr(function_facts, "settled", self._counted)
        quick = check(source).findings
        self._monkeypatch.setattr(function_facts, "settled", _never)
        assert quick == check(source).findings, source

    def _counted(self, graph: Graph, cluster: Cluster, lends: Lends) -> Settled:
        found = settled(graph, cluster, lends)
        self.found += found.right
        return found


def _never(graph: Graph, cluster: Cluster, lends: Lends) -> Settled:
    return Settled(right=False)


@pytest.mark.slow
def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(monkeypatch)
    for seed in range(120):
        both.agree(programs(seed))
    assert both.found > 5


@pytest.mark.slow
def test_generated_programs_with_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(monkeypatch)
    for seed in range(150):
        both.agree(nested_programs(seed))
    assert both.found > 10


@pytest.mark.slow
def test_cases(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted((shared / "cases").glob("*/*.mlir"))
    if not paths:
        pytest.skip("no cases in the shared material")
    both = Both(monkeypatch)
    for path in paths[::6]:
        both.agree(path.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_what_is_returned() -> None:
    """A function that returns many buffers does not ask each of all that is returned."""

    def work(count: int) -> Work:
        kind = "memref<4xf32>"
        made = "".join(
            f"  %a{n} = memref.alloc() : {kind}\n  memref.store %x, %a{n}[%i] : {kind}\n" for n in range(count)
        )
        names, kinds = ", ".join(f"%a{n}" for n in range(count)), ", ".join([kind] * count)
        head = f"func.func @f(%x: f32, %i: index) -> ({kinds}) {{\n"
        return PHASES["check"](f"{head}{made}  return {names} : {kinds}\n}}\n")

    assert power(work, 300) < 1.15
