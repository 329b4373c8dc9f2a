"""Ownership flags that private functions return: an `i1` beside a buffer that is not always a new one.

The function, its returns and all its calls get one more result; which deallocations depend on it is planned afterwards,
on the new text. Functions that may be called from other modules, or that are named by more than calls, keep their type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memlane.checking import Checked
from memlane.dialects.model import Models
from memlane.findings import Span
from memlane.fixes import printer
from memlane.fixes.custom_free import in_text
from memlane.fixes.edit_writer import Writer, apply, difference
from memlane.fixes.generic import FormRefused, closing, is_generic
from memlane.fixes.limits import MAX_FUNCTIONS
from memlane.fixes.planner import Plan, plan
from memlane.fixes.returned_buffers import handed_out
from memlane.fixes.strategies import ClusterPaths
from memlane.fixes.thread_flags import Threading, merges
from memlane.fixes.truths import Truths
from memlane.fixes.widen_signature import Widening, one_more
from memlane.fixes.with_flags import again
from memlane.flow import FunctionFlow, OriginKind, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.region_edges import is_inside
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text

_TYPE = "function_type"
"""What the type of a function stands behind in generic form."""
Result = tuple[FunctionFlow, int]
Exit = tuple[Op, Value, Cluster]


def with_returned_flags(
    checked: Checked, models: Models, program: Program, flow: FunctionFlow, cluster: Cluster, by_flag: bool = False
) -> Plan | None:
    """A plan that frees what calls return under flags that they return; None: that does not help either."""
    text = checked.text
    place = program, flow, cluster
    for left in reversed(range(MAX_FUNCTIONS + 1)):
        flags = _flags(place[2])
        found = plan(ClusterPaths(*place), text, frozenset(), flags, by_flag) if flags else None
        if found is not None:
            return replace(found, edits=difference(checked.text.source, apply(text.source, found.edits)))
        wanted = _innermost(place[0], place[2]) if left else None
        new = _threaded(place[0], *wanted, text) if wanted is not None else None
        after = again(checked, models, flow, cluster, new) if new is not None else None
        if new is None or after is None:
            return None
        text, place = new, after
    return None


def _flags(cluster: Cluster) -> tuple[Value, ...]:
    """The flags that come with the buffers of calls."""
    calls = {origin.value.op: None for origin in cluster.origins if origin.kind is OriginKind.CALL}
    return tuple(result for op in calls if op is not None for result in op.results if result.type == "i1")


def _innermost(program: Program, cluster: Cluster) -> Result | None:
    """The function that has to return a flag first, and of which result: one whose buffer no other such call gives."""
    found: Result | None = None
    for _ in range(MAX_FUNCTIONS):
        following = next(unclear(program, cluster), None)
        if following is None:
            break
        found = following
        cluster = next(iter(handed_out(program, *following)))[2]
    return found


def unclear(program: Program, cluster: Cluster) -> Iterator[Result]:
    """Calls without a flag whose result is a new buffer on one path and not on another."""
    for origin in cluster.origins:
        call = origin.value.op
        callee = program.callee(call) if call is not None and origin.kind is OriginKind.CALL else None
        if call is None or callee is None or any(result.type == "i1" for result in call.results):
            continue
        exits = handed_out(program, callee, origin.value.index)
        if len({other.owned for _, _, inner in exits for other in inner.origins}) > 1:
            yield callee, origin.value.index


def _threaded(program: Program, callee: FunctionFlow, index: int, text: Text) -> Text | None:
    """`text` with one more result of `callee`: whether its caller owns the result at `index`."""
    mentions = len(re.findall(rf"@{re.escape(callee.name)}(?![\w$.-])", text.source))
    calls = callee.callers
    named = len(calls) + (not is_generic(text.source, callee.op))
    if not callee.private or mentions != named or any(is_inside(call, callee.op) for call in calls):
        return None
    if any(call.symbol is None for call in calls):
        return None  # a value names it, of a type of its own
    exits = list(handed_out(program, callee, index))
    writer, scratch = Writer(text), Writer(text)
    lists, truths = Widening(callee.graph, writer), Truths(callee.graph, writer, printer.TakenNames(text))
    trial = Widening(callee.graph, scratch), Truths(callee.graph, scratch, printer.TakenNames(text))
    try:
        for cluster in dict.fromkeys(cluster for _, _, cluster in exits):
            values = [value for group in merges(cluster) for value in group]
            read = _handing(cluster, values, exits, *trial)  # only what is handed out is read
            _handing(cluster, [value for value in values if value in read], exits, lists, truths)
        lists.finish()
        truths.finish()
        _declare(callee.op, exits[0][1], writer)
        for call in calls:
            _receive(call, call.results[index], writer, truths.used)
    except FormRefused:
        return None
    return Text(apply(text.source, writer.edits()))


def _handing(cluster: Cluster, values: list[Value], exits: list[Exit], lists: Widening, truths: Truths) -> set[Value]:
    """Write flags for `values`, and hand out those of the results; gives the values whose flags that takes."""
    threading = Threading(cluster, values, lists, truths)
    threading.run()
    for last, value, mine in exits:
        if mine is cluster:
            threading.hand_out(last, value)
    return threading.read(threading.handed_out)


def _declare(function: Op, returned: Value, writer: Writer) -> None:
    """One more type among the results of the function."""
    source = writer.text.source
    end = function.regions[0].blocks[0].span.start
    start = function.name_span.end
    if is_generic(source, function):
        start = source.find(_TYPE, start, end)
    opening = source.find("(", start, end) if start >= 0 else -1
    if opening < 0:
        raise FormRefused
    arrow = re.compile(r"\s*->\s*").match(source, closing(source, opening, 0) + 1)
    if arrow is None:
        raise FormRefused
    one_more(writer, arrow.end(), in_text(returned.type))


def _receive(call: Op, result: Value, writer: Writer, used: printer.TakenNames) -> None:
    """One more result of the call, under a name of its own unless the results are a pack."""
    source = writer.text.source
    last = call.results[-1]
    pack = re.compile(r"\s*:\s*(\d+)").match(source, last.span.end) if "#" in last.name else None
    if pack is not None:
        writer.replace(Span(*pack.span(1)), str(len(call.results) + 1))
    else:
        writer.insert(last.span.end, f", {printer.fresh(printer.derived(result.name, 'owned'), used)}")
    written = in_text(result.type)
    if len(call.results) == 1 and source.endswith(written, 0, call.span.end):
        one_more(writer, call.span.end - len(written), written)
    elif source[call.span.end - 1] == ")":
        writer.insert(call.span.end - 1, ", i1")
    else:
        raise FormRefused
