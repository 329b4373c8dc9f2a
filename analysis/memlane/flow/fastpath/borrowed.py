"""Buffers that are lent to functions: passed to calls, which come back and neither free nor keep them.

What a call does in general says so without following the one who calls: where no way it may go frees the buffer, none
does that is left once more is known of what is passed. Buffers of the caller that are only used and lent need not be
followed at all: a buffer that is neither freed nor returned has no violations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.interproc.summary_engine import Ways
from memlane.flow.memory.call_arguments import passed_scalars, passing
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.unknown_op_aliases import may_lend
from memlane.syntax.tree.tree import Op, Value


class Lending:
    """What the calls of one function do to buffers they are passed."""

    def __init__(self, program: Program, flow: FunctionFlow) -> None:
        self._program = program
        self._flow = flow

    def lends(self, call: Op, cluster: Cluster) -> bool:
        """See `single_block.Lends`: the buffers of the cluster are one. A call comes back in any case where one of its
        ways is taken whatever is passed."""
        ways = self._ways(call, dict.fromkeys(cluster.root, 0))
        if not ways or all(way.conditions or way.stays for way in ways):
            return False
        effects = [effect for way in ways for effect in way.groups]
        return not any(effect.freed is not None or effect.escaped or effect.unsure for effect in effects)

    def keeps(self, call: Op, cluster: Cluster) -> bool:
        """Whether a call may put one of the buffers where others find it."""
        ways = self._ways(call, dict.fromkeys(cluster.root, 0))
        return any(effect.escaped for way in ways or () for effect in way.groups)

    def takes(self, call: Op, cluster: Cluster) -> bool:
        """Whether a call may free one of the buffers, or put it where others find it."""
        ways = self._ways(call, dict.fromkeys(cluster.root, 0))
        return ways is None or any(effect.freed is not None or effect.escaped for way in ways for effect in way.groups)

    def harmless(self, clusters: Sequence[Cluster]) -> bool:
        """Whether clusters that are followed together are buffers of the caller with which nothing can go wrong."""
        if any(one.kind is not OriginKind.ARGUMENT for cluster in clusters for one in cluster.origins):
            return False
        calls: dict[Op, None] = {}
        for cluster in clusters:
            root = cluster.root
            for op in {use.op: None for value in root for use in value.uses}:
                effects = effects_at(self._flow.graph, op)
                ends = (*effects.packed, *(free.value for free in effects.frees))
                if any(value in root for value in ends) or self._hands_out(effects.returned, root):
                    return False
                if self._flow.graph.call(op) is not None:
                    calls[op] = None
        names = frozenset[Value]().union(*(cluster.root for cluster in clusters))
        return all(self._spares(call, names) for call in calls)

    def _hands_out(self, returned: Sequence[Value], root: Mapping[Value, Value]) -> bool:
        """Whether a buffer is handed to the caller for more than a guess, or once more under the same name."""
        named = [value for value in returned if value in root]
        lent = any(may_lend(self._flow.graph, root[value], value) for value in named)
        return lent or len({root[value] for value in named}) < len(named)

    def _spares(self, call: Op, names: Set[Value]) -> bool:
        """Whether what is called frees none of the buffers, whatever else it is passed."""
        may = self._program.may_free(call)
        return may is not None and may.isdisjoint(passing(self._flow.graph, call).among(names))

    def _ways(self, call: Op, numbers: Mapping[Value, int]) -> Ways | None:
        """The ways a call may go, whatever is known where it is. `numbers`: of the buffers that values are."""
        passed = passing(self._flow.graph, call)
        met: dict[int, int] = {}
        partition: list[int | None] = [None] * len(passed.values)
        for at in passed.among(numbers):
            value = passed.values[at]
            partition[at] = met.setdefault(numbers[value], len(met)) if value is not None else None
        return self._program.followed(call, tuple(partition), passed_scalars(self._flow.graph, call).plain, ())
