"""Cycles of the blocks of a region: strongly connected components (Tarjan, 1972)."""

from __future__ import annotations

from memlane.syntax.tree import Block, Region


def cycles(region: Region) -> dict[Block, frozenset[Block]]:
    """The cycles of a region's blocks. Iterative: a region may have any number of blocks."""
    order: dict[Block, int] = {}
    low: dict[Block, int] = {}
    stack: list[Block] = []
    open_: set[Block] = set()
    found: dict[Block, frozenset[Block]] = {}
    for root in region.blocks:
        work = [(root, iter(_following(root)))] if root not in order else []
        while work:
            block, following = work[-1]
            if block not in order:
                order[block] = low[block] = len(order)
                stack.append(block)
                open_.add(block)
            after = next(following, None)
            if after is not None:
                if after not in order:
                    work.append((after, iter(_following(after))))
                elif after in open_:
                    low[block] = min(low[block], order[after])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[block])
            if low[block] == order[block]:
                members = stack[stack.index(block) :]
                del stack[-len(members) :]
                open_.difference_update(members)
                if len(members) > 1 or block in _following(block):
                    found.update(dict.fromkeys(members, frozenset(members)))
    return found


def _following(block: Block) -> list[Block]:
    last = block.ops[-1] if block.ops else None
    return [s.block for s in last.successors if s.block is not None] if last is not None else []
