"""Which buffer of one node of explored paths is which of the next (exploded_liveness.py)."""

from __future__ import annotations

from memlane.flow.cfg.edge import Edge
from memlane.flow.dataflow.state import Instance
from memlane.flow.effects.effects import ViewOf
from memlane.syntax.tree.tree import Value


def image(
    before: tuple[Instance, ...],
    after: tuple[Instance, ...],
    edge: Edge | None,
    results: tuple[Value, ...],
    root: dict[Value, Value],
    views: tuple[ViewOf, ...] = (),
) -> dict[int, int]:
    """Which buffer became which: by the names that stayed, else by the values handed over. `results` and `views` are
    the op's, which may give what is in a slot (pointer_memory.py) to another name, or a slot another buffer."""
    moved = ((view.sources[0], view.result) for view in views if view.moves)
    bindings = (*(edge.bindings if edge is not None else ()), *moved)
    new = frozenset(receiver for _, receiver in bindings).union(results)
    found: dict[int, int] = {}
    holder_before = {holder: number for number, held in enumerate(before) for holder in held.holders}
    for number, held in enumerate(after):
        source = None
        for holder in held.holders:
            if holder not in new and (source := holder_before.get(holder)) is not None:
                break
        if source is None:
            source = _handed(held, bindings, root, holder_before)
        if source is not None:
            found[source] = number
    nameless = [(number, held) for number, held in enumerate(after) if not held.holders]
    for number, held in enumerate(before) if nameless else ():
        if number not in found:
            # All buffers without a name are one buffer, however many there were.
            now = next((other for other, one in nameless if _same(held, one)), None)
            if now is not None:
                found[number] = now
    return found


def _same(old: Instance, new: Instance) -> bool:
    return old.origin is new.origin and old.freed is new.freed


def _handed(
    held: Instance,
    bindings: tuple[tuple[Value | None, Value], ...],
    root: dict[Value, Value],
    holder_before: dict[Value, int],
) -> int | None:
    for value, receiver in bindings:
        if receiver in held.holders and value is not None and value in root:
            source = holder_before.get(root[value])
            if source is not None:
                return source
    return None
