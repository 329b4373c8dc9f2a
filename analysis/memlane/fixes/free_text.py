"""The lines that free a buffer at a site, or that one of the statements there is used again for it."""

from __future__ import annotations

from functools import cached_property

from memlane.dialects import select
from memlane.dialects.model import ViewKind
from memlane.fixes import printer
from memlane.fixes.custom_free import fits, kinds
from memlane.fixes.decision_tree import ALWAYS
from memlane.fixes.edit_writer import Writer
from memlane.fixes.free_effects import PlannedFree
from memlane.fixes.free_statements import FreeStatements
from memlane.fixes.returned_buffers import of_allocators
from memlane.fixes.scope import Scope
from memlane.flow.alias.origin import Origin
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.exploded_liveness import Lives
from memlane.syntax.tree.tree import Op, Value


class FreeText:
    """Writes deallocations of one cluster.

    Args:
        lives: its paths.
        writer: takes the declarations.

    Attributes:
        spare: deallocations that are taken out, in text order: what they say is used again.
        reused: those of which what they say is used again, by the site.
        names: those of values that are taken; who makes another adds it.
    """

    def __init__(self, lives: Lives, writer: Writer) -> None:
        self.spare: list[Op] = []
        self.reused: dict[PlannedFree, Op] = {}
        self._lives = lives
        self._writer = writer
        self._statements = FreeStatements(lives.graph, writer)
        self.names = self._statements.names
        self._known: dict[Origin, frozenset[Origin]] = {}

    def lines(self, site: PlannedFree) -> list[str] | None:
        """The user's own statement where one that frees this value is taken out; else new ones. None: none is known."""
        value = site.value if site.edge is not None or fits(site.value, self._kinds) else self._view(site)
        new = self._statements.of(value, self.origins(site))
        name = printer.name(new)
        if site.tree is ALWAYS and site.edge is None:
            for op in self.spare:
                if name in (None, op.name) and self._fits(op, site):
                    self.spare.remove(op)
                    self.reused[site] = op
                    return [self._writer.statement(op)]
        return self._statements.declared(new)

    def _fits(self, op: Op, site: PlannedFree) -> bool:
        """Whether `op`, which is taken out, does what the site wants: what else it names has to be there, too."""
        named = [use.value for use in op.operands]
        model = self._lives.graph.models.of(op.name)
        if len(named) > 1 and model is not None and len(model.free) == 1:
            freed = [use.value for use in select(op, model.free[0].operands, model)]
            others = [value for value in named if value is not site.value]
            return freed == [site.value] and all(one and self._scope.sees(site.point, one) for one in others)
        return named == [site.value]

    def _view(self, site: PlannedFree) -> Value:
        """Another name of the same memory, of a type that the deallocation takes; the given one if no such name
        exists."""
        alike = [value for value, root in self._lives.part.root.items() if root is site.value]
        fitting = [value for value in alike if fits(value, self._kinds) and self._scope.sees(site.point, value)]
        return next((value for value in reversed(fitting) if self._is_whole(value, site.value)), site.value)

    def _is_whole(self, value: Value, source: Value) -> bool:
        """Whether a view shows all of what it is of, from its start."""
        while value is not source:
            views = effects_at(self._lives.graph, value.op).views if value.op is not None else ()
            found = next((view for view in views if view.result is value), None)
            if found is None or found.unsure or found.kind is not ViewKind.WHOLE or len(found.sources) != 1:
                return False
            value = found.sources[0]
        return True

    @cached_property
    def _kinds(self) -> frozenset[str | None]:
        return kinds(self._lives.part.origins)

    @cached_property
    def _scope(self) -> Scope:
        return Scope(self._lives.graph, self._lives.part.stops)

    def origins(self, site: PlannedFree) -> set[Origin]:
        """Where the buffers come from that are freed there."""
        nodes = [self._lives.nodes[number] for number in self._lives.at[site.point]]
        held = [node.heap[i] for node in nodes if (i := node.holding(site.value)) is not None]
        return {origin for instance in held if instance.origin.owned for origin in self._sources(instance.origin)}

    def _sources(self, origin: Origin) -> frozenset[Origin]:
        found = self._known.get(origin)
        if found is None:
            paths = self._lives.paths
            found = self._known[origin] = of_allocators(paths.program, paths.flow, paths.cluster, origin)
        return found
