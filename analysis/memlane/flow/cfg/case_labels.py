"""The numbers written in the text of ops: in literals, and as labels of the ways an op may go on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlane.dialects.model import OpModel
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op

_LISTED = regex(r'\s*(?:array<[^:>]*:?|dense<)([^">]*)>')


def cases_of(op: Op, model: OpModel | None, labels: Sequence[str | None]) -> tuple[int | None, ...]:
    """For each of the ways an op may go on, with these labels, the number that leads there; None: none of the others.

    In the generic form an attribute lists them, and the way for all others comes first. `cf.switch` prints numbers
    without a sign (4294967289 for -7 of `i32`).
    """
    found = _LISTED.match(op.attributes.get(model.cases, "")) if model is not None and model.cases else None
    listed = [None, *map(numeral, re.findall(r"-?\d+", found[1]))] if found is not None else []
    numbers = listed if len(listed) == len(labels) else [written_number(label) for label in labels]
    type_ = next((use.value.type for use in op.operands[:1] if use.value is not None), None)
    return tuple([signed(one, type_) for one in numbers])


def signed(number: int | None, type_: str | None) -> int | None:
    """The number as values of its type are compared: those without a sign have one. Flags are 0 and 1."""
    bits = numeral(type_[1:]) if type_ is not None and type_[:1] == "i" else None
    if bits == 1 and number is not None:
        return number & 1
    # A number that takes all bits of its type is written without its sign; others are short, however wide the type is.
    if number is None or not bits or number < 0 or number.bit_length() != bits:
        return number
    return number - (1 << bits)


def written_number(text: str | None) -> int | None:
    """The integer at the end of a literal or label (`5`, `true`, `42 : i32`, `case 2`); else None."""
    if not text:
        return None
    word = text.split(":")[0].split()[-1:]
    if not word:
        return None
    if word[0] in ("true", "false"):
        return int(word[0] == "true")
    digits = word[0][1:] if word[0][0] == "-" else word[0]
    return numeral(word[0]) if digits.isdecimal() else None
