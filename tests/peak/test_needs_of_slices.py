"""The need of a buffer is the same, explored in all blocks or in its slice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak import build_product, footprint, peak_inputs
from memlane.flow.peak.live_intervals import NOTHING, Besides, LiveSpan, Timeline
from memlane.flow.symbolic.amounts import UNBOUNDED, number
from memlane.syntax import parse
from tests.hostile.shapes import TYPE, lowered, stages

CONFIG = Config()


def blocks(seed: int, flags: int) -> str:
    """A random control flow graph, with some buffers that are made, used and freed wherever that is dominated.

    Args:
        flags: so many arguments decide all branches, else one decides each.
    """
    chosen = random.Random(seed)
    count = chosen.randrange(4, 16)
    shared = ["%a0", "%a1"]
    args = ", ".join(f"%c{n}: i1" for n in range(flags or count))
    lines = [f"func.func @f({args}, %x: f32, %i: index) {{"]
    for n in range(count):
        lines += [f"^b{n}:"] if n else []
        lines += [f"  {name} = memref.alloc() : {TYPE}" for name in shared if n == 0]
        for name in shared:
            if chosen.random() < 0.2:
                lines.append(f"  memref.store %x, {name}[%i] : {TYPE}")
            if n and chosen.random() < 0.15:
                lines.append(f"  memref.dealloc {name} : {TYPE}")
        if chosen.random() < 0.3:  # one of its own, lost or not
            lines += [f"  %m{n} = memref.alloc() : {TYPE}", f"  memref.store %x, %m{n}[%i] : {TYPE}"]
            lines += [f"  memref.dealloc %m{n} : {TYPE}"] if chosen.random() < 0.5 else []
        to = [chosen.randrange(max(1, n - 3), count) for _ in range(2)]
        last = n == count - 1 or chosen.random() < 0.1
        flag = f"%c{chosen.randrange(flags) if flags else n}"
        lines.append("  return" if last else f"  cf.cond_br {flag}, ^b{to[0]}, ^b{to[1]}")
    return "\n".join([*lines, "}", ""])


def _followed(*_: object) -> None:
    """No buffer's life can be told without following it."""


def taken(source: str, monkeypatch: pytest.MonkeyPatch, few: int) -> Iterator[list[Besides]]:
    """Per function and place what its buffers take at most, each followed alone: in up to `few` blocks, through all."""
    monkeypatch.setattr(peak_inputs, "MAX_REGION_BLOCKS", few)
    monkeypatch.setattr(build_product, "MAX_USES_EXPLORED", -1)
    monkeypatch.setattr(build_product, "crossing", _followed)
    for chunk in parse(source, CONFIG.models).chunks:
        ledger = footprint.Ledger(Program(chunk.ops, CONFIG.models, source))
        for flow in ledger.program.functions.values():
            for context in ledger.program.contexts(flow):
                line = build_product.build(ledger, flow, context, None).line
                yield [line.between(position, position) for position in range(len(line.ops))]


@pytest.mark.parametrize("seeds", [range(60), range(60, 120)], ids=str)
def test_the_same_is_taken_past_blocks(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    something = 0
    for source in [*(blocks(seed, 0) for seed in seeds), lowered(3), stages(4)]:
        through, past = list(taken(source, monkeypatch, 1000)), list(taken(source, monkeypatch, 0))
        assert through == past, source
        something += any(one != NOTHING for one in through[0])
    assert something > 40


@pytest.mark.parametrize("seeds", [range(60), range(60, 120)], ids=str)
def test_no_less_is_taken_past_what_decides(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (blocks(seed, 3) for seed in seeds):
        for through, past in zip(taken(source, monkeypatch, 1000), taken(source, monkeypatch, 0), strict=True):
            for one, other in zip(through, past, strict=True):
                assert all(b[0].covers(a[0]) for a, b in zip(one, other, strict=True)), source


def test_what_has_no_bound_ends_where_it_ends() -> None:
    """Also where something is known of it besides."""
    (chunk,) = parse("func.func @f() {\n  return\n}\n", CONFIG.models).chunks
    line = Timeline(chunk.ops[0])
    most, some = number(16) + UNBOUNDED, number(8)
    line.fill((), [LiveSpan(0, 0, (most, most, most)), LiveSpan(1, 1, (some, some, some))])
    assert (line.live(0).unbounded, line.live(1)) == (True, some)
