"""Which way a switch goes where the number that it asks is known: n states at one of n cases would be a square."""

from __future__ import annotations

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.state import State
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.symbolic.scalar import simplify
from memlane.flow.typestate.limits import MIN_EDGES


class Cases:
    """See the module. `graph`: of which the edges are."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._by_case: dict[Edge, dict[int | None, list[Edge]]] = {}
        """By the first of some edges."""

    def taken(self, edges: tuple[Edge, ...], state: State) -> tuple[Edge, ...] | list[Edge]:
        """Those of the edges that may be taken, as far as it takes no trying; all, where nothing is known."""
        if len(edges) < MIN_EDGES or edges[0].guard is not Guard.CASE:
            return edges
        asked = condition_of(self._graph, edges[0])
        known = simplify(asked, dict(state.facts)) if asked is not None else None
        if known is None or known[0] != "const":
            return edges
        cases = self._cases(edges)
        return (cases.get(known[1]) or cases.get(None, [])) if cases else edges

    def _cases(self, edges: tuple[Edge, ...]) -> dict[int | None, list[Edge]]:
        """The edges by their numbers; none where something else may decide as well."""
        cases = self._by_case.get(edges[0])
        if cases is None:
            cases = self._by_case[edges[0]] = {}
            place = edges[0].place
            for edge in edges if all(one.guard is Guard.CASE and one.place is place for one in edges) else ():
                cases.setdefault(edge.case, []).append(edge)
        return cases
