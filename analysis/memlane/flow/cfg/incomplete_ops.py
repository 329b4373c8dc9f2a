"""Incomplete operations, as while a user types them: their operands are not known yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import attrgetter
from typing import NamedTuple

from memlane.dialects import select
from memlane.dialects.model import OpModel, Selector
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.shapes.vocabulary import registered, vocabulary
from memlane.syntax.tree.tree import Block, Op

_VALUE = attrgetter("value")


class _Found(NamedTuple):
    """Of a block: its ops that are only begun, and those with regions."""

    begun: tuple[Op, ...]
    holders: tuple[Op, ...]


class _Needs(NamedTuple):
    """What an op of a model needs: whether it uses memory at all, and what of that has to be there besides operands.
    `frees`: giving memory back is all it does."""

    any: bool
    frees: bool
    write: tuple[Selector, ...]
    single: tuple[Selector, ...]


class Begun:
    """Those of a function, block by block: most blocks stay as they are when the text is edited."""

    def __init__(self) -> None:
        self._known: dict[Block, _Found] = {}
        self._needs: dict[str, _Needs | None] = {}

    def of(self, graph: Graph) -> Iterator[Op]:
        """All of them, in no particular order."""
        pending = [graph.function]
        while pending:
            for block in (block for region in pending.pop().regions for block in region.blocks):
                found = self._known.get(block)
                if found is None:
                    begun = tuple([op for op in block.ops if self._is_begun(graph, op)])
                    found = self._known[block] = _Found(begun, tuple([op for op in block.ops if op.regions]))
                yield from found.begun
                pending += found.holders

    def put_right(self, graph: Graph, gone: Collection[Op], others: Collection[Op]) -> None:
        """Bring the blocks of an edit up to date: ops are gone with all that is in them, others new or use something
        else. What is in ops that use something else is looked at again."""
        inner = {block for op in others for region in op.regions for block in region.blocks}
        known = self._known.items()
        self._known = {one: found for one, found in known if one not in inner and one.region.op not in gone}
        for block in self._known.keys() & {op.parent for op in (*gone, *others)}:
            begun, holders = ([op for op in ops if op not in gone and op not in others] for ops in self._known[block])
            here = [op for op in others if op.parent is block and op not in gone]
            begun += [op for op in here if self._is_begun(graph, op)]
            holders += [op for op in here if op.regions]
            self._known[block] = _Found(tuple(begun), tuple(holders))

    def _of(self, graph: Graph, name: str) -> _Needs | None:
        if name not in self._needs:
            model = graph.models.of(name)
            self._needs[name] = _needs(model) if model is not None else None
        return self._needs[name]

    def _is_begun(self, graph: Graph, op: Op) -> bool:
        """Whether an op lacks what it is to use, or its name."""
        needs = self._of(graph, op.name)
        if needs is not None and needs.frees:
            return False
        if op.unparsed or None in map(_VALUE, op.operands) or (op.regions and _lacks_body(graph, op)):
            return True
        if needs is None:
            return not (op.operands or op.types or op.regions) and _is_no_name(op.name)
        if not op.types and graph.unsettled(op) is not None:
            return True
        if op.operands and not needs.write and not needs.single:
            return False
        model = graph.models.of(op.name)
        assert model is not None
        if model.call is not None:
            return not op.operands and ":" not in graph.source[op.name_span.end : op.span.end]
        if not op.operands or (needs.write and not any(_buffers(op, one, model) for one in needs.write)):
            return needs.any
        return any(not select(op, one, model) for one in needs.single)


def incomplete_ops(graph: Graph) -> Iterator[Op]:
    """Those of a function, in no particular order."""
    return query(graph, known_incomplete).of(graph)


def known_incomplete(_: Graph) -> Begun:
    """What is known of the blocks of a function: it stays over edits."""
    return Begun()


def _needs(model: OpModel) -> _Needs:
    used = (*model.read, *model.write, *(view.of for view in model.view))
    single = tuple([one for one in used if one.group is None and one.stop is not None])
    return _Needs(bool(used), bool(model.free) and not (used or model.alloc), model.write, single)


def _buffers(op: Op, selector: Selector, model: OpModel) -> bool:
    """Whether what an op is to write to is there: else it is what comes behind that."""
    return any(use.value is not None and may_hold_buffer(use.value.type) for use in select(op, selector, model))


def _lacks_body(graph: Graph, op: Op) -> bool:
    """Whether nothing stands yet in the regions of an op that has some, and has to. Where that changes the op is
    another: the last op of a block is not put right (`difference` in query/changes.py)."""
    if any(block.ops for region in op.regions for block in region.blocks):
        return False
    model = graph.models.of(op.name)
    return model is None or bool(op.results) or not model.only_leads


def _is_no_name(name: str) -> bool:
    """Whether there is no operation of that name: it has no dialect, or one that is known and has none such."""
    dialect, _, rest = name.partition(".")
    return not rest or (dialect in vocabulary() and not registered(name))
