"""Stack memory that several blocks use: the fast path agrees with the explorer."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from memlane.checking import check
from memlane.flow import function_facts
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.cross_block import Ways, settled_across
from memlane.flow.fastpath.single_block import Lends
from memlane.syntax.tree.tree import Region
from tests.hostile.growth import lines_run

M = "memref<4xf32>"
CALLEES = f"""\
func.func private @reads(%a: {M}, %i: index) {{
%v = memref.load %a[%i] : {M}
return
}}
func.func private @frees(%a: {M}, %i: index) {{
memref.dealloc %a : {M}
return
}}
func.func private @external({M}, index)
"""
INSIDE = [
    *[f"memref.store %x, %{{a}}[%i] : {M}", f"linalg.fill ins(%x : f32) outs(%{{a}} : {M})"] * 3,
    *[f"%{{v}} = memref.load %{{a}}[%i] : {M}", f"func.call @reads(%{{a}}, %i) : ({M}, index) -> ()"] * 3,
    f"func.call @frees(%{{a}}, %i) : ({M}, index) -> ()",
    f"func.call @external(%{{a}}, %i) : ({M}, index) -> ()",
    f"scf.if %d {{{{\nmemref.store %x, %{{a}}[%i] : {M}\n}}}}",
    f"scf.for %k{{v}} = %c0 to %c4 step %c1 {{{{\nmemref.store %x, %{{a}}[%i] : {M}\n}}}}",
    f"memref.alloca_scope {{{{\n%s{{v}} = memref.alloca() : {M}\nmemref.copy %{{a}}, %s{{v}} : {M} to {M}\n}}}}",
    f"%{{v}} = memref.cast %{{a}} : {M} to memref<?xf32>",
    f'"npu.run"(%{{a}}) : ({M}) -> ()',
    f"memref.dealloc %{{a}} : {M}",
]
ENDS = ["cf.br ^b{0}", "cf.cond_br %c, ^b{0}, ^b{1}", "cf.cond_br %d, ^b{0}, ^b{1}", "cf.cond_br %no, ^b{0}, ^b{1}"]


def programs(seed: int) -> str:
    """Blocks in any order of control; one makes memory of the stack, and those behind it use that."""
    choose = random.Random(seed)
    count = choose.randrange(1, 6)
    made = choose.randrange(count)
    blocks: list[list[str]] = []
    for number in range(count):
        lines = [f"%{a} = memref.alloca() : {M}" for a in "pq"] if number == made else []
        for n in range(choose.randrange(3) if number >= made else 0):
            lines.append(choose.choice(INSIDE).format(a=choose.choice("pq"), v=f"v{number}_{n}"))
        low = 0 if number < made else made
        nexts = [min(count, number + 1), choose.randrange(low, count + 1) if number >= made else number + 1]
        choose.shuffle(nexts)
        blocks.append([*lines, choose.choice(ENDS).format(*nexts)])
    body = "\n".join(f"^b{number}:\n" + "\n".join(lines) for number, lines in enumerate(blocks))
    constants = "".join(f"%c{number} = arith.constant {number} : index\n" for number in (0, 1, 4))
    head = f"func.func @f(%x: f32, %i: index, %c: i1, %d: i1) {{\n%no = arith.constant false\n{constants}cf.br ^b0\n"
    return f"{CALLEES}{head}{body}\n^b{count}:\nreturn\n}}\n"


def _never(*_: Any) -> bool:
    return False


@pytest.mark.slow
def test_generated_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[Cluster] = []

    def counted(graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends) -> bool:
        found = settled_across(graph, cluster, known, lends)
        settled.extend([cluster] * found)
        return found

    for seed in range(500):
        source = programs(seed)
        monkeypatch.setattr(function_facts, "settled_across", counted)
        quick = check(source).findings
        monkeypatch.setattr(function_facts, "settled_across", _never)
        assert quick == check(source).findings, source
    assert len(settled) > 100


def nest(count: int) -> str:
    """A row of tiled loops, lowered, each lending memory of the stack that the function has for it."""
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index", "%c7 = arith.constant 7 : index"]
    lines += [f"%a{n} = memref.alloca() : {M}" for n in range(count)]
    lines += ["cf.br ^h0(%c0 : index)"]
    for n in range(count):
        lines += [
            f"^h{n}(%i{n}: index):",
            f"%m{n} = arith.cmpi slt, %i{n}, %n : index",
            f"cf.cond_br %m{n}, ^b{n}, ^h{n + 1}(%c0 : index)",
            f"^b{n}:",
            f"%l{n} = arith.cmpi slt, %i{n}, %c7 : index",
            f"%t{n} = arith.select %l{n}, %c7, %n : index",
            f"cf.br ^k{n}(%c0 : index)",
            f"^k{n}(%j{n}: index):",
            f"%o{n} = arith.cmpi slt, %j{n}, %t{n} : index",
            f"cf.cond_br %o{n}, ^c{n}, ^e{n}",
            f"^c{n}:",
            f"func.call @reads(%a{n}, %j{n}) : ({M}, index) -> ()",
            f"func.call @reads(%a{(n + 1) % count}, %j{n}) : ({M}, index) -> ()",
            f"%q{n} = arith.addi %j{n}, %c1 : index",
            f"cf.br ^k{n}(%q{n} : index)",
            f"^e{n}:",
            f"%r{n} = arith.addi %i{n}, %c1 : index",
            f"cf.br ^h{n}(%r{n} : index)",
        ]
    body = "\n".join(lines)
    return f"{CALLEES}func.func @f(%n: index) {{\n{body}\n^h{count}(%end: index):\nreturn\n}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_tiled_loops() -> None:
    """Which rounds of the loops there are does not matter to what is only lent."""
    check(nest(2))
    small, large = (lines_run(partial(check, nest(count))) for count in (4, 8))
    assert large < 3 * small
    assert [one.rule.name for one in check(nest(8)).findings] == ["argument-free"]  # in what is called
