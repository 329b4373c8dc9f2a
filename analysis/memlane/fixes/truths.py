"""Truth values and inverted flags that edits need: one of the program's own where there is one, else one new one each.

A name is given when it is asked for; where its statement goes is known when all are, before the first place that asks
and the last that comes before all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from memlane.dialects import builtin_models
from memlane.fixes import printer
from memlane.fixes.edit_writer import Writer
from memlane.fixes.printer import TakenNames
from memlane.fixes.scope import Scope
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.scalars.expressions import scalar_of
from memlane.syntax.tree.tree import Op, Value


@dataclass(slots=True)
class Truths:
    """Those of one function.

    Args:
        graph: its control flow.
        writer: takes the statements.
        used: names that are taken; those of new values are added.
    """

    graph: Graph
    writer: Writer
    used: TakenNames
    _scope: Scope = field(init=False)
    _own: dict[bool, list[Value]] | None = None
    _new: dict[bool, tuple[str, Op]] = field(default_factory=dict[bool, tuple[str, Op]])
    _inverted: dict[Value, list[tuple[str, Op]]] = field(default_factory=dict[Value, list[tuple[str, Op]]])

    def __post_init__(self) -> None:
        self._scope = Scope(self.graph, {})

    def name(self, before: Op, truth: bool) -> str:
        """The name of a constant that is defined before `before`."""
        if self._own is None:
            self._own = {False: [], True: []}
            for value in truth_constants(self.graph):
                self._own[scalar_of(self.graph, value) == ("const", 1)].append(value)
        own = next((value for value in self._own[truth] if self._scope.sees_before(before, value)), None)
        if own is not None:
            return own.name
        name, place = self._new.get(truth) or (printer.fresh("%true" if truth else "%false", self.used), before)
        self._new[truth] = name, self._common(place, before)
        return name

    def inverted(self, before: Op, flag: Value) -> str:
        """The name of what is true where `flag` is false, defined before `before`."""
        known = self._inverted.setdefault(flag, [])
        for name, place in known:
            above = ancestor(before, place.parent)
            if above is not None and place.index <= above.index:
                return name
        name, _ = self.inversion(before, flag)
        known.append((name, before))
        return name

    def inversion(self, before: Op, flag: Value) -> tuple[str, str]:
        """A new name, and the statement that inverts `flag`; the constant it takes is defined before `before`."""
        name = printer.fresh(printer.derived(flag.name, "not"), self.used)
        return name, f"{name} = arith.xori {flag.name}, {self.name(before, True)} : i1"

    def finish(self) -> None:
        """Write what was asked for."""
        for flag, several in self._inverted.items():
            for name, place in several:
                self.writer.before(place, [f"{name} = arith.xori {flag.name}, {self.name(place, True)} : i1"], True)
        for truth, (name, place) in self._new.items():
            self.writer.before(place, [f"{name} = {_constant(place, 'true' if truth else 'false')}"], True)

    def _common(self, first: Op, second: Op) -> Op:
        """An op before which is defined what is to be seen before both."""
        around: dict[object, Op] = {}
        op = first
        while op.parent is not None and op is not self.graph.function:
            around[op.parent.region] = op
            op = op.parent.region.op
        op = second
        while op.parent is not None and op.parent.region not in around:
            op = op.parent.region.op
        assert op.parent is not None
        other = around[op.parent.region]
        if other.parent is op.parent:
            return min(op, other, key=lambda one: one.index)
        entry = op.parent.region.blocks[0]
        return next((one for one in (op, other) if one.parent is entry), entry.ops[-1])


def truth_constants(graph: Graph) -> Iterator[Value]:
    """The constants of one bit of a function, in text order."""
    for op in graph.function.walk():
        model = graph.models.of(op.name)
        if model is not None and model.compute == "constant" and [one.type for one in op.results] == ["i1"]:
            yield op.results[0]


def _constant(before: Op, truth: str) -> str:
    """A truth value, in the dialect of the function around if that has its own: others are not lowered there."""
    own = f"{printer.dialect(before.parent)}.mlir.constant"
    return f"{own}({truth}) : i1" if own in builtin_models().ops else f"arith.constant {truth}"
