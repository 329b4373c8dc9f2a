"""Truth values that edits define where an equal one is defined already: that one is named instead.

A flag is put into the text first and what asks it then, so that the second step may need a constant before the place
where the first has defined one. Constants that the program had before stay.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.dialects.model import Models
from memlane.findings import Edit
from memlane.fixes.edit_writer import Writer, apply
from memlane.fixes.functions_naming import functions_naming
from memlane.fixes.printer import names_in
from memlane.fixes.scope import Scope
from memlane.fixes.truths import truth_constants
from memlane.flow import FunctionFlow
from memlane.flow.scalars.expressions import scalar_of
from memlane.syntax.tree.tree import Value
from memlane.text import Text


def without_repeated(before: str, after: str, models: Models) -> str:
    """`after` without the truth values that are not in `before` and are defined where another one is seen."""
    text = Text(after)
    names = names_in(text) - names_in(Text(before))
    edits: list[Edit] = []
    for flow in functions_naming(names, text, models):
        edits += _edits(flow, names, text)
    return apply(after, tuple(edits)) if edits else after


def _edits(flow: FunctionFlow, names: Collection[str], text: Text) -> tuple[Edit, ...]:
    """The edits that take such constants out of a function."""
    scope, writer = Scope(flow.graph, {}), Writer(text)
    kept: list[Value] = []
    for value in truth_constants(flow.graph):
        op, expr = value.op, scalar_of(flow.graph, value)
        others = (one for one in kept if scalar_of(flow.graph, one) == expr)
        seen = next((one for one in others if op is not None and scope.sees_before(op, one)), None)
        if op is None or seen is None or value.name not in names:
            kept.append(value)
            continue
        writer.remove(op)
        for use in value.uses:
            writer.replace(use.span, seen.name)
    return writer.edits()
