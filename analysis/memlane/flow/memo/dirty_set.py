"""The ops of a function that mean something else after an edit, or may."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from memlane.dialects.model import Guard
from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.token_chains import joining, tagged
from memlane.flow.slicing.hidden_dependences import ties
from memlane.syntax.tree.tree import Block, Op, Use, Value, all_uses, used


class OpSpread:
    """What ops reach: those that use what they define or are tied to them (hidden_dependences.py), and so on.

    Args:
        graph: of the function.

    Attributes:
        ops: those that are reached.
        ends: the ops that hold the regions in which one of them ends a block.
        ended: the blocks of the function's body that one of them ends.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._tied: dict[Op, list[Op]] = {}
        for op, tie in ties(graph).items():
            for other in tie.before | tie.variable:
                self._tied.setdefault(other, []).append(op)
        self.ops: set[Op] = set()
        self.ends: set[Op] = set()
        self.ended: set[Block] = set()

    def around(self, op: Op) -> Iterator[Op]:
        """The ops around of which it matters whether their arguments are used."""
        while op.parent is not None and op is not self._graph.function:
            op = op.parent.region.op
            model = self._graph.model(op)
            if model is None or model.read_if_used:
                yield op

    def spread(self, pending: Collection[Op], asking: Op | None = None) -> None:
        """Add some ops with all that they reach. `asking`: one of them that forwards the same values, by another
        choice."""
        found = self._with_tied(pending)
        values = [value for op in found for value in self._defined(op, op is not asking)]
        seen = set(values)
        while values:
            for use in values.pop().uses:
                op = use.op
                hands = not self._asks(use)
                if op in found and not (hands and op.successors):
                    continue
                tied = self._with_tied((op,), found)
                new = {value for one in tied for value in self._defined(one, one is not op or hands)} - seen
                found |= tied
                seen |= new
                values += new
        self.ops |= found

    def _with_tied(self, ops: Iterable[Op], besides: Container[Op] = ()) -> set[Op]:
        """Some ops with all that are tied to them, but to `besides`."""
        found, pending = set(ops), [*ops]
        while pending and self._tied:
            those = [op for op in self._tied.get(pending.pop(), ()) if op not in found and op not in besides]
            found.update(those)
            pending += those
        return found

    def _asks(self, use: Use) -> bool:
        """Whether an op uses it only to choose between the blocks that it leads to."""
        model = self._graph.model(use.op) if use.op.successors and use.successor is None else None
        guards = model.successors if model is not None else ()
        return any(guard is not Guard.ALWAYS and number == use.index for guard, number in guards)

    def _defined(self, op: Op, hands: bool) -> Iterator[Value]:
        """What depends on what it does: its results, and what it hands over. `hands`: to other blocks as well."""
        yield from self._defined_by(op)
        for successor in op.successors if hands else ():
            if successor.block is not None:
                yield from successor.block.arguments
        if op is not self._graph.function and op.parent is not None and op.index == len(op.parent.ops) - 1:
            holder = op.parent.region.op
            self.ends.add(holder)
            if holder is not self._graph.function:
                yield from self._defined_by(holder)
            else:
                self.ended.add(op.parent)

    def _defined_by(self, holder: Op) -> Iterator[Value]:
        yield from holder.results
        for region in holder.regions:
            for block in region.blocks:
                yield from block.arguments


class DirtyOps(OpSpread):
    """The ops of some statements, those that use names which mean something else, and all that use what these define.

    Args:
        graph: of the function. `ops`: its ops, in text order.
        new: the positions of those that are new.
        names: which mean something else now, or may; with `%`.
        asks: see `TextChange`.
        tied: those that are tied to others than before.

    Attributes:
        plain: there is anything to go by: an op of the block in which something is new.
        named: the values that new ops use, and ops that use those names.
    """

    def __init__(
        self, graph: Graph, ops: Sequence[Op], new: range, names: Collection[str], asks: bool, tied: Iterable[Op] = ()
    ) -> None:
        super().__init__(graph)
        self.named: set[Value] = set()
        self.plain = False
        seeds = [ops[at] for at in new]
        anchor = seeds[0] if seeds else ops[new.stop] if new.stop < len(ops) else None
        if anchor is None or (seeds and anchor.parent is None):
            return
        self.plain = True
        asking = seeds[0] if asks else None
        if names:
            seeds += [op for op in ops if _uses_any(op, names)]
        pending = [*self.around(anchor), *tied]  # where something is new, or was
        for op in dict.fromkeys(seeds):
            self.named.update(used(op))
            pending.append(op)
            pending.extend(self.around(op))
        # What makes a value may be looked at for the sake of those who use it.
        makers = [value.op for value in self.named if value.op is not None]
        self.ops.update(makers)
        # Results that do not depend on an op of a chain (token_chains.py) may depend on a later one of the chain.
        pending += [op for op in makers if effects_at(graph, op).completion]
        pending += joining(graph, self.named)
        pending += tagged(graph, self.named)  # a tag is no result of what it stands for
        self.spread(pending, asking)


def _uses_any(op: Op, names: Collection[str]) -> bool:
    """Whether an op uses a value of some names. Each op of a function is asked."""
    for use in op.operands:
        name = use.name
        if name in names or ("#" in name and name.partition("#")[0] in names):
            return True
    return bool(op.successors) and any(use.name.partition("#")[0] in names for use in all_uses(op))
