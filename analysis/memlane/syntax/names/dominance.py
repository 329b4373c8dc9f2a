"""Which block of a region dominates which: on every path from the entry to the second stands the first.

Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph", 1979, in the simple version; nothing
recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def dominators(count: int, edges: Iterable[tuple[int, int]]) -> Callable[[int, int], bool]:
    """The relation for blocks `0..count-1` with entry 0. Everything dominates a block that is never reached."""
    return relation(dominator_tree(count, edges))


def relation(parents: dict[int, int]) -> Callable[[int, int], bool]:
    """The same, of a tree that is known."""
    entered, left = _intervals(parents)

    def dominates(first: int, second: int) -> bool:
        if second not in parents:
            return True
        return first in parents and entered[first] <= entered[second] and left[second] <= left[first]

    return dominates


def dominator_tree(count: int, edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The nearest block that dominates each that is reached, of those with entry 0, which has itself."""
    following: list[list[int]] = [[] for _ in range(max(count, 1))]
    previous: list[list[int]] = [[] for _ in range(max(count, 1))]
    for source, target in edges:
        following[source].append(target)
        previous[target].append(source)
    order, above = _preorder(following)
    number = {block: position for position, block in enumerate(order)}
    semi = [*range(len(order))]
    """Of each block the first from which a path leads there past none that comes before it."""
    linked: list[int | None] = [None] * len(order)
    best = [*range(len(order))]
    waiting: list[list[int]] = [[] for _ in order]
    nearest = [0] * len(order)
    for block in range(len(order) - 1, 0, -1):
        for source in previous[order[block]]:
            if source in number:
                semi[block] = min(semi[block], semi[_least(number[source], linked, best, semi)])
        waiting[semi[block]].append(block)
        linked[block] = above[block]
        for other in waiting[above[block]]:
            least = _least(other, linked, best, semi)
            nearest[other] = least if semi[least] < semi[other] else above[block]
        waiting[above[block]].clear()
    for block in range(1, len(order)):
        if nearest[block] != semi[block]:
            nearest[block] = nearest[nearest[block]]
    return {order[block]: order[parent] for block, parent in enumerate(nearest)}


def _intervals(parents: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """When a walk over the dominator tree enters and leaves each block: dominated blocks lie within."""
    children: dict[int, list[int]] = {}
    for block, parent in parents.items():
        if block != parent:
            children.setdefault(parent, []).append(block)
    entered: dict[int, int] = {}
    left: dict[int, int] = {}
    clock = 0
    stack = [0]
    while stack:
        block = stack[-1]
        clock += 1
        if block in entered:
            left[block] = clock
            stack.pop()
            continue
        entered[block] = clock
        stack.extend(children.get(block, ()))
    return entered, left


def _preorder(following: list[list[int]]) -> tuple[list[int], list[int]]:
    """Blocks reached from block 0, each before those that are reached through it; and the position of that by which
    each is reached."""
    order: list[int] = []
    above: list[int] = []
    seen: set[int] = set()
    stack = [(0, 0)]
    while stack:
        block, before = stack.pop()
        if block not in seen:
            seen.add(block)
            above.append(before)
            stack.extend((target, len(order)) for target in reversed(following[block]) if target not in seen)
            order.append(block)
    return order, above


def _least(block: int, linked: list[int | None], best: list[int], semi: list[int]) -> int:
    """The block with the least `semi` from this one up to below the root of its tree; the way becomes shorter."""
    path: list[int] = []
    after = linked[block]
    while after is not None and linked[after] is not None:
        path.append(block)
        block, after = after, linked[after]
    for one in reversed(path):
        up = linked[one]
        assert up is not None
        if semi[best[up]] < semi[best[one]]:
            best[one] = best[up]
        linked[one] = linked[up]
    return best[path[0]] if path else best[block]
