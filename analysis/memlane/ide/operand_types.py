"""Which types an operand that is typed may have, as far as what stands before it tells: values of those come first.

Known from the snippet of the operation, whose placeholders have the names of kinds (`%buffer`, `%index`, `%flag`), from
its model, the first operand of what computes, the type behind it, or the head of the function that is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memlane.dialects.snippets import snippet
from memlane.findings import Edit, Span
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.ide.signature import signature
from memlane.ide.snapshot import File
from memlane.lazy import regex
from memlane.syntax.shapes.holes import NAME
from memlane.syntax.tree.tree import Value

Fits = Callable[[Value], bool]

_PLACEHOLDER = regex(r"%\$\{\d+:(\w+)\}")
_ALONE = regex(r"[\w.]+ %\$\{1:\w+\} : memref<\$\{2:[^}]*\}>\Z")
"""A snippet of an operation of one operand with its type, and nothing else."""
_TYPE = regex(r"(?P<before>[ \t]*:[ \t]*)(?P<type>[^\s/][^\n/]*?)[ \t]*(?://|\r|\n|\Z)")
_NOTHING = regex(r"[ \t]*(?://|\r|\n|\Z)")


def fitting(file: File, offset: int, before: str, name: str, values: Mapping[str, Value]) -> Fits | None:
    """Decides for values whether their type fits where `offset` is; None: nothing is known of it.

    Args:
        before: the line up to the operand. `name`: of its operation.
        values: those in scope, by name.
    """
    called = _parameter(file, offset)
    if called is not None:
        return lambda value: value.type == called
    if before.count("[") > before.count("]"):
        return _index
    if not name:
        return None
    behind = _TYPE.match(file.text.source, _end_of_word(file, offset))
    if behind is not None and _takes_one(name):
        return lambda value: value.type == behind["type"]
    operands = NAME.findall(before.partition(name)[2])
    kinds = _PLACEHOLDER.findall((snippet(name, results=False) or "").partition("{\n")[0])
    if len(operands) < len(kinds):
        return _KINDS.get(kinds[len(operands)], _other)
    model = file.models.of(name)
    if model is None or model.call is not None:
        return None
    if not model.compute and (model.free or model.read or model.write or model.view):
        return _buffer if not operands else None
    first = values.get(operands[0]) if operands else None
    return (lambda value: value.type == first.type) if first is not None else _number


def with_type(file: File, offset: int, name: str, value: Value) -> tuple[str, Edit | None]:
    """What to type for a value, with its type where that is the rest of the statement; and the edit that mends the type
    that stands there, if it is another one."""
    if not _takes_one(name) or not value.type:
        return value.name, None
    end = _end_of_word(file, offset)
    if _NOTHING.match(file.text.source, end):
        return f"{value.name} : {value.type}", None
    behind = _TYPE.match(file.text.source, end)
    if behind is None or behind["type"] == value.type:
        return value.name, None
    return value.name, Edit(Span(*behind.span("type")), value.type)


def _takes_one(name: str) -> bool:
    return _ALONE.match(snippet(name, results=False) or "") is not None


def _end_of_word(file: File, offset: int) -> int:
    source = file.text.source
    while offset < len(source) and (source[offset].isalnum() or source[offset] in "%_$.-#"):
        offset += 1
    return offset


def _parameter(file: File, offset: int) -> str | None:
    """The type of the parameter that is typed between the parentheses of a call."""
    found = signature(file, offset)
    if found is None or found.active >= len(found.parameters):
        return None
    text = found.label[slice(*found.parameters[found.active])]
    return text.partition(":")[2].strip() if text.startswith("%") else text


def _buffer(value: Value) -> bool:
    return may_hold_buffer(value.type) and not (value.type or "").startswith("tensor")


def _number(value: Value) -> bool:
    return not may_hold_buffer(value.type)


def _index(value: Value) -> bool:
    return value.type == "index"


def _flag(value: Value) -> bool:
    return value.type == "i1"


def _tensor(value: Value) -> bool:
    return (value.type or "").startswith("tensor")


def _other(value: Value) -> bool:
    return not (_buffer(value) or _index(value) or _flag(value) or _tensor(value))


_KINDS: dict[str, Fits] = {
    "buffer": _buffer,
    "source": _buffer,
    "target": _buffer,
    "index": _index,
    "flag": _flag,
    "tensor": _tensor,
}
