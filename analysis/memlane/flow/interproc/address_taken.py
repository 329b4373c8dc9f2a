"""Functions whose address is taken: others than the calls that name them may call them, with whatever.

A function value that only calls use is resolved at these calls (indirect_calls.py). Where it is stored or forwarded,
any code that reads it from there may call its function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memlane.dialects.model import Models, OpModel
from memlane.flow.cfg.function_pointers import names_function
from memlane.syntax.tree.tree import Op, Use

if TYPE_CHECKING:
    from memlane.flow.interproc.function import FunctionFlow


def calling_or_naming(models: Mapping[str, OpModel | None], named: Mapping[str, Sequence[Op]]) -> Iterator[Op]:
    """The ops of a function that call one, or may take the address of one, in no order.

    Args:
        models: by the names of its ops. `named`: its ops by these.
    """
    for name, model in models.items():
        if model is not None and model.call is not None:
            yield from named[name]
        elif _may_name(model):
            yield from (op for op in named[name] if op.symbol is not None)


def take_address(op: Op, holder: FunctionFlow | None, flows: Iterable[FunctionFlow], models: Models) -> None:
    """Note that `op` lets others call the functions `flows`, which its symbol names, where it does so.

    Args:
        holder: the function that contains it. Addresses taken outside of functions are visible to all code.
    """
    if not _may_name(models.of(op.name)) or (holder is not None and not _takes_address(op, models)):
        return
    for flow in flows:
        flow.addressed = True
        if holder is not None:
            holder.addresses.append(flow)


def _may_name(model: OpModel | None) -> bool:
    """Whether ops of a model may name a function that they do not call: they compute nothing of their operands."""
    if model is None:
        return True
    does = (model.call, model.function, model.compute, model.terminator, model.regions, model.view, model.free)
    return not any(does) and not (model.read or model.write)


def _takes_address(op: Op, models: Models) -> bool:
    """An op without a model may do so, whatever it names a function for."""
    if models.of(op.name) is None:
        return True
    return names_function(op, models) and not all(_is_called(use, models) for one in op.results for use in one.uses)


def _is_called(use: Use, models: Models) -> bool:
    """Whether a function is used only to call it."""
    call, model = use.op, models.of(use.op.name)
    return model is not None and model.call is not None and call.symbol is None and use is call.operands[0]
