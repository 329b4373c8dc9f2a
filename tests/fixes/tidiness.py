"""What a person would clean up in a repaired program, beyond what was there before.

`untidy` lists it: comments that are lost, two conditions on one flag in a row, conditions with an empty `then`, flags
that are handed on and never read, and truth values that are defined where one is defined already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from memlane.dialects import builtin_models
from memlane.dialects.model import Guard
from memlane.fixes.ownership_flags import slots
from memlane.fixes.scope import Scope
from memlane.flow import FunctionFlow, Program
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.effects.cost_model import is_work
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import simplify
from memlane.syntax import parse
from memlane.syntax.tree.tree import Block, Op, Value

COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|(//[^\r\n]*)')


def untidy(before: str, after: str) -> list[str]:
    """What is untidy in `after` and was not in `before`."""
    lost = comments(before) - comments(after)
    new = Counter(_found(after)) - Counter(_found(before))
    return [*(f"lost: {comment}" for comment in lost.elements()), *new.elements()]


def comments(text: str) -> Counter[str]:
    """The comments of a text."""
    return Counter(found[1].rstrip() for found in COMMENT.finditer(text) if found[1])


def _found(text: str) -> Iterator[str]:
    models = builtin_models()
    for chunk in parse(text, models).chunks:
        for flow in Program(chunk.ops, models, text).functions.values():
            yield from _in_function(flow)


def _in_function(flow: FunctionFlow) -> Iterator[str]:
    graph = flow.graph
    for op in flow.op.walk():
        asked = _asked(graph, op)
        if asked is None:
            continue
        if _empty(graph, op, 0):
            yield f"@{flow.name}: nothing to do where {asked.name} is true"
        following = op.parent.ops[op.index + 1 :] if op.parent is not None else []
        behind = next((other for other in following if is_work(graph, other)), None)
        if behind is not None and not op.results and not behind.results and _same(graph, asked, _asked(graph, behind)):
            yield f"@{flow.name}: {asked.name} is asked twice in a row"
    yield from (f"@{flow.name}: nothing reads a flag" for _ in _unread(flow))
    yield from (f"@{flow.name}: {name} is defined twice" for name in _again(flow))


def _asked(graph: Graph, op: Op) -> Value | None:
    """The flag that decides whether the first region of an operation is entered."""
    edges = [edge for edge in graph.entries(op) if edge.guard is Guard.TRUE] if op.regions else []
    return op.operands[edges[0].number].value if edges and edges[0].block is not None else None


def _same(graph: Graph, one: Value, other: Value | None) -> bool:
    """Whether two flags are the same, or one is the other inverted."""
    if other is None:
        return False
    first, second = scalar_of(graph, one), scalar_of(graph, other)
    return first == second or simplify(("xori", first, ("const", 1)), {}) == second


def _empty(graph: Graph, op: Op, number: int) -> bool:
    ops = [inner for block in op.regions[number].blocks for inner in block.ops]
    ends = [inner for inner in ops if (model := graph.model(inner)) is not None and model.terminator]
    return len(ends) == len(ops) and not any(end.operands for end in ends)


def _unread(flow: FunctionFlow) -> Iterator[frozenset[Value]]:
    """The flags that operations bind and hand on, those together that are one, of which none is read."""
    ops = [op for op in flow.op.walk() if op.regions and op is not flow.op]
    edges = [edge for op in ops for edge in edges_within(flow.graph, op)]
    edges += [edge for block in flow.op.regions[0].blocks for edge in flow.graph.exits(block)]
    tied = slots([edge for edge in edges if not edge.place.successors])
    bound = {receiver for edge in edges for _, receiver in edge.bindings if receiver.type == "i1"}
    groups = {tied.get(value, frozenset((value,))) for value in bound}
    handed = Counter((edge.place, source) for edge in _once(edges) for source, _ in edge.bindings)
    feeds = [(source, receiver) for edge in edges for source, receiver in edge.bindings]
    read = {group for group in groups if any(len(value.uses) > _times(handed, value) for value in group)}
    while True:
        into = {value for group in read for value in group}
        more = {g for g in groups - read if any(source in g and receiver in into for source, receiver in feeds)}
        if not more:
            break
        read |= more
    yield from groups - read


def _once(edges: Iterable[Edge]) -> list[Edge]:
    """One edge of those that hand on the same operands: a flag handed to a result and an argument is one use."""
    found: dict[tuple[Op, Block | None], Edge] = {}
    for edge in edges:
        found.setdefault((edge.place, edge.block if edge.place.successors else None), edge)
    return list(found.values())


def _times(handed: Counter[tuple[Op, Value | None]], value: Value) -> int:
    """How often a value is handed on."""
    return sum(times for (_, other), times in handed.items() if other is value)


def _again(flow: FunctionFlow) -> Iterator[str]:
    """The truth values where another one of the same kind is seen."""
    graph, scope = flow.graph, Scope(flow.graph, {})
    known: list[Value] = []
    for op in flow.op.walk():
        model = graph.models.of(op.name)
        if model is None or model.compute != "constant" or not op.results or op.results[0].type != "i1":
            continue
        value = op.results[0]
        others = (other for other in known if scalar_of(graph, other) == scalar_of(graph, value))
        if any(scope.sees_before(op, other) for other in others):
            yield "true" if scalar_of(graph, value) == ("const", 1) else "false"
        known.append(value)
