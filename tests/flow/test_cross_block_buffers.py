"""Buffers that one block allocates and another frees: the fast path agrees with the explorer."""

from __future__ import annotations

import random
from functools import partial

import pytest

from memlane.checking import check
from memlane.flow import function_facts
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.cross_block import Ways, settled_across
from memlane.flow.fastpath.single_block import Lends
from memlane.syntax.tree.tree import Region
from tests.hostile.growth import power
from tests.hostile.shapes import stages

M = "memref<4xf32>"
INSIDE = [
    f"memref.store %x, %{{a}}[%i] : {M}",
    f"linalg.fill ins(%x : f32) outs(%{{a}} : {M})",
    f"%{{v}} = memref.load %{{a}}[%i] : {M}",
    f"scf.if %d {{{{\nmemref.store %x, %{{a}}[%i] : {M}\n}}}}",
    f"scf.for %k{{v}} = %c0 to %c4 step %c1 {{{{\nmemref.store %x, %{{a}}[%i] : {M}\n}}}}",
    "%{v} = arith.addf %x, %x : f32",
    f"%{{v}} = memref.cast %{{a}} : {M} to memref<?xf32>",
    f'"npu.run"(%{{a}}) : ({M}) -> ()',
]
ENDS = ["cf.br ^b{0}", "cf.cond_br %c, ^b{0}, ^b{1}", "cf.cond_br %d, ^b{0}, ^b{1}", "cf.cond_br %no, ^b{0}, ^b{1}"]


def programs(seed: int) -> str:
    """Blocks in any order of control, in which two buffers are made, used and freed, mostly as it should be."""
    choose = random.Random(seed)
    count = choose.randrange(2, 6)
    blocks: list[list[str]] = []
    made, freed = sorted(choose.choices(range(count), k=2))
    for number in range(count):
        lines: list[str] = []
        if number == made:
            lines += [f"%{a} = memref.alloc() : {M}" for a in "pq"]
            if choose.random() < 0.6:
                lines += [f"linalg.fill ins(%x : f32) outs(%{a} : {M})" for a in "pq"]
        for n in range(choose.randrange(0, 3)):
            if made <= number <= freed or choose.random() < 0.05:
                lines.append(choose.choice(INSIDE).format(a=choose.choice("pq"), v=f"v{number}_{n}"))
        if number == freed:
            lines += [f"memref.dealloc %{a} : {M}" for a in "pq"]
        nexts = [min(count, number + 1), choose.randrange(1, count + 1)]
        choose.shuffle(nexts)
        end = choose.choice(ENDS).format(*nexts) if choose.random() < 0.7 else f"cf.br ^b{number + 1}"
        blocks.append([*lines, end])
    body = "\n".join(f"^b{number}:\n" + "\n".join(lines) for number, lines in enumerate(blocks))
    constants = "".join(f"%c{number} = arith.constant {number} : index\n" for number in (0, 1, 4))
    head = f"func.func @f(%x: f32, %i: index, %c: i1, %d: i1) {{\n%no = arith.constant false\n{constants}cf.br ^b0\n"
    return f"{head}{body}\n^b{count}:\nreturn\n}}\n"


class Both:
    """Checks with and without looking for such buffers, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = 0
        self._monkeypatch = monkeypatch

    def agree(self, source: str) -> None:
        """Both find the same."""
        self._monkeypatch.setattr(function_facts, "settled_across", self._counted)
        quick = check(source).findings
        self._monkeypatch.setattr(function_facts, "settled_across", _never)
        assert quick == check(source).findings, source

    def _counted(self, graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends) -> bool:
        found = settled_across(graph, cluster, known, lends)
        self.found += found
        return found


def _never(graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends) -> bool:
    return False


@pytest.mark.slow
def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Both(monkeypatch)
    for seed in range(400):
        both.agree(programs(seed))
    assert both.found > 40


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_many_buffers_in_many_blocks() -> None:
    """Following each buffer through all blocks would be a square."""
    assert power(lambda size: partial(check, stages(size)), 40) < 1.2
