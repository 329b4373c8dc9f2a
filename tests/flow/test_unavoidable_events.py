"""Leaks that no path avoids are graded without exploration; exploration grades them the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection

import pytest

from memlane.checking import check
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import EventKind, Goal
from memlane.flow.interproc import exploration_result
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.must_violations import unavoidable
from tests.flow.test_single_block import AROUND, nested_programs, programs

M = "memref<4xf32>"
LINES = [
    f"%v{{n}} = memref.load %a[%i] : {M}",
    f"memref.store %x, %a[%i] : {M}",
    f"memref.copy %a, %a : {M} to {M}",
    f"memref.dealloc %a : {M}",
    f"%w{{n}} = memref.cast %a : {M} to memref<?xf32>",
    f'"npu.run"(%a) : ({M}) -> ()',
    f"func.call @reads(%a) : ({M}) -> ()",
    "cf.cond_br %c, ^s{n}, ^t{n}\n^s{n}:\ncf.br ^t{n}\n^t{n}:",
    "cf.cond_br %c, ^s{n}, ^t{n}\n^s{n}:\nllvm.unreachable\n^t{n}:",
]
BACKWARDS = """scf.execute_region {{
cf.br ^in{n}
^back{n}:
{body}
cf.br ^out{n}
^in{n}:
{body2}
cf.cond_br %c, ^back{n}, ^out{n}
^out{n}:
scf.yield
}}"""
"""What stands first comes last."""
CALLEE = f"""
func.func private @reads(%a: {M}) {{
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : {M}
  return
}}
"""


def one_buffer(seed: int) -> str:
    """What is done to one buffer in any order, some of it in regions, between branches, and round loops."""
    choose = random.Random(seed)
    body = [f"%a = memref.alloc() : {M}"]
    for number in range(choose.randrange(1, 6)):
        line = choose.choice(LINES[:4] * 2 + LINES).format(n=number)
        if "^" not in line and choose.random() < 0.4:
            other = choose.choice(LINES[:4]).format(n=f"other{number}") if choose.random() < 0.5 else ""
            line = choose.choice([*AROUND, *[BACKWARDS] * 3]).format(n=number, body=line, body2=other)
        body.append(line)
    if not any("cond_br %c, ^s" in line for line in body) and choose.random() < 0.3:
        body[1:] = [choose.choice(AROUND).format(n="around", body="\n".join(body[1:]), body2="")]
    body.append(choose.choice((f"memref.dealloc %a : {M}", "")))
    text = "\n".join(body)
    if choose.random() < 0.3 and "^" not in text:
        text = choose.choice(AROUND).format(n=99, body=text, body2="")
    elif choose.random() < 0.2 and "^s" not in text:
        text = f"cf.br ^head\n^head:\n{text}\ncf.cond_br %c, ^head, ^out\n^out:"
    numbers = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 4))
    head = "func.func @f(%x: f32, %i: index, %j: index, %c: i1) {"
    return f"{CALLEE}{head}\n{numbers}%no = arith.constant false\n{text}\nreturn\n}}\n"


@pytest.mark.slow
@pytest.mark.parametrize(("generate", "most"), [(one_buffer, 400), (programs, 80), (nested_programs, 80)])
def test_generated_programs(generate: Callable[[int], str], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told: Counter[EventKind] = Counter()

    def counted(graph: Graph, part: Slice, goals: Collection[Goal]) -> set[Goal]:
        found = unavoidable(graph, part, goals)
        told.update(goal.kind for goal in found)
        return found

    def none(*_: object) -> set[Goal]:
        return set()

    for seed in range(most):
        source = generate(seed)
        monkeypatch.setattr(exploration_result, "unavoidable", counted)
        quick = check(source).findings
        monkeypatch.setattr(exploration_result, "unavoidable", none)
        assert quick == check(source).findings, source
    assert told[EventKind.LEAK] > 2


def test_a_read_that_the_iteration_before_may_have_filled() -> None:
    source = f"""
func.func @f(%x: f32, %flags: memref<?xi1>, %i: index, %c0: index, %c1: index) {{
  %a = memref.alloc() : {M}
  scf.for %k = %c0 to %i step %c1 {{
    %c = memref.load %flags[%k] : memref<?xi1>
    scf.if %c {{
      %v = memref.load %a[%k] : {M}
    }}
    memref.store %x, %a[%k] : {M}
  }}
  memref.dealloc %a : {M}
  return
}}
"""
    assert not [f for f in check(source).findings if f.rule.name == "uninitialized-read"]
    first = source.replace("scf.if %c {", "scf.execute_region {").replace(
        "    }\n    memref.store", "scf.yield\n}\nmemref.store"
    )
    assert [f for f in check(first).findings if f.rule.name == "uninitialized-read"]
