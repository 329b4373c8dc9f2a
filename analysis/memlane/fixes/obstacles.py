"""Why a buffer cannot be allocated elsewhere, or not at all: what keeps the rules of advice from giving it.

"" where there is nothing that one would want to do: a buffer outside of loops need not leave one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from memlane.flow import FunctionFacts, FunctionFlow, Origin
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.memory_space import memory_space
from memlane.rules._plain import Plain, counted, defined_inside, for_nothing, plain_buffers, repeated
from memlane.syntax.tree.tree import Block, Op

NOT_ALONE = "the operation that allocates or frees it does more than that"
_WRONG = "something is wrong with how it is used or freed"
_NOT_DESCRIBED = "the control flow of {} is not declared"
_NEVER_FREED = "nothing in this function frees it"
_FREED_OFTEN = "it is freed at several places"
_FREED_ELSEWHERE = "it is not freed in the block that allocates it"
_NOT_FOLLOWED = "it may be kept, or be given another name, where that cannot be followed"
_FILLED = "it is made with contents"
_BRANCHES = "the loop is made of branches between blocks"
_CONDITION = "not every iteration of the loop allocates it"
_PARALLEL = "the iterations of the loop may run at the same time: each needs a buffer of its own"
_INSIDE = "its size depends on {}, which is computed in the loop"
_NOT_COUNTED = "it is unknown how often the loop runs"
_OTHER_BLOCK = "{} of the same type is allocated in another block"
_STILL_USED = "{} of the same type is still used behind the allocation"
_SIZE = "its size is not known"
_ATTRIBUTES = "{} of the same type is allocated with other attributes"
_REPEATED = "a loop may allocate it again before the stack is given back, when the function returns"


class Obstacles:
    """Those for one buffer.

    Args:
        facts: of `flow`.
        cluster: what the buffer may be known as; its only buffer.
        origin: the buffer.
    """

    def __init__(self, facts: FunctionFacts, flow: FunctionFlow, cluster: Cluster, origin: Origin) -> None:
        self._facts, self._flow = facts, flow
        self._graph = flow.graph
        self._cluster = cluster
        self._origin = origin

    def of(self, rule: str) -> str:
        """Why the rule proposes nothing for the buffer."""
        asked: dict[str, Callable[[Op, Block], str]] = {
            "loop-invariant-alloc": self._hoisting,
            "early-alloc": self._sinking,
            "reusable-buffer": self._reuse,
            "stack-promotable": self._stack,
        }
        made = self._origin.value.op
        if rule not in asked or made is None or made.parent is None:
            return ""
        return asked[rule](made, made.parent)

    @cached_property
    def _plains(self) -> list[Plain]:
        return list(plain_buffers(self._facts, self._flow))

    @cached_property
    def _plain(self) -> Plain | None:
        return next((one for one in self._plains if one.origin is self._origin), None)

    @cached_property
    def _not_plain(self) -> str:
        """Why the buffer is not one that is made, used and freed in one block whatever path is taken."""
        if self._plain is not None:
            return ""
        if any(incident.origin is self._origin for incident in self._facts.incidents):
            return _WRONG
        doubt = self._facts.doubts.of(self._cluster)
        if doubt:
            return _NOT_DESCRIBED.format(doubt)
        ops = {use.op: None for value in self._cluster.root for use in value.uses}
        freeing = [op for op in ops if effects_at(self._graph, op).frees]
        if len(freeing) != 1:
            return _FREED_OFTEN if freeing else _NEVER_FREED
        made = self._origin.value.op
        elsewhere = made is not None and freeing[0].parent is not made.parent
        return _FREED_ELSEWHERE if elsewhere else _NOT_FOLLOWED

    def _hoisting(self, made: Op, block: Block) -> str:
        loop, graph = repeated(self._graph, made), self._graph
        if loop is None:
            return ""
        if self._plain is None or self._plain.filled:
            return self._not_plain or _FILLED
        if block.region.op is not loop:
            return _BRANCHES if loop.successors else _CONDITION
        model = graph.model(loop)
        if model is not None and model.parallel:
            return _PARALLEL
        inside = next((use for use in made.operands if use.value is None or defined_inside(use.value, loop)), None)
        if inside is not None:
            return _INSIDE.format(inside.name)
        return _NOT_COUNTED if trip_of(graph, loop) is None else ""

    def _sinking(self, made: Op, block: Block) -> str:
        around = (ancestor(use.op, block) for use in self._origin.value.uses)
        first = min((op.index for op in around if op is not None), default=made.index + 1)
        if not counted(self._graph, block.ops[made.index + 1 : first]):
            return ""
        return self._not_plain or (_FILLED if self._plain is not None and self._plain.filled else "")

    def _reuse(self, made: Op, block: Block) -> str:
        mine = self._origin.value.type
        alike = [one for one in self._plains if one.origin.value.type == mine and one.made.span < made.span]
        if not alike or mine is None:
            return ""
        if self._plain is None or self._plain.filled:
            return self._not_plain or _FILLED
        if self._plain.size is None or self._plain.size.bytes is None:
            return _SIZE
        other = alike[-1]
        if other.made.parent is not block:
            return _OTHER_BLOCK.format(other.name)
        if other.held and other.held[-1].index >= made.index:
            return _STILL_USED.format(other.name)
        return _ATTRIBUTES.format(other.name) if dict(other.made.attributes) != dict(made.attributes) else ""

    def _stack(self, made: Op, block: Block) -> str:
        heap = self._graph.models.resources.get("heap")
        if heap is None or made.name != heap.alloc or memory_space(self._origin.value.type or ""):
            return ""
        if self._plain is None:
            return self._not_plain
        if for_nothing(self._graph, self._plain):
            return ""
        if repeated(self._graph, made) is not None:
            return _REPEATED
        return _SIZE if self._plain.size is None or self._plain.size.bytes is None else ""
