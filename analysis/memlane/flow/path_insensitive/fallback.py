"""The buffers of a group whose paths are too many to follow: what may happen to them, all paths taken together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.interproc.calling_contexts import told_apart
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.path_insensitive.all_paths import Joined, incidents, joined
from memlane.flow.path_insensitive.limits import MAX_OPS_ALWAYS_SOLVED, MAX_SET_BITS, MAX_STEPS_ALONE
from memlane.flow.path_insensitive.transfer_call import RoughCallees
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.cluster_result import Incident

STEPS_ALONE_PER_OP = 10


class Remaining:
    """See the module.

    Args:
        program, flow: the function.
        clusters: the group.
        callees: what calls do.
        parts: takes what is looked at.

    Attributes:
        origins: those that are too much.
    """

    def __init__(
        self,
        program: Program,
        flow: FunctionFlow,
        clusters: Sequence[Cluster],
        callees: RoughCallees,
        parts: list[Slice],
    ) -> None:
        self._program, self._flow, self._clusters = program, flow, clusters
        self._callees, self._parts = callees, parts
        self.origins: list[Origin] = []

    def enough(self, spent: int) -> bool:
        """Whether following more buffers one by one is not worth it, after so many steps of that."""
        return spent > MAX_STEPS_ALONE + STEPS_ALONE_PER_OP * self._flow.operations and self._joined is not None

    def incidents(self) -> list[Incident] | None:
        """What may go wrong with them; None: that is too much, in a function that is not `MAX_OPS_ALWAYS_SOLVED`."""
        if not self.origins:
            return []
        return None if self._joined is None else list(incidents(self._flow.graph, self._joined, self.origins))

    @cached_property
    def _joined(self) -> list[Joined] | None:
        graph = self._flow.graph
        part = Slice(graph, self._clusters, whole=True)
        self._parts.append(part)
        buffers = sum(len(cluster.origins) for cluster in self._clusters)
        if self._flow.operations >= MAX_OPS_ALWAYS_SOLVED and part.points() * buffers > MAX_SET_BITS:
            return None
        contexts = told_apart(graph, part, self._program.contexts(self._flow))
        return joined(graph, part, self._clusters, self._callees, contexts)
