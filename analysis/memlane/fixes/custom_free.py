"""What is known of an operation that frees buffers of a user's own dialect: its verifier is unknown.

It is written in the generic form, with the buffer for its one operand. Where its description, or the text, says that it
takes more than that, or the available value has a type of another kind than the buffer was made with, it is not
written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memlane.dialects.model import Models
from memlane.lazy import regex
from memlane.syntax.tree.aliases import as_written
from memlane.syntax.tree.tree import Op, Value

_FAMILY = regex(r"!([\w$]+\.[\w$.]+)")


def written_type(value: Value) -> str | None:
    """The type of a value as the text says it: where it is defined, or else where it is used.

    `fir.allocmem f32` does not say it; `(%a) : (!fir.heap<f32>) -> ...` and `my.give %a : !my.buffer` do.
    """
    return value.type if value.type is not None else next((t for u in value.uses if (t := _told(u.op, u.index))), None)


def in_text(type_: str | None) -> str:
    """A type as the program writes it: with its aliases; "" where none is known."""
    return as_written(type_ or "")


def _told(op: Op, index: int) -> str | None:
    """The type of an operand, where the types of an operation are those of all operands, and of all results."""
    alike = len(op.types) == len(op.operands) + len(op.results) and not op.successors
    return op.types[index] if alike else None


def kinds(made: Iterable[Value]) -> frozenset[str | None]:
    """What kinds of types the values `made` have; None is one that may be any."""
    return frozenset(_family(type_) for one in made if (type_ := written_type(one)) is not None)


def fits(value: Value, wanted: frozenset[str | None]) -> bool:
    """Whether `value` may be given to what frees values of the kinds `wanted`."""
    return None in wanted or not wanted or _family(written_type(value)) in {None, *wanted}


def same_type(value: Value, made: Iterable[Value]) -> bool:
    """Whether `value` has a type of the values `made`, as far as these are known: functions take no other."""
    known = {written_type(one) for one in made} - {None}
    return not known or written_type(value) in known


def _family(type_: str | None) -> str | None:
    """The name of a dialect's type without what it is of; None where it has none: an alias may stand for anything."""
    found = _FAMILY.match(type_ or "")
    return found[1] if found is not None else None


def takes_no_more(name: str, models: Models) -> bool:
    """Whether the operation of that name, by its description, does nothing but free what is its one operand."""
    model = models.of(name)
    if model is None or len(model.free) != 1 or model.required > 1:
        return False
    more = (model.alloc, model.view, model.regions, model.successors, model.call, model.free[0].conditions)
    return model.token is None and not any(more)


def written_with_no_more(name: str, ops: Collection[Op]) -> bool:
    """Whether none of `ops` is of that name and has further operands, or results."""
    return all(op.name != name or (len(op.operands) <= 1 and not op.results) for op in ops)
