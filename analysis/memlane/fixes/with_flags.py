"""Placing deallocations with ownership flags: thread them through the text, plan on that, drop those not needed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from memlane.checking import Checked
from memlane.dialects.model import Models
from memlane.fixes.edit_writer import apply, difference
from memlane.fixes.fix_context import freed_together
from memlane.fixes.flag_text import with_columns
from memlane.fixes.limits import MAX_GROUPS
from memlane.fixes.ownership_flags import Telling, Wanted
from memlane.fixes.placing import Placing
from memlane.fixes.planner import Plan, plan
from memlane.fixes.repeated_constants import without_repeated
from memlane.fixes.strategies import ClusterPaths
from memlane.fixes.thread_flags import Threaded, merges, threaded
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.peak.exploded_liveness import Lives
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text


class _Flagged(NamedTuple):
    """A plan that needs flags, and the values whose flags those are."""

    plan: Plan
    values: frozenset[Value]


def with_flags(
    checked: Checked, models: Models, flow: FunctionFlow, cluster: Cluster, by_flag: bool = False
) -> Plan | None:
    """A plan whose edits add flags and what they decide; None: that does not help either. `by_flag`: see `plan`."""
    groups = [group for group in merges(cluster) if threaded(flow.graph, cluster, group, checked.text) is not None]
    if not groups or len(groups) > MAX_GROUPS:
        return None
    best = _attempt(checked, models, flow, cluster, groups, by_flag)
    if best is None:
        return None
    groups = [group for group in groups if not best.values.isdisjoint(group)]  # the others are gone already
    for group in groups:
        fewer = [other for other in groups if other is not group]
        found = _attempt(checked, models, flow, cluster, fewer, by_flag)
        if found is not None:
            best, groups = found, fewer
    return best.plan


def with_told_flags(
    checked: Checked, models: Models, flow: FunctionFlow, cluster: Cluster, program: Program, by_flag: bool = False
) -> Plan | None:
    """The same, with flags made for just those places where paths have to be distinguished."""
    explored = ClusterPaths(program, flow, cluster)
    counts = True
    for counted, plain in ((False, False), (True, False), (False, True)):
        if counted and not counts:
            continue  # counting would distinguish no more paths
        try:
            lives = explored.lives(facts=not plain, counted=counted, plain=plain)
        except BudgetExceeded:
            continue
        counts = lives.paths.counts
        telling = Telling(lives)
        placing = Placing(lives, partial(_can_tell, telling))
        columns = telling.told(_wanted(lives, placing)) if placing.complete else None
        new = with_columns(lives, columns, checked.text) if columns is not None else None
        found = _planned(checked, models, flow, cluster, new, by_flag, True, counted) if new is not None else None
        if found is not None:
            return found.plan
    return None


def _can_tell(telling: Telling, point: Point, act: frozenset[int], leave: frozenset[int]) -> bool:
    return telling.told([Wanted(point, act, leave)]) is not None


def _wanted(lives: Lives, placing: Placing) -> list[Wanted]:
    """What the flags that are still to be made have to tell."""
    told = [(site.point, site.nodes) for site in placing.sites if site.nodes is not None]
    return [Wanted(point, nodes, frozenset(lives.at[point]) - nodes) for point, nodes in told]


def _attempt(
    checked: Checked, models: Models, flow: FunctionFlow, cluster: Cluster, groups: list[list[Value]], by_flag: bool
) -> _Flagged | None:
    values = [value for group in groups for value in group]
    new = threaded(flow.graph, cluster, values, checked.text)
    return _planned(checked, models, flow, cluster, new, by_flag) if new is not None else None


def _planned(
    checked: Checked,
    models: Models,
    flow: FunctionFlow,
    cluster: Cluster,
    new: Threaded,
    by_flag: bool,
    apart: bool = False,
    counted: bool = True,
) -> _Flagged | None:
    """A plan on the text with flags, no more than it reads; its edits are those of the text without."""
    found = _on_text(checked, models, flow, cluster, new, by_flag, apart, counted)
    if found is None:
        return None
    fewer = new.fewer({flag.name for site in found.placed for flag in site.tree.flags()})
    better = _on_text(checked, models, flow, cluster, fewer, by_flag, apart, counted) if fewer is not None else None
    return _Flagged(better, fewer.values) if better is not None and fewer is not None else _Flagged(found, new.values)


def _on_text(
    checked: Checked,
    models: Models,
    flow: FunctionFlow,
    cluster: Cluster,
    new: Threaded,
    by_flag: bool,
    apart: bool,
    counted: bool,
) -> Plan | None:
    """A plan on the text with flags, its edits as those of the text without."""
    place = again(checked, models, flow, cluster, new.text)
    if place is None:
        return None
    program, function, same = place
    flags = tuple(value for op in function.op.walk() for value in values_of(op) if value.name in new.names)
    if not _handed(function, flags):
        return None
    explored = ClusterPaths(program, function, same)
    found = plan(explored, new.text, frozenset(), flags, by_flag, apart=apart, counted=counted)
    if found is None:
        return None
    source = checked.text.source
    after = without_repeated(source, apply(new.text.source, found.edits), models)
    return replace(found, edits=difference(source, after))


def _handed(function: FunctionFlow, flags: tuple[Value, ...]) -> bool:
    """Whether each flag is given a value on every way to it: no list was left too short."""
    graph, wanted = function.graph, set(flags)
    for op in function.op.walk():
        blocks = [block for region in op.regions for block in region.blocks]
        for edge in (*graph.entries(op), *(edge for block in blocks for edge in graph.written_exits(block))):
            if any(source is None and receiver in wanted for source, receiver in edge.bindings):
                return False
    return True


def values_of(op: Op) -> list[Value]:
    """The values that an operation gives, and the arguments of its blocks."""
    return [*op.results, *(value for region in op.regions for block in region.blocks for value in block.arguments)]


def again(
    checked: Checked, models: Models, flow: FunctionFlow, cluster: Cluster, text: Text
) -> tuple[Program, FunctionFlow, Cluster] | None:
    """The same function and cluster in a new text."""
    chunks = parse(text.source, models).chunks
    number = next((i for i, c in enumerate(checked.tree.chunks) if c.span.start <= flow.op.span.start < c.span.end), 0)
    program = Program(chunks[number].ops, models, text.source)
    names = [origin.value.name for origin in cluster.origins]
    for function in program.functions.values():
        if function.name == flow.name and function.op.name_span.start >= flow.op.name_span.start:
            for whole in program.aliases(function).clusters.values():
                for other in (whole, *freed_together(whole)):
                    if [origin.value.name for origin in other.origins] == names:
                        return program, function, other
    return None
