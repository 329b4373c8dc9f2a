"""How large a buffer is: bytes from its memref type, symbolic where dimensions are dynamic.

Sizes follow MLIR's lowering of memrefs: a product of the dimensions and the element size, which is the next
power of two of its bits in bytes (`i1` takes a byte, `i3` one, `f80` sixteen, `vector<8xi1>` one). Strides and offsets
of a layout are those of views; an allocation with a layout takes what its shape says, as `memref.alloc` of a strided
type does only for identity layouts, so others are unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from memlane.flow.symbolic.amounts import written
from memlane.flow.symbolic.limits import MAX_REMEMBERED_TYPE
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.limits import MAX_BYTES
from memlane.syntax.tree.tree import Op, Use, Value

_MEMREF = regex(r"memref<\s*(?P<body>.*)>\s*$", re.DOTALL)
_DIMENSION = regex(r"(\d+|\?)\s*x\s*")
_FLOAT_BITS = {"bf16": 16, "tf32": 19}
_WORD = 8
"""Bytes of a pointer, and of an index."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of a buffer: `factor` times the dynamic dimensions, named by the values that give them."""

    factor: int
    dimensions: tuple[str, ...] = ()

    @property
    def bytes(self) -> int | None:
        """The number, None where a dimension is dynamic."""
        return None if self.dimensions else self.factor

    def __str__(self) -> str:
        return written(self.factor, self.dimensions)


def size_of(value: Value, allocated: bool = True) -> Size | None:
    """The size of the buffer that `value` is the first name of; None where its type does not tell.

    Args:
        allocated: its op allocates it, so that the operands of type `index` are its dynamic dimensions. Those of
            other types are none (`%a` of `memref.realloc %a(%n)`), and those of a call may mean anything.
    """
    if value.type is not None and "?" not in value.type and len(value.type) <= MAX_REMEMBERED_TYPE:
        return _static(value.type)
    shape = shape_of(value.type)
    if shape is None:
        return None
    dimensions, element = shape
    dynamic = dimensions.count(None)
    given = _given(value.op, dynamic) if dynamic and allocated and value.op is not None else []
    numbers = [_constant(use) for use in given]
    names = [use.name for use, number in zip(given, numbers, strict=True) if number is None]
    factor = element * prod(d for d in (*dimensions, *numbers) if d is not None)
    if factor >= MAX_BYTES:
        return None
    return Size(factor, (*names, *("?" for _ in range(dynamic - len(given)))))


def dynamic_dimensions(value: Value) -> list[Value]:
    """The values that give the dynamic dimensions of the buffer that `value` is the first name of, which its op
    allocates, in order; without those that are defined nowhere."""
    shape = shape_of(value.type)
    dynamic = shape[0].count(None) if shape is not None else 0
    given = _given(value.op, dynamic) if dynamic and value.op is not None else []
    return [use.value for use in given if use.value is not None]


def _given(op: Op, count: int) -> list[Use]:
    """The operands that are the first `count` dimensions."""
    uses = [use for use in op.operands if use.group in ("", "async")]  # `gpu.alloc async (%n)` waits for nothing
    return [use for use in uses if use.value is None or use.value.type in ("index", None)][:count]


def _constant(use: Use) -> int | None:
    """The number an operand is, where a literal says it."""
    op = use.value.op if use.value is not None else None
    if op is None or op.operands:
        return None
    text = op.literal
    if text is None and op.name.endswith(".constant"):  # in generic form
        text = op.attributes.get("value", "").partition(":")[0].strip()
    return numeral(text) if text is not None and text.isdecimal() else None


def shape_of(type_: str | None) -> tuple[tuple[int | None, ...], int] | None:
    """Dimensions (None: dynamic) and element bytes of a memref type.

    None for anything else, for an unknown element, and where there are more bytes than a memory can have.
    """
    return None if type_ is None else _remembered(type_) if len(type_) <= MAX_REMEMBERED_TYPE else _shape_of(type_)


def _shape_of(type_: str) -> tuple[tuple[int | None, ...], int] | None:
    match = _MEMREF.match(type_)
    if match is None:
        return None
    rest = match["body"]
    dimensions, end = _dimensions(rest)
    element = element_bytes(_first(rest[end:]))
    if element is None or element * prod(d for d in dimensions if d is not None) >= MAX_BYTES:
        return None
    return tuple(dimensions), element


_remembered = lru_cache(1024)(_shape_of)
"""A program has few types, and many values of each."""


@lru_cache(1024)
def _static(type_: str) -> Size | None:
    """The size of a type with static dimensions only."""
    shape = _shape_of(type_)
    return Size(shape[1] * prod(d for d in shape[0] if d is not None)) if shape is not None else None


def _dimensions(text: str) -> tuple[list[int | None], int]:
    """The dimensions that `text` begins with, and where they end. One that is too long is more than there can be."""
    dimensions: list[int | None] = []
    end = 0
    while (dimension := _DIMENSION.match(text, end)) is not None:
        count = numeral(dimension[1])
        dimensions.append(None if dimension[1] == "?" else MAX_BYTES if count is None else count)
        end = dimension.end()
    return dimensions, end


def _first(text: str) -> str:
    """The part of `text` before its first top-level comma."""
    depth = 0
    for index, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == "," and depth == 0:
            return text[:index].strip()
    return text.strip()


def element_bytes(type_: str) -> int | None:
    """Bytes of an element: a scalar, a complex number, a vector, or the descriptor of a memref; None: not known."""
    if type_.startswith("memref<"):
        return _descriptor_bytes(type_.removeprefix("memref<"))
    if type_.startswith("vector<"):
        return _vector_bytes(type_.removeprefix("vector<")[:-1])
    if type_.startswith("complex<"):
        bits = _scalar_bits(type_.removeprefix("complex<")[:-1])
        return None if bits is None else 2 * _rounded(bits)
    bits = _scalar_bits(type_)
    return None if bits is None else _rounded(bits)


def _descriptor_bytes(body: str) -> int:
    """Two pointers, an offset, and a size and a stride for each dimension; without a rank that, and a pointer to it."""
    if body.startswith("*"):
        return 2 * _WORD
    rank = len(_dimensions(body)[0])
    return (3 + 2 * rank) * _WORD


def _vector_bytes(body: str) -> int | None:
    """An array of vectors of one dimension, in which elements are packed: as a whole a power of two of bytes."""
    dimensions, end = _dimensions(body)
    bits = _scalar_bits(_first(body[end:]))
    if bits is None:
        return None
    *outer, last = (dimension or 0 for dimension in dimensions or (1,))
    return prod(outer) * _rounded(last * bits)


def _scalar_bits(type_: str) -> int | None:
    if type_ == "index":
        return 8 * _WORD
    if type_ in _FLOAT_BITS:
        return _FLOAT_BITS[type_]
    match = re.fullmatch(r"(?:[su]?i|f)(\d+)(?:E\d+M\d+\w*)?", type_)
    return numeral(match[1]) if match else None


def _rounded(bits: int) -> int:
    """Bytes of a scalar or a vector in memory: its bits rounded up to a power of two of bytes."""
    whole = max(1, -(-bits // 8))
    return 1 << (whole - 1).bit_length()
