"""The life of each buffer as the text shows it: where it is made, named and freed. For tables and pictures.

Where several buffers flow into one name, what happens to that name belongs to the life of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import Field, is_written
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op, Value


class BufferMentions(NamedTuple):
    """The ops that use names of buffers other than to free these, and those that free them, each in text order."""

    uses: tuple[Op, ...]
    frees: tuple[Op, ...]


class Life(NamedTuple):
    """One site.

    Args:
        made: the op that makes the buffer.
        own: what the names say that stand for it alone.
        shared: what those say that may stand for it or for others: the same for all these, who may be many.
        aliases: how many other names it may have; a place of an aggregate has none of its own.
        handed: it is returned or kept somewhere, so that this function does not free it.
    """

    origin: Origin
    made: Op
    own: BufferMentions
    shared: BufferMentions
    aliases: int
    handed: bool

    @property
    def uses(self) -> tuple[Op, ...]:
        """The ops that name it other than to free it, in text order."""
        return _merged(self.own.uses, self.shared.uses)

    @property
    def frees(self) -> tuple[Op, ...]:
        """The ops that free it, in text order."""
        return _merged(self.own.frees, self.shared.frees)

    @property
    def first_use(self) -> Op | None:
        """The first of `uses`, without a look at the others."""
        return min((*self.own.uses[:1], *self.shared.uses[:1]), key=_START, default=None)

    @property
    def last_use(self) -> Op | None:
        """The last of `uses`."""
        return max((*self.own.uses[-1:], *self.shared.uses[-1:]), key=_START, default=None)


def lives(program: Program, flow: FunctionFlow) -> list[Life]:
    """The lives of the buffers that are made in a function, in text order."""
    found: list[Life] = []
    for cluster in program.aliases(flow).clusters.values():
        made = {origin.value for origin in cluster.origins}
        names: dict[Value | None, list[Value]] = {}
        for value, root in cluster.root.items():
            names.setdefault(root if root in made else None, []).append(value)
        shared = _NameUses(flow.graph, names.get(None, []))
        for origin in cluster.origins:
            op = origin.value.op
            if op is not None and origin.resource != "global":
                found.append(_life(origin, op, shared, _NameUses(flow.graph, names[origin.value])))
    return sorted(found, key=_place)


def _place(life: Life) -> tuple[int, int, tuple[int, ...]]:
    """Where the name of a life stands: the op, its result, and the place in that."""
    value = life.origin.value
    return life.made.span.start, value.span.start, value.place if isinstance(value, Field) else ()


class _NameUses:
    """What happens to names: those that a buffer has by itself, or those that it shares with others."""

    def __init__(self, graph: Graph, names: list[Value]) -> None:
        self.names = sum(map(is_written, names))
        self.handed = False
        uses, frees = dict[Op, None](), dict[Op, None]()
        for value in names:
            for use in value.uses:
                effects = effects_at(graph, use.op)
                self.handed = self.handed or value in (*effects.returned, *effects.packed, *effects.escapes)
                freed = any(free.value is value for free in effects.frees)
                if freed:
                    frees[use.op] = None
                if not freed or effects.allocs:
                    uses[use.op] = None
        self.mentions = BufferMentions(_ordered(uses), _ordered(frees))


def _life(origin: Origin, made: Op, shared: _NameUses, own: _NameUses) -> Life:
    aliases = max(0, shared.names + own.names - 1)
    return Life(origin, made, own.mentions, shared.mentions, aliases, shared.handed or own.handed)


_START = attrgetter("span.start")


def _ordered(ops: Iterable[Op]) -> tuple[Op, ...]:
    return tuple(sorted(ops, key=_START))


def _merged(own: tuple[Op, ...], shared: tuple[Op, ...]) -> tuple[Op, ...]:
    return _ordered({**dict.fromkeys(shared), **dict.fromkeys(own)}) if own and shared else own or shared
