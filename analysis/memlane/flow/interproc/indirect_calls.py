"""Indirect calls: calls of a value that is one of several functions, of which some may be defined in the module.

The condition that selects one is not followed. Where all are defined in the module, a call may do what any of them
does.
"""

from __future__ import annotations

from memlane.flow.cfg.callee import is_any, is_private
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.calls_in_text import chosen_by
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.memory.call_arguments import function_values
from memlane.syntax.tree.tree import Op


def among(flow: FunctionFlow | None, call: Op) -> frozenset[str]:
    """The symbols of functions of which a call in `flow` calls one, as far as the text tells; none where it names it.

    Where it may be anything, each function that the function of the call names.
    """
    if flow is None:
        return frozenset()
    chosen = function_values(flow.graph)
    ones = chosen_by(call, chosen, flow.graph.models)
    return chosen.mentioned if ones.anything else ones.symbols


def perhaps(program: CallGraph, flow: FunctionFlow | None, call: Op) -> list[FunctionFlow]:
    """The functions of the module that a call in `flow` may call, besides unknown ones."""
    if flow is None or program.callees(call):
        return []
    ones = chosen_by(call, function_values(flow.graph), flow.graph.models)
    return [callee for symbol in sorted(() if ones.anything else ones.symbols) for callee in program.named(symbol)]


def may_be_own(program: CallGraph, flow: FunctionFlow | None, call: Op) -> bool:
    """Whether a call in `flow` may be of a private function that other functions of the module have chosen.

    Who may be called from elsewhere keeps to the rules for function boundaries, and so does what is passed to those.
    """
    if flow is None:
        return False
    ones = chosen_by(call, function_values(flow.graph), program.models)
    private = is_private(flow.op)
    made = [one.op for one in ones.others]
    return ones.anything or any(private if op is None else program.callee(op) is not None for op in made)


def of_any(program: CallGraph, call: Op) -> bool:
    """Whether a call may be of any function; see `is_any`."""
    model = program.models.of(call.name)
    return model is not None and model.call is not None and is_any(call, model.call, program.models)


def may_be_defined(program: CallGraph, flow: FunctionFlow, call: Op) -> bool:
    """Whether a call in `flow` that names no function may be of one of the module, or of any."""
    return (
        of_any(program, call)
        or may_be_own(program, flow, call)
        or any(program.named(symbol) for symbol in among(flow, call))
    )
