"""Programs whose deallocations come later than they could: each is moved down in its block, where it is right, too."""

from __future__ import annotations

import random

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.fixes import apply
from memlane.flow import Program
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op


def delayed(source: str, seed: int) -> str:
    """The program with some of its deallocations further down."""
    choose, models = random.Random(seed), Config().models
    edits: dict[int, Edit] = {}
    for chunk in parse(source, models).chunks:
        for flow in Program(chunk.ops, models, source).functions.values():
            frees = [op for op in flow.op.walk() if effects_at(flow.graph, op).frees and not (op.results or op.regions)]
            for op in frees:
                target = _target(op, choose)
                if target is not None:
                    said = edits.get(target.span.start)
                    text = (said.content if said is not None else "") + source[op.span.start : op.span.end] + "\n"
                    edits[target.span.start] = Edit(Span(target.span.start, target.span.start), text)
                    edits[op.span.start] = _without(op, edits.get(op.span.start))
    return apply(source, tuple(edits.values()))


def _target(op: Op, choose: random.Random) -> Op | None:
    """The operation of its block before which a deallocation is to stand; None: it stays."""
    ops = op.parent.ops if op.parent is not None else []
    if op.index + 2 > len(ops) - 1 or choose.random() < 0.3:
        return None
    return ops[choose.randrange(op.index + 2, len(ops))]


def _without(op: Op, before: Edit | None) -> Edit:
    """The edit that takes an operation out, and puts in what is to stand before it."""
    return Edit(Span(op.span.start, op.span.end), before.content.rstrip("\n") if before is not None else "")
