"""What can be reached in a graph, and its strongly connected components: of blocks, values, functions that call others.

(Tarjan, "Depth-first search and linear graph algorithms", 1972.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """The nodes that are reached from some, with these, each once and before those behind it."""
    seen = {*starts}
    pending = [*seen]
    while pending:
        node = pending.pop()
        yield node
        for after in following(node):
            if after not in seen:
                seen.add(after)
                pending.append(after)


def components(roots: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The strongly connected components of all that is reached from `roots`, each after those it leads to.

    Iterative: there may be any number of nodes one after the other.
    """
    low: dict[Node, int] = {}
    stack: list[Node] = []
    open_: set[Node] = set()
    for root in roots:
        work = [(root, len(low), iter(following(root)))] if root not in low else []
        while work:
            node, number, after = work[-1]
            if node not in low:
                low[node] = number
                stack.append(node)
                open_.add(node)
            successor = next(after, None)
            if successor is not None:
                if successor not in low:
                    work.append((successor, len(low), iter(following(successor))))
                elif successor in open_:
                    low[node] = min(low[node], low[successor])
                continue
            work.pop()
            if work:
                before = work[-1][0]
                low[before] = min(low[before], low[node])
            if low[node] == number:
                members: list[Node] = []
                while not members or members[-1] is not node:
                    members.append(stack.pop())
                open_.difference_update(members)
                yield members[::-1]
