"""The life of each buffer as the text shows it: where it is made, named and freed. For tables and pictures.

Where several buffers flow into one name, what happens to that name belongs to the life of each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.flow.alias import Cluster, Origin
from memlane.flow.graph import Graph
from memlane.flow.program import FunctionFlow, Program
from memlane.syntax.tree import Op, Value


@dataclass(frozen=True, slots=True)
class Life:
    """One site.

    Args:
        made: the op that makes the buffer.
        uses: the ops that name it other than to free it, in text order.
        frees: those that free it.
        aliases: how many other names it may have.
        handed: it is returned or kept somewhere, so that nobody here frees it.
    """

    origin: Origin
    made: Op
    uses: tuple[Op, ...]
    frees: tuple[Op, ...]
    aliases: int
    handed: bool


def lives(program: Program, flow: FunctionFlow) -> list[Life]:
    """The lives of the buffers that are made in a function, in text order."""
    found: list[Life] = []
    for cluster in program.aliases(flow).clusters.values():
        for origin in cluster.origins:
            op = origin.value.op
            if op is not None and origin.resource != "global":
                found.append(_life(flow.graph, cluster, origin, op))
    return sorted(found, key=lambda life: life.made.span.start)


def _life(graph: Graph, cluster: Cluster, origin: Origin, made: Op) -> Life:
    uses: set[Op] = set()
    frees: set[Op] = set()
    handed = False
    names = list(_names(cluster, origin))
    for value in names:
        for use in value.uses:
            effects = graph.effects(use.op)
            handed = handed or value in effects.returned or value in effects.escapes
            if any(free.value is value for free in effects.frees) and not effects.allocs:
                frees.add(use.op)
            else:
                uses.add(use.op)
                if effects.allocs and any(free.value is value for free in effects.frees):
                    frees.add(use.op)
    return Life(origin, made, _ordered(uses), _ordered(frees), len(names) - 1, handed)


def _names(cluster: Cluster, origin: Origin) -> Iterator[Value]:
    """The aliases of a buffer: its views, and names that it shares with others."""
    others = {other.value for other in cluster.origins if other is not origin}
    for value, root in cluster.root.items():
        if root not in others:
            yield value


def _ordered(ops: set[Op]) -> tuple[Op, ...]:
    return tuple(sorted(ops, key=lambda op: op.span.start))
