"""Chains of asynchronous operations: each is waited for by the next one of its chain only.

A wait for one of them is a wait for all before it. So a buffer that some of them work on is followed from one of these
to the next, skipping all others between: as each works on buffers of its own, n of them would be n times n steps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.cfg.scc import reachable
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op, Value, starts_at


class ChainLink(NamedTuple):
    """The place of an op in a chain: ops of one block, in text order."""

    chain: list[Op]
    number: int


class Chained:
    """What is followed of the chains of a function.

    Args:
        graph: the function.
        naming: ops that are followed in any case.
    """

    def __init__(self, graph: Graph, naming: Collection[Op]) -> None:
        self._graph, self._naming = graph, naming
        self._followed: dict[Op, list[int]] | None = None

    def after(self, op: Op) -> Iterator[Op]:
        """The ops to follow as they wait for `op`; in its chain the next that is followed with the one before it, where
        the last wait is still needed, or the end of the chain. A wait for a group is a wait for all that was added to
        it."""
        effects = effects_at(self._graph, op)
        yield from waiting(self._graph, op)
        if not effects.completion:
            return
        link = _links(self._graph).get(op)
        if link is not None and link.number + 1 < len(link.chain):
            if self._followed is None:
                self._followed = self._places(self._naming)
            places = self._followed.get(link.chain[0], [])
            at = bisect_right(places, link.number)
            after = places[at] if at < len(places) else len(link.chain) - 1
            yield from link.chain[max(after - 1, link.number + 1) : after + 1]
        else:
            yield from (use.op for token in effects.completion for use in token.uses)

    def awaited(self, followed: Collection[Op]) -> dict[Op, tuple[Value, ...]]:
        """The tokens that stand for what some of the ops wait for, where the ops that gave these are not followed."""
        found: dict[Op, tuple[Value, ...]] = {}
        if self._followed is not None:
            links = _links(self._graph)
            chains = {link.chain[0]: link.chain for op in followed if (link := links.get(op)) is not None}
            for first, places in self._places(followed).items():
                chain = chains[first]
                for one, after in pairwise(places):
                    if after > one + 1:
                        found[chain[after]] = tuple(effects_at(self._graph, chain[one]).completion)
        return found

    def _places(self, ops: Collection[Op]) -> dict[Op, list[int]]:
        """Where some ops stand in their chains, by the first ops of these."""
        links = _links(self._graph)
        found: dict[Op, list[int]] = {}
        for link in filter(None, map(links.get, ops)):
            found.setdefault(link.chain[0], []).append(link.number)
        for places in found.values():
            places.sort()
        return found


def waiting(graph: Graph, op: Op) -> list[Op]:
    """Who may wait for the groups that `op` adds work to."""
    uses = (use.op for _, group in effects_at(graph, op).joins for use in group.uses)
    return [user for user in uses if not effects_at(graph, user).joins]


def joining(graph: Graph, values: Collection[Value]) -> list[Op]:
    """The operations that add work to one of some values, if that is a group: a wait for the group includes that
    work."""
    ops = ops_of(graph, lambda model: model.joins)
    return [op for op in ops if any(group in values for _, group in effects_at(graph, op).joins)]


def tagged(graph: Graph, values: Collection[Value]) -> list[Op]:
    """The operations whose work is done once one of some values has been waited for, which are their tags."""
    ops = ops_of(graph, lambda model: model.tag is not None)
    return [op for op in ops if not effects_at(graph, op).completion.isdisjoint(values)]


def never_awaited(graph: Graph, names: Iterable[Value], callers: bool = False) -> bool:
    """Whether some work on a buffer begins for which nothing in the function waits. `names`: of the buffer. `callers`:
    these can wait for what the function gives back."""

    def around(op: Op) -> list[Op]:
        holder = op.parent.region.op if op.parent is not None else None
        return [holder] if holder is not None and holder is not graph.function else []

    works = (effects_at(graph, op).completion for op in reachable((u.op for name in names for u in name.uses), around))
    return any(work and not _is_awaited(graph, work, callers) for work in works)


def _is_awaited(graph: Graph, work: Iterable[Value], callers: bool) -> bool:
    """Whether an op waits for one of some values, or for what stands for it as well, or hands it to `callers`."""
    pending, seen = [*work], {*work}
    while pending:
        token = pending.pop()
        for user in {use.op: None for use in token.uses}:
            effects = effects_at(graph, user)
            if (token in effects.waits and not effects.completion) or (callers and token in effects.returned):
                return True
            after = {group for one, group in effects.joins if one is token}
            after |= effects.completion if token in effects.waits else set[Value]()
            after |= {view.result for view in effects.views if token in view.sources}
            pending += after - seen
            seen |= after
    return False


def awaited_around(graph: Graph, op: Op) -> frozenset[Value]:
    """The tokens of the operations around `op` that run in the background: what has to be done before these begin has
    one of them, too."""
    found: frozenset[Value] = frozenset()
    while op.parent is not None and op is not graph.function:
        op = op.parent.region.op
        found |= effects_at(graph, op).completion
    return found


def _links(graph: Graph) -> Mapping[Op, ChainLink]:
    """The chains of a function."""
    return query(graph, _chains)


def _chains(graph: Graph) -> Mapping[Op, ChainLink]:
    found: dict[Op, ChainLink] = {}
    for op in sorted(ops_of(graph, lambda model: model.token is not None), key=starts_at):
        before = _before(graph, op)
        link = found.get(before) if before is not None else None
        chain = link.chain if link is not None else []
        chain.append(op)
        found[op] = ChainLink(chain, len(chain) - 1)
    return found


def _before(graph: Graph, op: Op) -> Op | None:
    """The op that an op continues the chain of."""
    effects = effects_at(graph, op)
    before = effects.waits[0].op if len(effects.waits) == 1 else None
    if before is None or op.regions or before.regions or before.parent is not op.parent or op.index <= before.index:
        return None
    alone = len(effects.waits[0].uses) == len(effects.completion) == len(effects_at(graph, before).completion) == 1
    return before if alone and not effects.joins else None
