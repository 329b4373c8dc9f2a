"""Whose a buffer is that a function gives which is declared only.

For memrefs the rules for function boundaries say it: the caller owns results. For a bare pointer no rule does: the
result of a library function may be a part of an object of its own. So a missing free of it is a possible leak only. The
same holds for pointers that functions of the program pass through, and for results of unknown functions and of those
without a body: such a result may be an argument, or point into one. Then the argument may be freed, or escape, by the
name of the result.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import EventKind
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.function import FunctionFlow, Question
from memlane.flow.interproc.indirect_calls import among
from memlane.flow.interproc.may_summary import may_give_back
from memlane.flow.interproc.out_of_sight import (
    is_freed,
    is_freed_by_another_name,
    is_perhaps_passed,
    may_be_freed,
    may_go_on,
    names_of,
    place_of_result,
)
from memlane.flow.interproc.program import Program
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.extern_aliases import Indirect, calls_undescribed
from memlane.flow.symbolic.type_layout import has_one_place
from memlane.flow.symbolic.types import is_integer, is_open, is_pointer
from memlane.flow.typestate.cluster_result import Incident, Unsettled
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value

_LOWERED = regex(r"!llvm\.struct<\(i\d+, ptr\)>$|struct<\(ptr(?:<\d+>)?, ptr(?:<\d+>)?, i\d+[,)]")
"""Memrefs in types of LLVM: those without a rank, and descriptors, also several and with numbers of any width."""

_OF_MEMORY = {EventKind.LEAK, EventKind.BORROWED_RETURN, EventKind.ALIASED_RESULTS}


def as_known(program: Program, flow: FunctionFlow, incidents: Iterable[Incident]) -> list[Incident]:
    """Incidents of a function, no more certain than the ownership of their buffers. Code that frees a buffer on some
    path shows that it owns it."""
    known: dict[Cluster, _Doubts] = {}
    freed: dict[Cluster, bool] = {}
    return [
        _as_known(program, flow, one, known)
        if one.certainty is Certainty.ALWAYS
        else _undescribed(program, flow, one, freed)
        for one in incidents
    ]


def _undescribed(program: Program, flow: FunctionFlow, incident: Incident, freed: dict[Cluster, bool]) -> Incident:
    """A possible incident; of a leak on the only path that is known, whether it is one for want of a description.

    Args:
        freed: whether something frees a buffer of clusters that were looked at.
    """
    if incident.kind is not EventKind.LEAK or not incident.unsure or incident.path:
        return incident  # of one that is certain, nothing is unsure
    cluster = program.aliases(flow).cluster_of(incident.origin.value)
    if cluster is not None and cluster not in freed:
        freed[cluster] = is_freed(program, flow, {*cluster.root})
    if cluster is None or freed[cluster]:
        return incident
    return replace(incident, unsettled=Unsettled.UNDESCRIBED)


def _as_known(program: Program, flow: FunctionFlow, incident: Incident, known: dict[Cluster, _Doubts]) -> Incident:
    """`known`: the doubts about clusters that were looked at."""
    if incident.kind is not EventKind.LEAK or incident.certainty is not Certainty.ALWAYS:
        return incident
    cluster = program.aliases(flow).cluster_of(incident.origin.value)
    doubts = _Doubts(False, False)
    if cluster is not None:
        doubts = known[cluster] = known.get(cluster) or _doubts(program, flow, cluster)
    unsettled = _unsettled(program, flow, incident.origin, doubts)
    return replace(incident, certainty=Certainty.SOME, unsettled=unsettled) if unsettled is not None else incident


def stays_the_callers(flow: FunctionFlow, argument: Value) -> bool:
    """Whether an argument belongs to the caller of a function, whatever that does: by the rules for function
    boundaries, where any may call it. They are about memrefs, also those lowered to their pointers and sizes; of a bare
    pointer no rule says it: `free` takes one, as what is made of it does."""
    if not flow.entry:
        return False
    arguments = argument.block.arguments if argument.block is not None else ()
    behind = [one.type for one in arguments[argument.index + 1 : argument.index + 3]]
    return not is_pointer(argument.type) or behind == [argument.type, "i64"]  # the pointers as allocated, and aligned


def of_memory(program: Program, flow: FunctionFlow, incidents: Iterable[Incident]) -> list[Incident]:
    """Incidents without those that are none if a value stands for no memory: what an undescribed function gives, or the
    function is passed, in a type of which nothing is said, is lost, lent or returned twice. Where it has another name
    that stands for memory, or is freed, it does."""
    return [one for one in incidents if one.kind not in _OF_MEMORY or not _is_open(program, flow, one.origin)]


def _is_open(program: Program, flow: FunctionFlow, origin: Origin) -> bool:
    memory, value = program.models.memory, origin.value
    if origin.kind is OriginKind.ALLOCATION or not is_open(value.type, memory):
        return False
    if value.op is not None and program.callees(value.op):
        return False
    names = names_of(program.aliases(flow), value)
    return all(is_open(name.type, memory) for name in names) and not is_freed(program, flow, names)


class _Doubts(NamedTuple):
    """Why a buffer of a cluster that is never freed may be none that is lost: work on one of them may go on, or what a
    call gives may be one of them, and is freed."""

    in_background: bool
    may_be_given_away: bool


def _doubts(program: Program, flow: FunctionFlow, cluster: Cluster) -> _Doubts:
    return _Doubts(may_go_on(program, flow, cluster.root), _may_be_given_away(program, flow, cluster.root))


def _unsettled(program: Program, flow: FunctionFlow, origin: Origin, doubts: _Doubts) -> Unsettled | None:
    """What is not known of a buffer in `flow` that is never freed. `doubts`: about its cluster."""
    if doubts.in_background:
        return Unsettled.BACKGROUND
    if doubts.may_be_given_away:
        names = names_of(program.aliases(flow), origin.value)
        if _may_be_given_away(program, flow, names):
            return Unsettled.OTHER_NAME
    if origin.kind is not OriginKind.CALL or origin.value.op is None:
        return None
    return Unsettled.OWNER if _has_no_owner(program, flow, origin.value, origin.value.op) else None


def _has_no_owner(program: Program, flow: FunctionFlow, value: Value, call: Op) -> bool:
    """Whether no rule says that the caller of the function that returns a buffer in `flow` owns it."""
    if is_perhaps_passed(program, flow, call, value):
        return True
    if not _bare(call, value):
        return False
    at = place_of_result(flow, call, value)
    callee = flow.calls.get(call)
    if callee is not None:
        return not _settles(program, callee, at)
    symbols = among(flow, call)
    return not symbols or not all(_gives(program, symbol, at) for symbol in symbols)


def _may_be_given_away(program: Program, flow: FunctionFlow, names: Collection[Value]) -> bool:
    """Whether what a call gives, which may be the buffer of some names, is freed or handed to the caller."""
    for name in names:
        if isinstance(name, Indirect) and (name.given_away or is_freed_by_another_name(program, flow, name)):
            return True
    if may_be_freed(program, flow, names):
        return True
    given = [name for name in names if name.op is not None and program.callees(name.op)]
    passed = [one for one in given if one.op is not None and is_perhaps_passed(program, flow, one.op, one)]
    return any(_is_given_away(program, flow, names_of(program.aliases(flow), name)) for name in passed)


def _is_given_away(program: Program, flow: FunctionFlow, names: set[Value]) -> bool:
    """Whether an op frees a buffer by one of some names, or hands it to the caller."""
    ops = {use.op: None for value in names for use in value.uses}
    effects = (effects_at(flow.graph, op) for op in ops)
    returned = any(value in names for one in effects for value in (*one.returned, *one.packed))
    return returned or is_freed(program, flow, names)


def _bare(call: Op, value: Value) -> bool:
    """Whether what a call gives are pointers of which the type says nothing."""
    whole = call.results[value.index].type if value.index < len(call.results) else value.type
    type_ = value.type or ""
    return (is_pointer(type_) or has_one_place(type_)) and not _LOWERED.search(whole or "")


def _gives(program: Program, symbol: str, at: int) -> bool:
    """Whether it is known that result `at` of a function is its caller's."""
    flows = program.named(symbol)
    if flows:
        return all(_settles(program, flow, at) for flow in flows)
    known = program.models.functions.get(symbol)
    return known is not None and bool(known.alloc)


def _settles(program: Program, flow: FunctionFlow, at: int) -> bool:
    """Whether result `at` of a function of the program, if a new buffer, has a known resource."""
    if flow.graph.entry is None:
        return False
    nothing = (None,) * len(formals_of(flow.graph))
    ways = program.answers.of(Question(flow, nothing, nothing, (at,)))
    sources = [dict(way.results).get(at) for way in ways or ()]
    return not any(source is not None and source.fresh and source.resource is None for source in sources)


def may_be_another(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether a buffer of a cluster may be an argument of a call, or be freed or escape as a result of one."""
    values = (origin.value for origin in cluster.origins if origin.kind is OriginKind.CALL)
    passed = any(one.op is not None and is_perhaps_passed(program, flow, one.op, one) for one in values)
    return passed or _may_be_given_away(program, flow, cluster.root)


def may_be_passed(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether a buffer of a cluster may be one that the call was passed which gives it."""
    calls = (origin.value.op for origin in cluster.origins if origin.kind is OriginKind.CALL)
    return any(call is not None and may_give_back(program, flow, call) for call in calls)


def may_be_kept(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether a function without a body and without a model may keep a buffer of a cluster for later: it is passed the
    address of one, perhaps by way of others. A memref, also a lowered one, is lent, by the rules for function
    boundaries."""
    return bool(_keeping(program, flow, cluster))


def may_be_used_unseen(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether another call in the function may use a buffer of a cluster that may have been kept."""
    graph, keeping = flow.graph, _keeping(program, flow, cluster)
    if not keeping:
        return False
    names = (name for name, model in graph.named_models.items() if model is not None and model.call is not None)
    return any(graph.call(op) is not None and op not in keeping for name in names for op in graph.named[name])


def _keeping(program: Program, flow: FunctionFlow, cluster: Cluster) -> set[Op]:
    """The calls in a function by which a buffer of a cluster may be kept."""
    found = _passing(flow.graph, cluster)
    return {call for call, at in found if _may_keep(program, flow, call, at)}


def _may_keep(program: Program, flow: FunctionFlow, call: Op, at: int) -> bool:
    """Whether what a call does with the address that it is passed may be to keep it."""
    pending = [(flow, call, at)]
    seen: set[tuple[FunctionFlow, int]] = set()
    while pending:
        caller, op, position = pending.pop()
        poll()
        if calls_undescribed(caller.graph, op):
            return True
        for callee in program.callees(op):
            formals = formals_of(callee.graph)
            if (callee, position) in seen or position >= len(formals):
                continue
            seen.add((callee, position))
            cluster = program.aliases(callee).cluster_of(formals[position])
            if cluster is not None:
                pending += [(callee, inner, place) for inner, place in _passing(callee.graph, cluster)]
    return False


def _passing(graph: Graph, cluster: Cluster) -> list[tuple[Op, int]]:
    """The calls that are passed the address of a buffer of a cluster by itself, with the position at which they are."""
    root = cluster.root
    calls = {use.op for value in root if _is_address(value.type) for use in value.uses}
    return [
        (op, at) for op in calls if graph.call(op) is not None for at in _bare_addresses(arguments_of(graph, op), root)
    ]


def _bare_addresses(passed: Sequence[Value | None], names: Container[Value]) -> Iterator[int]:
    """The positions at which a name is passed by itself, not as one of the two pointers of a lowered memref."""
    bare = [value is not None and value in names and _is_address(value.type) for value in passed]
    lowered = {
        at
        for start, (one, other, size) in enumerate(zip(bare, bare[1:], passed[2:], strict=False))
        if one and other and size is not None and is_integer(size.type)
        for at in (start, start + 1)
    }
    return (at for at, is_one in enumerate(bare) if is_one and at not in lowered)


def _is_address(type_: str | None) -> bool:
    """Whether a name of a buffer of that type is its address, or holds it, and no rule says whose it is then."""
    return type_ is not None and not type_.startswith(("memref<", "tensor<")) and not _LOWERED.search(type_)
