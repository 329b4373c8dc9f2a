"""Whose a buffer is that a name receives: block and region arguments, results of region ops, selects and calls.

In a few words: `owned` (this function has to free it), `borrowed` (it must not), `owned if %c`, `alias of %a`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from memlane.dialects.model import Guard, OpModel
from memlane.flow import FunctionFlow, Origin, OriginKind, Program
from memlane.flow.cfg.edge import Edge
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.ide.limits import MAX_NESTED_CALLS, MAX_OWNER_NAMES
from memlane.syntax.tree.tree import Op, Use, Value


@dataclass(frozen=True, slots=True)
class Received:
    """A name and what it receives.

    Args:
        words: what there is to say.
        sources: the values that flow into it, in text order.
    """

    value: Value
    words: str
    sources: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Flow:
    """A value that flows into a name, and the flag that decides about it: None where none does."""

    source: Value
    flag: Value | None = None
    wanted: bool = True


def received(program: Program, flow: FunctionFlow, op: Op) -> Iterator[Received]:
    """What the names receive that `op` defines: its results, and the arguments of its blocks."""
    if flow.graph.call(op) is not None:
        yield from _called(program, flow, op)
        return
    cluster_of = program.aliases(flow).cluster_of
    arguments = (value for region in op.regions for block in region.blocks for value in block.arguments)
    if all(cluster_of(value) is None for value in chain(op.results, arguments)):
        return  # loops over numbers, and most others
    flows = _flows(flow, op)
    for value in flows:
        sources = _outside(flows, value)
        words = _words(program, flow, value, sources)
        if words:
            named = {one.source: None for one in sources if one.source is not value}
            yield Received(value, words, tuple(sorted(named, key=lambda one: one.span)))


def may_receive(model: OpModel | None, op: Op) -> bool:
    """Whether `received` may have something to say of what `op`, of that model, defines; False is sure."""
    if op.regions or not op.results or model is None:
        return bool(op.regions)
    return model.call is not None or model.compute == "select"


class FreedArguments:
    """Whether functions of a program free what they are passed. Each is looked into once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[Op, int], bool | None] = {}
        self._depth = 0

    def by_call(self, flow: FunctionFlow, call: Op, value: Value) -> bool | None:
        """Whether a call in `flow` of a named function frees `value` whenever it is executed; None: it never does."""
        if call.symbol is None or flow.graph.call(call) is None:
            return None
        passed = [at for at, one in enumerate(arguments_of(flow.graph, call)) if one is value]
        found = [self.by_function(callee, at) for callee in self._program.callees(call) for at in passed]
        return all(found) if any(one is not None for one in found) else None

    def by_function(self, flow: FunctionFlow, at: int) -> bool | None:
        """Whether a function frees its argument of that position whenever it is called: by an op that stands in no
        region and behind no branch, without a condition; None: it never does."""
        key = flow.op, at
        if key not in self._known and self._depth < MAX_NESTED_CALLS:
            self._known[key] = None  # the answer of a call inside itself
            self._depth += 1
            self._known[key] = self._looked_into(flow, at)
            self._depth -= 1
        return self._known.get(key)

    def _looked_into(self, flow: FunctionFlow, at: int) -> bool | None:
        entry, formals, found = flow.graph.entry, formals_of(flow.graph), None
        cluster = self._program.aliases(flow).cluster_of(formals[at]) if entry and at < len(formals) else None
        names = [name for name, root in cluster.names if root is formals[at]] if cluster is not None else []
        for use in (use for name in names for use in name.uses):
            freed = self.by_use(flow, use)
            if freed is not None:
                found = bool(found) or (freed and entry is use.op.parent)
        return found

    def by_use(self, flow: FunctionFlow, use: Use) -> bool | None:
        """Whether an op frees what it uses whenever it is executed; None: it never does."""
        frees = [free for free in effects_at(flow.graph, use.op).frees if free.value is use.value]
        if frees:
            return any(not free.condition and not free.retained for free in frees)
        return self.by_call(flow, use.op, use.value) if use.value is not None else None


def _called(program: Program, flow: FunctionFlow, call: Op) -> Iterator[Received]:
    """Results of a call."""
    arguments = arguments_of(flow.graph, call)
    for result in call.results:
        cluster = program.aliases(flow).cluster_of(result)
        if cluster is None:
            continue
        fresh, positions = _returned(program, call, result.index)
        known = (arguments[position] for position in positions if position < len(arguments))  # a call may have too few
        sources = [value for value in known if value is not None]
        names = _named(sources)
        words = "owned" if fresh else "borrowed"
        yield Received(result, f"{words} or {names}" if fresh and names else names or words, tuple(sources))


def _returned(program: Program, call: Op, index: int) -> tuple[bool, list[int]]:
    """Whether a call's result may be new memory, and which arguments it may be."""
    callee = program.callee(call)
    return returned_by(program, callee, index) if callee is not None else (True, [])


def returned_by(program: Program, callee: FunctionFlow, index: int) -> tuple[bool, list[int]]:
    """Whether a function's result may be new memory, and which arguments it may be."""
    fresh, positions = False, set[int]()
    for block in callee.op.regions[0].blocks:
        returned = effects_at(callee.graph, block.ops[-1]).returned if block.ops else ()
        cluster = program.aliases(callee).cluster_of(returned[index]) if index < len(returned) else None
        for origin in cluster.origins if cluster else ():
            fresh = fresh or origin.owned
            if origin.kind is OriginKind.ARGUMENT:
                positions.add(origin.value.index)
    return fresh, sorted(positions)


def _flows(flow: FunctionFlow, op: Op) -> dict[Value, list[_Flow]]:
    """What flows into the names that `op` defines."""
    graph = flow.graph
    found: dict[Value, list[_Flow]] = {}
    if graph.selects(op) and len(op.operands) == 3 and op.results:
        flag, then, other = (use.value for use in op.operands)
        if flag is not None and then is not None and other is not None:
            found[op.results[0]] = [_Flow(then, flag), _Flow(other, flag, wanted=False)]
    entries = graph.entries(op) if op.regions else ()
    for edge in entries:
        _bind(found, edge, _flag(edge))
    entered = {edge.block.region: _flag(edge) for edge in entries if edge.block is not None}
    for region in op.regions:
        for block in region.blocks:
            for edge in graph.exits(block):
                _bind(found, edge, _flag(edge) or (entered.get(region) if edge.block is None else None))
    return found


def _outside(flows: dict[Value, list[_Flow]], value: Value) -> list[_Flow]:
    """What flows into a name, on the way through others that the same op defines, too."""
    found: list[_Flow] = []
    seen = {value}
    pending = list(reversed(flows[value]))
    while pending:
        one = pending.pop()
        if one.source not in flows:
            found.append(one)
        elif one.source not in seen:
            seen.add(one.source)
            pending += [_Flow(other.source) for other in reversed(flows[one.source])]
    return found


def _bind(found: dict[Value, list[_Flow]], edge: Edge, flag: tuple[Value, bool] | None) -> None:
    for source, target in edge.bindings:
        if source is not None:
            found.setdefault(target, []).append(_Flow(source, *flag) if flag else _Flow(source))


def _flag(edge: Edge) -> tuple[Value, bool] | None:
    """The flag that decides about an edge, and what it has to be."""
    if edge.guard not in (Guard.TRUE, Guard.FALSE) or edge.number >= len(edge.place.operands):
        return None
    value = edge.place.operands[edge.number].value
    return (value, edge.guard is Guard.TRUE) if value is not None else None


def _words(program: Program, flow: FunctionFlow, value: Value, flows: list[_Flow]) -> str:
    aliases = program.aliases(flow)
    if aliases.cluster_of(value) is None:
        return ""
    roots = {one.source: aliases.root.get(one.source) for one in flows}
    others = [one for one in flows if roots[one.source] is not value and one.source is not value]
    if len({roots[one.source] for one in others}) <= 1:
        return _named([one.source for one in others])
    origins = {origin.value: origin for origin in getattr(aliases.cluster_of(value), "origins", ())}
    owned = [one for one in others if _owned(origins, roots[one.source])]
    if len(owned) in (0, len(others)):
        return _named([one.source for one in others]) if owned else "borrowed"
    if len(owned) == 1 and len(others) == 2 and owned[0].flag is not None:
        return f"owned {'if' if owned[0].wanted else 'unless'} {owned[0].flag.name}"
    return "owned on some paths"


def _owned(origins: dict[Value, Origin], root: Value | None) -> bool:
    origin = origins.get(root) if root is not None else None
    return origin is None or origin.owned


def _named(values: list[Value]) -> str:
    """`alias of %a or %b`."""
    names = list(dict.fromkeys(value.name for value in values))
    if not names:
        return ""
    return f"alias of {' or '.join(names)}" if len(names) <= MAX_OWNER_NAMES else f"one of {len(names)} buffers"
