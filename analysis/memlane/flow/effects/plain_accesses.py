"""Operations that load one value from memory, or store one, and do nothing else: what, and where."""

from __future__ import annotations

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.symbolic.affine_maps import affine_of
from memlane.flow.symbolic.types import is_pointer
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Use, Value

_SUBSCRIPTS = regex(r"\s*\[([^\[\]]*)\]")
_NAMES = regex(r"%[-\w$.#]+")
_SYMBOL = regex(r"symbol\(\s*([^()\s]+)\s*\)")


def stored_by(graph: Graph, op: Op) -> tuple[Value, Value] | None:
    """What an op stores, and the memory it stores it to; None where it does something else, or more."""
    model = graph.model(op)
    if model is None or len(model.escape) != 1 or len(model.write) != 1 or model.read or model.loaded or op.results:
        return None
    stored, address = _only(select(op, model.escape[0], model)), _only(select(op, model.write[0], model))
    plain = stored is not None and address is not None and is_plain(model)
    return (stored, address) if stored is not None and address is not None and plain else None


def loaded_by(graph: Graph, op: Op) -> Value | None:
    """What an op loads; None where it does something else, or more."""
    model = graph.model(op)
    if model is None or len(model.read) != 1 or not model.loaded or model.escape or model.write or len(op.results) != 1:
        return None
    return op.results[0] if is_plain(model) else None


def is_plain(model: OpModel) -> bool:
    """Whether an op has no effects besides that it reads, writes and keeps."""
    return not (model.free or model.view or model.regions or does_more(model))


def does_more(model: OpModel) -> bool:
    """Whether an op may have effects that neither its memory effects nor its views declare."""
    ends = model.exits or model.terminator or model.detached
    waits = model.wait or model.joins or model.tag is not None or model.token is not None
    return bool(ends or waits or model.alloc or model.acquire) or model.call is not None


def subscripts(graph: Graph, address: Use) -> tuple[Value | int, ...] | None:
    """The indices behind an address that an op loads from or stores to: numbers in its text, and operands; None where
    they are computed in the text.

    Of what affine ops access, operands are not the indices: the text, or a map, says what is made of them.
    """
    op = address.op
    given = op.operands[address.index + 1 :]
    values = [use.value for use in given]
    if "map" in op.attributes:
        return _mapped(op.attributes["map"], values)
    found = None
    if address.value is not None and not is_pointer(address.value.type):
        found = _SUBSCRIPTS.match(graph.source, address.span.end, op.span.end)
    if found is None:
        return None if None in values else tuple(filter(None, values))
    named = {use.name: use.value for use in given}
    parts = [_SYMBOL.sub(r"\1", part.strip()) for part in found[1].split(",") if part.strip()]
    return _all_known([named.get(part) or _number(part) for part in parts])


def as_written(graph: Graph, address: Use) -> tuple[Value | str, ...] | None:
    """The same where they are computed in the text: the text without names, and the operands."""
    op = address.op
    found = _SUBSCRIPTS.match(graph.source, address.span.end, op.span.end)
    text = op.attributes.get("map") or (found[1] if found is not None else None)
    values = [use.value for use in op.operands[address.index + 1 :] if use.value is not None]
    if text is None or len(values) < len(op.operands) - address.index - 1:
        return None
    return ("".join(_NAMES.sub("%", text).split()), *values)


def _mapped(text: str, values: list[Value | None]) -> tuple[Value | int, ...] | None:
    """The results of an affine map of some values."""
    found = affine_of(text)
    if found is None or found.arguments != len(values):
        return None
    simple = {"argument": values.__getitem__, "const": int}
    return _all_known([simple[one[0]](one[1]) if one[0] in simple else None for one in found.results])


def _all_known(found: list[Value | int | None]) -> tuple[Value | int, ...] | None:
    return None if None in found else tuple(one for one in found if one is not None)


def _number(text: str) -> int | None:
    return numeral(text) if text.lstrip("-").isdecimal() else None


def _only(uses: tuple[Use, ...]) -> Value | None:
    return uses[0].value if len(uses) == 1 else None
