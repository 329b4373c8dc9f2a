"""Which block of a region dominates which: on every path from the entry to the second stands the first.

Cooper, Harvey and Kennedy's iteration over reverse postorder; nothing recurses.
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
    order = _postorder(following)
    number = {block: position for position, block in enumerate(order)}
    parents: dict[int, int] = {0: 0}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            parent = -1
            for source in previous[block]:
                if source in parents:
                    parent = source if parent < 0 else _meet(source, parent, parents, number)
            if parents.get(block) != parent:
                parents[block] = parent
                changed = True
    return parents


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


def _postorder(following: list[list[int]]) -> list[int]:
    """Blocks reached from block 0, each after those it leads to; the entry comes last."""
    order: list[int] = []
    seen = {0}
    stack: list[tuple[int, int]] = [(0, 0)]
    while stack:
        block, at = stack.pop()
        if at < len(following[block]):
            stack.append((block, at + 1))
            target = following[block][at]
            if target not in seen:
                seen.add(target)
                stack.append((target, 0))
        else:
            order.append(block)
    return order


def _meet(first: int, second: int, parents: dict[int, int], number: dict[int, int]) -> int:
    while first != second:
        if number[first] < number[second]:
            first = parents[first]
        else:
            second = parents[second]
    return first
