"""Functions of which there is nothing to say: no op in them makes memory, frees it, calls or hands anything out.

Recognised by the names of their statements, so that their ops need not be built. Programs on tensors, and functions
that only work on what they are passed, are mostly such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from memlane.dialects.model import Models
from memlane.dialects.op_names import seems_to_free
from memlane.flow.symbolic.type_layout import is_owned_memory
from memlane.syntax.editing.piece import Piece
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.holes import Places, clean
from memlane.syntax.shapes.shape import Cut, Event, Label, Open, OpShape
from memlane.syntax.tree.aliases import named


def idle(piece: Piece, models: Models) -> bool:
    """Whether rules have nothing to look at in the function of a piece, and its buffers need not be followed.

    Names without a dialect are to be what they usually are: nothing around the function says otherwise.
    """
    events = (event for leaf in piece.leaves for template in leaf.statements.templates for event in template.events)
    head = next(events, None)
    if not isinstance(head, OpShape) or head.generic or head.name in forms.DEFAULT_DIALECTS:
        return False
    first = [event for _, event in zip(range(2), events, strict=False)]
    unknown = hands_out = False
    seen: set[tuple[str, bool]] = set()
    for event in chain(first, events):  # mostly one of the first says no
        if not isinstance(event, OpShape) or (event.name, bool(event.operands)) in seen:
            continue
        name, used = event.name, bool(event.operands)
        seen.add((name, used))
        model = models.of(name)
        if name in forms.DEFAULT_DIALECTS:
            return False
        if model is None:
            if used and seems_to_free(name):
                return False
            unknown = True
        elif model.function or model.alloc or model.free or model.call or model.undefined:
            return False
        else:
            hands_out |= model.exits and used
    if unknown and (any(name in piece.text for name in ("memref<", *_said(models.memory))) or named(piece.text)):
        return False  # an op without a model that handles buffers
    return not hands_out or not _takes_memory(piece, first)


def _said(memory: Mapping[str, Collection[str] | None]) -> Iterator[str]:
    """The types that are said to stand for memory, as they are written."""
    return (
        f"!{dialect}.{name}" for dialect, names in memory.items() for name in (names if names is not None else ("",))
    )


def _takes_memory(piece: Piece, first: list[Event]) -> bool:
    """Whether an argument of the function may be memory; `first`: what follows its head."""
    if not isinstance(first[0], Open) or (not first[0].defines and isinstance(first[-1], Label)):
        return True  # the arguments stand elsewhere
    leaf = piece.leaves[0]
    starts, text = leaf.statements.starts, clean(leaf.text)
    places = Places(text, starts[0], starts[1] if len(starts) > 1 else len(text), 0)
    types = [one.type for one in first[0].defines]
    written = [text[places.at(one.start) : places.at(one.end)] if isinstance(one, Cut) else one or "" for one in types]
    return any(is_owned_memory(one) or named(one) for one in written)
