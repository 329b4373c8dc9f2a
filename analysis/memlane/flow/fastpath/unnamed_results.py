"""Buffers whose operation gives them no name (`call @make() : () -> memref<4xf32>`): they cannot be freed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.findings import Certainty
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.events import EventKind
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import simplify
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.interproc.program import FunctionFlow, Program


def nameless(program: Program, flow: FunctionFlow) -> Iterator[Incident]:
    """The leaks of buffers without a name, in text order."""
    for op in described(flow.graph, lambda model: model.alloc or model.call is not None):
        if op.results or op.regions or not op.types:
            continue
        model = flow.graph.model(op)
        assert model is not None
        if not model.alloc:
            yield from _given(program, flow, op)
        for alloc in model.alloc:
            value = Value("", op.name_at, op.name_size, op.types[-1], alloc.result, op)
            origin = Origin(OriginKind.ALLOCATION, value, alloc.resource, None, alloc.sized)
            if origin.owned:
                yield _lost(op, origin)


def _given(program: Program, flow: FunctionFlow, call: Op) -> Iterator[Incident]:
    """Those that a call hands out."""
    values = arguments_of(flow.graph, call)
    if len(call.types) <= len(values):
        return  # most calls that give nothing a name give nothing: their text is not looked at
    types = given(flow.graph.source[call.span.start : call.span.end])
    wanted = tuple(index for index, type_ in enumerate(types) if type_.startswith("memref<"))
    if not wanted:
        return
    scalars = tuple(simplify(scalar_of(flow.graph, value), {}) if value is not None else None for value in values)
    ways = program.followed(call, (None,) * len(values), scalars, wanted) or ()
    for index in wanted:
        if any(_is_another(way, index) for way in ways):
            value = Value("", call.name_at, call.name_size, types[index], index, call)
            yield _lost(call, Origin(OriginKind.CALL, value))


def _is_another(way: Outcome, index: int) -> bool:
    """Whether a result is a new buffer, other than those of the results before it, that does not escape."""
    source = dict(way.results).get(index)
    if source is None or not source.fresh or source.kept:
        return False
    return all(one != source for at, one in way.results if at < index)


def given(text: str) -> list[str]:
    """The types behind the last arrow of a statement that is in no brackets: functions may be passed, with their types.

    Of those that stand in parentheses each is one.
    """
    ends = [match.end() for match, depth in _marks(text, r"->") if depth == 0]
    rest = re.sub(r"\s+loc\(.*", "", text[ends[-1] :], flags=re.DOTALL).strip() if ends else ""
    if not rest.startswith("("):
        return [rest] if rest else []
    inner = rest[1:].removesuffix(")")
    commas = [match.start() for match, depth in _marks(inner, ",") if depth == 0]
    return [
        inner[start:end].strip()
        for start, end in zip([0, *[at + 1 for at in commas]], [*commas, len(inner)], strict=True)
    ]


def _marks(text: str, mark: str) -> Iterator[tuple[re.Match[str], int]]:
    """Where a mark stands, and in how many brackets."""
    depth = 0
    for match in re.finditer(rf'"(?:[^"\\]|\\.)*"|{mark}|->|[(<\[{{]|[)>\]}}]', text):
        if match[0] in "(<[{":
            depth += 1
        elif match[0] in ")>]}":
            depth -= 1
        elif re.fullmatch(mark, match[0]):
            yield match, depth


def _lost(op: Op, origin: Origin) -> Incident:
    """Wherever there is such a buffer, it is lost."""
    return Incident(EventKind.LEAK, Certainty.ALWAYS, op, None, origin, None, None, (), False)
