"""Which function a call calls, and what of its operands it passes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from memlane.dialects.model import Call, Models, OpModel
from memlane.syntax.shapes.forms import PRIVATE
from memlane.syntax.shapes.vocabulary import registered
from memlane.syntax.tree.tree import Block, Op, Value

_LINKAGE = tuple([f"#llvm.linkage<{word}>" for word in PRIVATE])


def is_private(function: Op) -> bool:
    """Whether only the module of a function may call it."""
    said = function.attributes
    return (
        any(word in function.keywords for word in PRIVATE)
        or said.get("sym_visibility") == '"private"'
        or said.get("linkage") in _LINKAGE
    )


def called(op: Op, call: Call, models: Models) -> str | None:
    """The symbol of the function that a call names, or that the constant names which it calls; None: another one."""
    if op.symbol is not None and not call.indirect:
        return op.symbol
    callee = op.operands[0].value if op.operands else None
    made = callee.op if callee is not None else None
    if made is None or not is_constant(made) or op.symbol:
        return None
    model = models.of(made.name)
    return made.symbol if model is None or model.call is None else None  # what another call gives is not what it calls


def types_to_come(call: Op) -> bool:
    """Whether a call gives what has no type: those of MLIR's own operations are written, so it is half typed."""
    return any(result.type is None for result in call.results) and registered(call.name)


def through_value(op: Op, model: OpModel, call: Call, models: Models, defined: Container[str]) -> OpModel:
    """The model of a call of a value: what that names, if it is well known and not among those that are `defined`."""
    symbol = called(op, call, models)
    known = models.functions.get(symbol) if symbol is not None and symbol not in defined else None
    return replace(known, first=1) if known is not None else model


def is_any(op: Op, call: Call, models: Models) -> bool:
    """Whether a call may be of any function that takes pointers, of which the functions that free are some.

    A `memref` is passed to whatever function it is as it is to those that are declared only: it is lent.
    """
    return not call.indirect and called(op, call, models) is None


_DEEPEST = 8
"""Choices between choices."""


def is_constant(op: Op) -> bool:
    """Whether what an op gives rests on its text alone."""
    return not op.operands and not op.regions


def choices(value: Value, models: Models, depth: int = 0) -> Iterator[Value]:
    """The values of which one is the result of selections."""
    made = value.op
    if made is None or depth == _DEEPEST or not is_selection(made, models):
        yield value
        return
    for use in made.operands[1:]:
        if use.value is not None:
            yield from choices(use.value, models, depth + 1)


def is_selection(op: Op, models: Models) -> bool:
    """Whether an op gives one of two values, as the first says."""
    model = models.of(op.name)
    return model is not None and model.compute == "select"


def names_function(op: Op, models: Models) -> bool:
    """Whether an op may give the function that its symbol names."""
    model = models.of(op.name)
    return op.symbol is not None and is_constant(op) and (model is None or model.call is None)


def is_handed_over(value: Value, models: Models) -> bool:
    """Whether control hands over a value, from elsewhere in the function."""
    if value.op is not None:
        return bool(value.op.regions)
    return value.block is not None and not _enters(value.block, models)


def given_by_branches(value: Value) -> list[Value] | None:
    """What branches hand over as an argument of a block; None: something else hands it over, or it is not told."""
    block = value.block
    if block is None or not block.index:
        return None
    found: list[Value] = []
    for successor in (one for other in block.region.blocks if other.ops for one in other.ops[-1].successors):
        if successor.block is block:
            told = len(successor.operands) == len(block.arguments)
            given = successor.operands[value.index].value if told else None
            if given is None:
                return None
            found.append(given)
    return found


def is_handed_in(value: Value, models: Models) -> bool:
    """Whether a value is an argument of a function."""
    return value.block is not None and _enters(value.block, models)


def _enters(block: Block, models: Models) -> bool:
    """Whether a function begins with a block."""
    model = models.of(block.region.op.name)
    return model is not None and model.function is not None and block is block.region.blocks[0]


def behind_callee(op: Op, call: Call, models: Models, passed: list[Value | None]) -> list[Value | None]:
    """What a call passes, without what it calls, which may come first."""
    if op.symbol is not None or call.indirect:
        return passed
    return passed[1:] if called(op, call, models) is not None or _selected(op, models) else passed


def _selected(op: Op, models: Models) -> bool:
    """Whether the first operand of an op is one of several functions."""
    callee = op.operands[0].value if op.operands else None
    if callee is None:
        return False
    ones = [*choices(callee, models)]
    ones += [given for one in ones for given in given_by_branches(one) or ()]
    return any(one.op is not None and names_function(one.op, models) for one in ones)
