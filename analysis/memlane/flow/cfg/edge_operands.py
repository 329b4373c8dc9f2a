"""Which values an edge hands over: operands of the op that control leaves, and what receives them."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.dialects.model import NEXT, RegionEdge, Selector
from memlane.syntax.tree.tree import Op, Region, Use, Value

LAST = "last"
"""In the place of a selector: as many of the last arguments as are passed on."""


def any_order(op: Op, regions: int) -> tuple[RegionEdge, ...]:
    """Edges to each region in any order, and past all of them; none of an op without regions."""
    if not regions:
        return ()
    return (RegionEdge(None, -1), RegionEdge(None, None), RegionEdge(-1, -1), RegionEdge(-1, None))


def settled_target(edge: RegionEdge, source: Region | None) -> RegionEdge:
    """The edge, with a target that depends on its source: the region after that, the first one from the op."""
    return edge if edge.target != NEXT else edge._replace(target=source.index + 1 if source is not None else 0)


def forwarded_at(op: Op, edge: RegionEdge, operands: tuple[Use, ...]) -> tuple[Use, ...]:
    """Without a selector a terminator forwards all it has when control leaves the op, and entry forwards nothing."""
    return operands if edge.source is not None and edge.target is None else ()


def slice_of(operands: tuple[Use, ...], selector: Selector) -> tuple[Use, ...]:
    """The operands that a selector of a terminator names."""
    chosen = operands if selector.group is None else tuple(use for use in operands if use.group == selector.group)
    return chosen[selector.start : selector.stop]


def bind(
    forwarded: Sequence[Use], targets: tuple[Value, ...], onto: Selector | None
) -> tuple[tuple[Value | None, Value], ...]:
    """Pairs (value passed on or None where unknown, value that receives it)."""
    if onto is not None and onto.group == LAST:
        onto = Selector(max(0, len(targets) - len(forwarded)))
    receivers = targets[onto.start : onto.stop] if onto else targets
    if not receivers:
        return ()
    return tuple((forwarded[i].value if i < len(forwarded) else None, receiver) for i, receiver in enumerate(receivers))
