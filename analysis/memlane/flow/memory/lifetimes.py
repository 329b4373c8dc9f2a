"""The life of each buffer as the text shows it: where it is made, named and freed. For tables and pictures.

Where several buffers flow into one name, what happens to that name belongs to the life of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from memlane.flow.alias.origin import Origin
from memlane.flow.calls.program import FunctionFlow, Program
from memlane.flow.control.fields import Field, is_written
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Op, Value


@dataclass(frozen=True, slots=True)
class Life:
    """One site.

    Args:
        made: the op that makes the buffer.
        uses: the ops that name it other than to free it, in text order.
        frees: those that free it.
        aliases: how many other names it may have; a place of an aggregate has none of its own.
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
        made = {origin.value for origin in cluster.origins}
        names: dict[Value | None, list[Value]] = {}
        for value, root in cluster.root.items():
            names.setdefault(root if root in made else None, []).append(value)
        shared = _Uses(flow.graph, names.get(None, []))
        for origin in cluster.origins:
            op = origin.value.op
            if op is not None and origin.resource != "global":
                found.append(_life(origin, op, shared, _Uses(flow.graph, names[origin.value])))
    return sorted(found, key=_place)


def _place(life: Life) -> tuple[int, int, tuple[int, ...]]:
    """Where the name of a life stands: the op, its result, and the place in that."""
    value = life.origin.value
    return life.made.span.start, value.span.start, value.place if isinstance(value, Field) else ()


class _Uses:
    """What happens to names: those that a buffer has by itself, or those that it shares with others."""

    def __init__(self, graph: Graph, names: list[Value]) -> None:
        self.names = sum(map(is_written, names))
        self.uses: dict[Op, None] = {}
        self.frees: dict[Op, None] = {}
        self.handed = False
        for value in names:
            for use in value.uses:
                effects = graph.effects(use.op)
                self.handed = self.handed or value in (*effects.returned, *effects.packed, *effects.escapes)
                freed = any(free.value is value for free in effects.frees)
                if freed:
                    self.frees[use.op] = None
                if not freed or effects.allocs:
                    self.uses[use.op] = None


def _life(origin: Origin, made: Op, shared: _Uses, own: _Uses) -> Life:
    return Life(
        origin,
        made,
        _ordered({**shared.uses, **own.uses}),
        _ordered({**shared.frees, **own.frees}),
        max(0, shared.names + own.names - 1),
        shared.handed or own.handed,
    )


_START = attrgetter("span.start")


def _ordered(ops: Iterable[Op]) -> tuple[Op, ...]:
    return tuple(sorted(ops, key=_START))
