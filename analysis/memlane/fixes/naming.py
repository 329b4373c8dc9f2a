"""A name for results that have none, so that what they are can be freed."""

from __future__ import annotations

from memlane.findings import Edit, Span
from memlane.fixes import printer
from memlane.flow import FunctionFlow
from memlane.flow.fastpath.unnamed_results import given
from memlane.syntax.tree.tree import Op
from memlane.text import Text


def with_name(flow: FunctionFlow, op: Op, text: Text) -> tuple[Edit, ...]:
    """The edits after which the results of an op that makes a buffer have a name; none where they have one."""
    if op.results or not op.types:
        return ()
    count = len(given(text.source[op.span.start : op.span.end])) if flow.graph.call(op) is not None else 1
    name = printer.fresh("%buffer", printer.TakenNames(text))
    written = f"{name}:{count} = " if count > 1 else f"{name} = "
    return (Edit(Span(op.span.start, op.span.start), written),)
