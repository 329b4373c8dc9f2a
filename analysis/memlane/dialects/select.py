"""A selector on an op of the tree: which of its uses are meant, in custom and in generic form.

Custom form tells operand groups apart by the keyword before them (`Use.group`), generic form by the numbers
in `operandSegmentSizes`, the same for every group where there are none (SameVariadicOperandSize).
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise, zip_longest
from typing import TYPE_CHECKING

from memlane.dialects.model import OpModel, Selector
from memlane.dialects.notation import BUFFERS, TOKENS, VALUES
from memlane.integers import numeral
from memlane.lazy import regex

if TYPE_CHECKING:
    from memlane.syntax.tree.tree import Op, Use

_SIZES = ("operandSegmentSizes", "operand_segment_sizes")
_CASES = ("case_operand_segments",)
_BUFFER_TYPES = ("memref", "!")
"""How the type of a buffer may start: `memref<...>`, or a dialect's own type or alias, which may be anything."""
_VALUE_TYPES = ("!async.value",)
_TOKEN_TYPES = ("!gpu.async.token", "!async.token", *_VALUE_TYPES, "!nvgpu.device.async.token")
_ASYNC_TOKEN = ".async.token"
"""The end of the names of such types, whatever the dialect."""
_ARRAY = regex(r"array<\s*i\d+\s*(?::(?P<list>[^>]*))?>|dense<\s*(?P<dense>[^>]*)>(?:\s*:\s*\w+<(?P<count>\d+)x)?")


def select(op: Op, selector: Selector, model: OpModel) -> tuple[Use, ...]:
    """The operands of `op` that `selector` means, in order; empty where the op has none.

    Operands handed to successors are not among them in custom form.
    """
    operands = op.operands[model.first :] if model.first else op.operands
    if selector.group is not None:
        operands = _group(op, selector.group, model)
    return operands[selector.start : selector.stop]


def is_token(type_: str | None) -> bool:
    """Whether a value of this type stands for the completion of asynchronous work, or for its result."""
    return type_ is not None and (type_.startswith(_TOKEN_TYPES) or type_.endswith(_ASYNC_TOKEN))


def read_uses(op: Op, model: OpModel) -> tuple[Use, ...]:
    """The operands whose memory `op` reads: `read`, and those of `read_if_used` whose region argument is used.

    For a region in which nothing is written yet, or not all arguments, they are unknown.
    """
    always = [use for one in model.read for use in select(op, one, model)]
    if not model.read_if_used:
        return tuple(always)
    perhaps = (use for one in model.read_if_used for use in select(op, one, model))
    if not op.regions:
        return (*always, *perhaps)
    entry = op.regions[0].blocks[0] if op.regions[0].blocks else None
    if entry is None or not (entry.arguments or entry.ops):
        return tuple(always)
    count = len(entry.arguments)
    unused = {argument.index for argument in entry.arguments if not argument.uses}
    return (*always, *(use for use in perhaps if use.index not in unused and (use.index < count or not count)))


def successor_uses(op: Op, model: OpModel) -> list[tuple[Use, ...]]:
    """The values that each successor of `op` receives, in order."""
    own = [successor.operands for successor in op.successors]
    if not model.forwards or all(own):
        return own
    found = [select(op, one, model) for one in model.forwards]
    last, count = found.pop(), len(own) - len(found)
    cases = _numbers(op, _CASES, count)
    ends = [0, *accumulate(cases)] if cases is not None else []
    found += [last[start:end] for start, end in pairwise(ends)] if cases is not None else [last] * count
    return [mine or meant for mine, meant in zip_longest(own, found[: len(own)], fillvalue=())]


def _group(op: Op, group: str, model: OpModel) -> tuple[Use, ...]:
    if group == BUFFERS:
        return _of_type(op.operands[model.first :], _BUFFER_TYPES)
    if group == TOKENS:
        return _of_type(op.operands[model.first :], _TOKEN_TYPES)
    if group == VALUES:
        return _of_type(op.operands[model.first :], _VALUE_TYPES)
    sizes = _numbers(op, _SIZES, len(model.segments) + 1)
    if sizes is not None and len(sizes) == len(model.segments) and sum(sizes) == len(op.operands):
        return _segment(op, group, model, sizes)
    if model.groups or any(use.group for use in op.operands) or group not in model.segments:
        return tuple(use for use in op.operands if model.groups.get(use.group, use.group) == group)
    share, rest = divmod(len(op.operands), len(model.segments))
    return () if rest else _segment(op, group, model, [share] * len(model.segments))


def _of_type(operands: tuple[Use, ...], starts: tuple[str, ...]) -> tuple[Use, ...]:
    return tuple(use for use in operands if use.value and (use.value.type or "").startswith(starts))


def _segment(op: Op, group: str, model: OpModel, sizes: list[int]) -> tuple[Use, ...]:
    if group not in model.segments:
        return ()
    index = model.segments.index(group)
    start = sum(sizes[:index])
    return op.operands[start : start + sizes[index]]


def _numbers(op: Op, names: tuple[str, ...], most: int) -> list[int] | None:
    """The elements of a list that is an attribute; of one that is written as one number and how many of it there are,
    `most` at most."""
    text = next((op.attributes[name] for name in names if name in op.attributes), None)
    match = _ARRAY.match(text) if text is not None else None
    if match is None:
        return None
    numbers = [numeral(number) for number in re.findall(r"\d+", match["list"] or match["dense"] or "")]
    found = [len(op.operands) + 1 if number is None else number for number in numbers]  # too long: too many as well
    splat = match["dense"] is not None and "[" not in match["dense"] and match["count"]
    return found * min(numeral(splat) or 0, most) if splat else found
