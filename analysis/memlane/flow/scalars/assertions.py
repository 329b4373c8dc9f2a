"""What is true where control comes at all: conditions that a program asserts before.

An assertion stands before a place on every path if it stands before it in its block or in one around it, or in the
block where the region of one of these begins. The values that it is about are the same there: defined before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from memlane.dialects import select
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.limits import MAX_ASSERTIONS
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, simplify
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Op, Value

Asserted = dict[Value, list[tuple[Op, Expr]]]
"""Conditions that are asserted, by the values that they are about."""


def asserted(graph: Graph) -> Asserted:
    """The assertions of a function about what some branch asks as well. Found out once."""
    return query(graph, _asserted)


def _asserted(graph: Graph) -> Asserted:
    models = [(name, model) for name, model in graph.named_models.items() if model is not None]
    found: Asserted = {}
    for name, model in models:
        for op in graph.named[name] if model.asserts is not None else ():
            uses = select(op, model.asserts, model) if model.asserts is not None else ()
            for expr in (scalar_of(graph, use.value) for use in uses if use.value is not None):
                for leaf in dict.fromkeys(leaves(expr)):
                    found.setdefault(leaf, []).append((op, expr))
    asked = _asked(graph, [name for name, model in models if model.regions or model.terminator]) if found else ()
    return {leaf: sorted(found[leaf], key=_start) for leaf in asked if leaf in found}


def _asked(graph: Graph, names: Iterable[str]) -> set[Value]:
    """The values that decide flags and numbers with which ops of these names choose a way."""
    asked = {use.value for name in names for op in graph.named[name] for use in op.operands}
    return {leaf for one in asked if one is not None and is_integer(one.type) for leaf in leaves(scalar_of(graph, one))}


def asserted_before(graph: Graph, expr: Expr, place: Op) -> list[Expr]:
    """What has been asserted before a place about what an expression is made of."""
    known = asserted(graph)
    found: dict[tuple[Op, Expr], None] = {}
    for about in (known[leaf] for leaf in leaves(expr) if leaf in known) if known else ():
        at = bisect_left(about, place.span.start, key=_start)
        found.update(dict.fromkeys(about[max(at - MAX_ASSERTIONS, 0) : at]))
    return [condition for op, condition in found if _before(op, place)]


def as_asserted(graph: Graph, expr: Expr, place: Op) -> Expr:
    """A condition that is asked at a place, with what has been asserted before put in."""
    facts: Facts = {}
    for condition in asserted_before(graph, expr, place):
        ways = list(assume(condition, True, facts, remembered))
        facts = ways[0] if len(ways) == 1 else facts
    return simplify(expr, facts) if facts else expr


def remembered(_: Expr) -> bool:
    """What tells that each fact is worth remembering: for one decision."""
    return True


def _start(one: tuple[Op, Expr]) -> int:
    return one[0].span.start


def _before(op: Op, place: Op) -> bool:
    """Whether an op stands before a place on every path."""
    around = place
    while around.parent is not None and op.parent is not None:
        if around.parent.region is op.parent.region:
            return op.index < around.index if around.parent is op.parent else op.parent.index == 0
        around = around.parent.region.op
    return False
