"""What the paths of a `Product` demand: bytes lost on the way, and which buffers have to live at each node.

A buffer that no path from a node uses again need not live there, nor one that no path to it has touched: it can be
freed, or is not allocated yet. The sum over the others, maximal over paths, is what the best placement of allocations
and deallocations would reach. What is lost and what is still to be used is exact over all paths of the graph. What may
have been touched is not distinguished by the paths on which it was: where it is touched on some of those that meet in a
node, the sum is a bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from memlane.flow.cfg.scc import reachable
from memlane.flow.dataflow.solver import worklist
from memlane.flow.peak.instance_ids import size
from memlane.flow.peak.limits import MAX_NEEDS
from memlane.flow.peak.live_intervals import Until
from memlane.flow.peak.product import Move, Needed, ProductNode
from memlane.flow.symbolic.amounts import UNBOUNDED, ZERO, Amount, total

Needs = tuple[frozenset[int], ...]
"""Sets of buffers, each the ones that some path uses again; none contains another."""

NOTHING = frozenset[int]()


def losses(nodes: Sequence[ProductNode]) -> list[Amount]:
    """Per node the most bytes lost on a path to it; unbounded where a cycle loses some."""
    lost = [ZERO] * len(nodes)
    if not any(move.lost != ZERO for node in nodes for move in node.moves):
        return lost
    component = _components([[move.target for move in node.moves] for node in nodes])
    growing = {
        component[i]
        for i, node in enumerate(nodes)
        for move in node.moves
        if component[i] == component[move.target] and move.lost != ZERO
    }
    members: dict[int, list[int]] = {}
    for i, number in enumerate(component):
        members.setdefault(number, []).append(i)
    # Tarjan numbers components in reverse topological order: the largest comes first.
    for number in sorted(members, reverse=True):
        most = UNBOUNDED if number in growing else ZERO
        for i in members[number]:
            most = most.join(lost[i])
        for i in members[number]:
            lost[i] = most
            for move in nodes[i].moves:
                if component[move.target] != number:
                    lost[move.target] = lost[move.target].join(most + move.lost)
    return lost


def needs(nodes: Sequence[ProductNode], frees: bool) -> list[Needs]:
    """Per node the sets of its buffers that are still to be used on some path from it; `frees`: or to be freed."""
    found: list[Needs] = [(frozenset(),) if not node.moves else () for node in nodes]
    before: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        for move in node.moves:
            before[move.target].append(i)

    def visit(i: int) -> Iterable[int]:
        sets = set(found[i])
        for move in nodes[i].moves:
            sets.update(
                carried(move, later) | move.used | (move.freed if frees else NOTHING) for later in found[move.target]
            )
        after = _largest(sets)
        if set(after) == set(found[i]):
            return ()
        found[i] = after
        return before[i]

    worklist(range(len(nodes)), visit, lambda i: -i)
    return found


def required(nodes: Sequence[ProductNode], frees: bool, later: Sequence[Needs] | None = None) -> Sequence[Needs]:
    """Per node the sets of its buffers that have to live there. `frees`: those that are still to be used or freed;
    else those that are still to be used, and have been touched. `later`: the `needs`, where the caller has them."""
    later = needs(nodes, frees) if later is None else later
    if frees:
        return later
    return [_within(sets, known) for sets, known in zip(later, _touched(nodes), strict=True)]


def _within(sets: Needs, known: frozenset[int]) -> Needs:
    if all(one <= known for one in sets):
        return sets
    return _largest({one & known for one in sets})


def _touched(nodes: Sequence[ProductNode]) -> list[frozenset[int]]:
    """Per node its buffers that some path to it touches. Those that are passed to the function count as touched."""
    entered = {move.target for node in nodes for move in node.moves}
    found = [NOTHING if i in entered else frozenset(range(len(node.heap))) for i, node in enumerate(nodes)]

    def visit(i: int) -> Iterator[int]:
        for move in nodes[i].moves:
            after = found[move.target].union(_touched_after(nodes, move, found[i]))
            if len(after) > len(found[move.target]):
                found[move.target] = after
                yield move.target

    worklist(range(len(nodes)), visit, lambda i: i)
    return found


def _touched_after(nodes: Sequence[ProductNode], move: Move, before: frozenset[int]) -> Iterator[int]:
    """The buffers of a move's target that have been touched, where those `before` it have been."""
    for index in range(len(nodes[move.target].heap)):
        source = move.lineage.get(index)
        if move.touches if source is None else source in before or source in move.used:
            yield index


def carried(move: Move, later: frozenset[int]) -> frozenset[int]:
    """Buffers of a move's target as the ones they are before it; new ones left out."""
    return frozenset(before for index in later if (before := move.lineage.get(index)) is not None)


def demands(
    nodes: Sequence[ProductNode], frees: bool, found: Sequence[Needs] | None = None
) -> Iterator[tuple[int, Amount, frozenset[int]]]:
    """What must live at each moment: its node, bytes of what is new or inside a call, and which of the node's buffers.

    A moment is a node itself, or a step from it.

    Args:
        frees: deallocations count as uses, and allocations stay where they are.
        found: the sets that are `required`, where the caller has them.
    """
    found = found or required(nodes, frees)
    until = Until.NAMED if frees else Until.USED
    for index, node in enumerate(nodes):
        for later in found[index]:
            for besides in node.besides[until]:
                yield index, besides, later
    yield from during_steps(nodes, frees, found)


def during_steps(
    nodes: Sequence[ProductNode], frees: bool, found: Sequence[Needs]
) -> Iterator[tuple[int, Amount, frozenset[int]]]:
    """The same for the steps alone: there what one makes lives besides what it uses and what is used later. A call is
    done with some of what it is passed before it has made what it gives."""
    until = Until.NAMED if frees else Until.USED
    for index, node in enumerate(nodes):
        for move in node.moves:
            new = made(nodes, move) if frees or move.touches else ZERO
            for later, during in product(found[move.target] or (NOTHING,), node.during[until]):
                here = carried(move, later)
                if move.call is not None:
                    yield index, during, here | move.used
                at_once = move.both if frees else move.call is None
                yield index, during + new, here | move.used if at_once else here
                for inside, groups in _inside(move, frees):
                    yield index, during + inside, here | {move.passed[group] for group in groups}


def leading_to(nodes: Sequence[ProductNode], ends: Iterable[int]) -> list[ProductNode]:
    """The part of the graph from which one of `ends` is reached, as a graph of its own."""
    before: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        for move in node.moves:
            before[move.target].append(i)
    kept = {*reachable(ends, before.__getitem__)}
    if len(kept) == len(nodes):
        return list(nodes)
    number = {old: new for new, old in enumerate(sorted(kept))}
    return [
        replace(nodes[old], moves=[replace(m, target=number[m.target]) for m in nodes[old].moves if m.target in number])
        for old in number
    ]


def _inside(move: Move, frees: bool) -> Needed:
    if move.call is None:
        return ()
    return move.call.keeps if frees else move.call.needs


def in_place(nodes: Sequence[ProductNode], node: ProductNode) -> bool:
    """Whether the op of a node is executed at one place: control does not go into its regions."""
    block, op = node.point.block, node.op
    return op is not None and (not op.regions or all(nodes[move.target].point.block is block for move in node.moves))


def made(nodes: Sequence[ProductNode], move: Move) -> Amount:
    """Bytes of the buffers that a step makes."""
    target = nodes[move.target]
    return weigh(target, (i for i, held in enumerate(target.heap) if i not in move.lineage and held.freed is None))


def weigh(node: ProductNode, buffers: Iterable[int]) -> Amount:
    """Bytes of some of a node's buffers."""
    return total(size(node.heap[index]) for index in buffers)


def _largest(sets: set[frozenset[int]]) -> Needs:
    kept: list[frozenset[int]] = []
    for one in sorted(sets, key=len, reverse=True):
        if not any(one <= other for other in kept):
            kept.append(one)
    if len(kept) <= MAX_NEEDS:
        return tuple(kept)
    return (NOTHING.union(*kept),)


def _components(following: Sequence[Sequence[int]]) -> list[int]:
    """The strongly connected component of each node, numbered in reverse topological order (Tarjan 1972)."""
    order = [-1] * len(following)
    low = [0] * len(following)
    component = [-1] * len(following)
    stack: list[int] = []
    count = numbered = 0
    for root in range(len(following)):
        work = [(root, 0)] if order[root] < 0 else []
        while work:
            node, position = work.pop()
            if position == 0:
                order[node] = low[node] = count
                count += 1
                stack.append(node)
            if position < len(following[node]):
                work.append((node, position + 1))
                target = following[node][position]
                if order[target] < 0:
                    work.append((target, 0))
                elif component[target] < 0:
                    low[node] = min(low[node], order[target])
                continue
            if low[node] == order[node]:
                while True:
                    member = stack.pop()
                    component[member] = numbered
                    if member == node:
                        break
                numbered += 1
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
    return component
