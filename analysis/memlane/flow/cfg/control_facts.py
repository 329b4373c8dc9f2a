"""What is derived of where control goes in a function, and of what it asks there, and of nothing else.

An edit that reaches no op at the end of a block, none with regions and none with successors leaves it as it is, but
where it speaks of the edges and the blocks of the ops that are edited: these edges are made anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block


class ControlFact(ABC):
    """Such a result, as the memo of a graph has it (derived.py)."""

    __slots__ = ()

    @abstractmethod
    def stands(self, blocks: Collection[Block], edges: Collection[Edge]) -> bool:
        """Whether it is the same after an edit in some blocks, from whose ends these edges led."""


def control_facts(graph: Graph, blocks: Collection[Block | None]) -> dict[Callable[..., Any], ControlFact]:
    """Those that are known of a function, by what derives them, and stand after an edit of plain ops in some blocks.
    To be asked before the edges there are made anew."""
    some = {block for block in blocks if block is not None}
    edges = {edge for block in some for edge in graph.known_exits(block)}
    facts = {key: fact for key, fact in graph.memo.items() if isinstance(fact, ControlFact)}
    return {key: fact for key, fact in facts.items() if fact.stands(some, edges)}
