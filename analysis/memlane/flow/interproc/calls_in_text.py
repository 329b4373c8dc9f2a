"""What the text of a function says of the calls in it, before any of them is followed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlane.dialects.model import Models, OpModel
from memlane.flow.cfg.function_pointers import FunctionValues, Ones, names_function
from memlane.flow.interproc.function import FunctionFlow
from memlane.syntax.tree.tree import Op


class CallsInText(NamedTuple):
    """What the text of a function says; of ops and calls it may be too much.

    Args:
        ends: one of its ops may end the program.
        callees: the functions of the module that it calls.
    """

    ends: bool
    callees: tuple[FunctionFlow, ...]


def may_end(ops: Iterable[OpModel | None], functions: Iterable[OpModel | None]) -> bool:
    """Whether a function may end the program by itself: one of its ops does, or none leads back to the caller.

    Args:
        ops: the models of its ops. `functions`: those of the well-known functions that it may call.
    """
    known = [model for model in ops if model is not None]
    stops = any(model.stops or model.asserts is not None for model in known)
    return stops or not any(model.exits for model in known) or any(one is not None and one.stops for one in functions)


def awaited(model: OpModel | None) -> bool:
    """Whether an op of that model calls a function, and goes on when that comes back."""
    return model is not None and model.call is not None and model.token is None and not model.detached


def all_of(call: Op, chosen: FunctionValues, models: Models) -> frozenset[str]:
    """The symbols of functions of which a call calls one; none: it may be another one. `chosen`: of its function."""
    ones = chosen_by(call, chosen, models)
    return ones.symbols if not ones.others and not ones.anything else frozenset()


def chosen_by(call: Op, chosen: FunctionValues, models: Models) -> Ones:
    """What a call calls, where no constant is what it calls."""
    value = call.operands[0].value if call.operands and call.symbol is None else None
    if value is None or (value.op is not None and names_function(value.op, models)):
        return Ones()
    return chosen.of(value)
