"""Scalar ops as expressions: which computation a value is the result of, and the numbers written in the text of ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from memlane.dialects.text_patterns import match_head
from memlane.flow.cfg.case_labels import signed, written_number
from memlane.flow.cfg.function_pointers import names_function
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_defined_in
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import Field
from memlane.flow.effects.aggregate_scalars import unpacked
from memlane.flow.effects.reloads import Before, reloads
from memlane.flow.effects.written_effects import written_frees
from memlane.flow.scalars.affine_ops import AFFINE_KINDS, asked_of, mapped
from memlane.flow.scalars.dealloc_helper import loaded_flag
from memlane.flow.scalars.dimensions import measured, sizes_of
from memlane.flow.scalars.limits import MAX_DEPTH, MAX_FLAG_PARTS, MAX_NUMBER_PARTS
from memlane.flow.scalars.region_choices import RegionChoice, region_choice
from memlane.flow.symbolic.constant_folding import INDEX, folded, is_too_wide, width
from memlane.flow.symbolic.floats import compared_floats
from memlane.flow.symbolic.scalar import (
    FALSE,
    FLAG,
    TRUE,
    Expr,
    balanced,
    constant,
    dimension,
    is_flag,
    leaves,
    levels,
    links,
    pointed,
    points,
    rebuild,
    within,
)
from memlane.flow.symbolic.scalar import size as expression_size
from memlane.flow.symbolic.selected_values import BINARY, CASTS, OF_BITS, bits_of, chosen, either
from memlane.flow.symbolic.sizes import shape_of
from memlane.flow.symbolic.types import is_integer, is_pointer
from memlane.flow.symbolic.width_casts import resized
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value

OF_FLAGS: dict[str, str] = (
    {"addi": "xori", "subi": "xori", "muli": "andi"}
    | {"maxsi": "andi", "minsi": "ori", "maxui": "ori", "minui": "andi"}
    | {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle"}
    | {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}
)
"""What is computed and compared of flags as numbers 0 and 1: of one bit with a sign, true is the least."""
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_COMPARING = ("cmpi", "equal")
"""The latter only asks whether two numbers or pointers are one: what else it compares may be anything."""

_NO_SIGN = "nneg"
_MAP_LEVELS, _MAP_PARTS = 4, 8
"""So many levels and parts of what a map gives count as one: it is one op, and most are small."""


class Expressions:
    """The expressions of the values of a function, each found once.

    How deep one is counts from below: whatever was asked before, the answer is the same. The graph of the function is
    not kept here: its memo keeps this.

    Attributes:
        known: those that have been found.
        computed: what flags are made of that are leaves, for that would be too much to ask for wherever they are: it is
            looked at where they are made (slicing/memory_facts.py).
    """

    __slots__ = ("_extents", "computed", "known")

    def __init__(self) -> None:
        self.computed: dict[Value, Expr] = {}
        self.known: dict[Value, Expr] = {}
        self._extents: dict[Value, tuple[int, int]] = {}
        """How deep expressions are, and of how many parts, a part that is used twice counted twice."""

    def of(self, graph: Graph, value: Value) -> Expr:
        """See `scalar_of`."""
        known = self.known
        if value in known:
            return known[value]
        if not _parts(graph, value):  # most: arguments, constants, what is loaded
            found = known[value] = self._made(graph, value)
            return found
        pending, seen = [value], set[Value]()
        while pending:
            last = pending[-1]
            parts = () if last in seen else _parts(graph, last)
            seen.add(last)
            missing = [part for part in parts if part not in known]
            if missing:
                pending.extend(missing)
            else:
                pending.pop()
                if last not in known:
                    known[last] = self._made(graph, last)
        return known[value]

    def _made(self, graph: Graph, value: Value) -> Expr:
        op = value.op
        model = graph.model(op) if op is not None else None
        if isinstance(value, Field) or (model is not None and model.aggregate is not None):
            return self._unpacked(graph, value)
        if op is not None and op.symbol is not None and op.symbol in graph.defined and names_function(op, graph.models):
            return ("function", op.symbol)
        if op is not None and model is not None and (model.loaded or model.free) and value.type == "i1":
            flag = (
                loaded_flag(graph, op, partial(self.of, graph))
                if model.loaded
                else self._still_owned(graph, op, value.index)
            )
            chained = not model.loaded and self._chained(graph, value)
            if flag is not None and not chained and within(flag, MAX_DEPTH, MAX_FLAG_PARTS):
                return flag
            if flag is not None and not model.loaded and within(flag, 2 * MAX_DEPTH, 2 * MAX_FLAG_PARTS):
                self.computed[value] = flag
            return self._again(graph, op, value)
        if is_too_wide(value.type):
            return ("leaf", value)
        choice = region_choice(graph, value)
        if op is not None and choice is not None:
            return self._chosen(op, value, choice)
        if op is None or model is None or model.compute is None:
            return self._again(graph, op, value)
        kind = model.compute
        if kind == "pointer" and op.operands and op.operands[0].value is not None:
            return ("pointer", op.operands[0].value)
        if kind == "zero":
            return FALSE if is_integer(value.type) else ("leaf", value)  # of a pointer it is null
        if kind == "constant":
            found = constant_of(op, graph)
            return ("leaf", value) if found is None else constant(found)
        if kind == "dim":
            return self._dimension(graph, op) or ("leaf", value)
        parts: list[Expr] = []
        depth = size = 1
        for use in op.operands:
            if use.value is None:
                return ("leaf", value)
            parts.append(self.known.get(use.value, ("leaf", use.value)))  # a leaf where it is made of itself
            below, part = self._extents.get(use.value, (0, 1))
            depth, size = max(depth, 1 + below), size + part
        most = MAX_FLAG_PARTS if value.type == "i1" else MAX_NUMBER_PARTS
        near = depth <= MAX_DEPTH and size <= most
        made = term(kind, op, _known(kind, op, parts)) if near or value.type == "i1" else None
        if made is not None and not near and size <= most and made[0] in ("andi", "ori", "xori"):
            made = balanced(made[0], [*links(made)])
            depth = levels(made)
            near = depth <= MAX_DEPTH
        if made is not None and near:
            if kind in AFFINE_KINDS:
                depth, size = max(depth, levels(made) // _MAP_LEVELS), max(size, expression_size(made) // _MAP_PARTS)
            self._extents[value] = depth, size
        elif made is not None:
            self.computed[value] = made
        return made if made is not None and near else ("leaf", value)

    def _chosen(self, op: Op, value: Value, choice: RegionChoice) -> Expr:
        """What one flag chooses from what the regions of an op yield, if that is made of values defined outside."""
        parts: list[Expr] = [self.known.get(part, ("leaf", part)) for part in choice]
        extents = [self._extents.get(part, (0, 1)) for part in choice]
        depth, size = 1 + max(below for below, _ in extents), 1 + sum(part for _, part in extents)
        most = MAX_FLAG_PARTS if value.type == "i1" else MAX_NUMBER_PARTS
        inside = any(points(part) or any(is_defined_in(leaf, op) for leaf in leaves(part)) for part in parts)
        if inside or depth > MAX_DEPTH or size > most:
            return ("leaf", value)
        self._extents[value] = depth, size
        return either(parts[0], parts[1], parts[2], value.type)

    def _dimension(self, graph: Graph, op: Op) -> Expr | None:
        """The dimension that an op asks of its first operand: a number where the type of that says it, or what it was
        allocated with. None where it is not known which one."""
        source, place = measured(graph, op), op.operands[1].value if len(op.operands) == 2 else None
        position = self.known.get(place) if place is not None else None
        if source is None or position is None or position[0] != "const" or position[1] < 0:
            return None
        index: int = position[1]
        type_ = source.type or ""
        shape = shape_of("memref" + type_.removeprefix("tensor") if type_.startswith("tensor<") else type_)
        if shape is None or index >= len(shape[0]):
            return None
        known, sizes = shape[0][index], sizes_of(graph, op)
        at = shape[0][:index].count(None)
        if known is not None:
            return constant(known)
        if at >= len(sizes):
            return dimension(source, index)
        self._extents[op.results[0]] = self._extents.get(sizes[at], (0, 1))
        return self.known.get(sizes[at])

    def _again(self, graph: Graph, op: Op | None, value: Value) -> Expr:
        """What was loaded before, or stored, where an op loads that once more."""
        before = given_again(graph, op) if op is not None else None
        if before is None:
            return ("leaf", value)
        if before in self._extents:
            self._extents[value] = self._extents[before]
        return self.known.get(before, ("leaf", before))

    def _unpacked(self, graph: Graph, value: Value) -> Expr:
        """What is taken out of an aggregate, or stands in one."""
        parts = unpacked(graph, value)
        found = [self.known.get(part, ("leaf", part)) for part in parts]  # a leaf where it is made of itself
        extents = [self._extents.get(part, (0, 1)) for part in parts]
        if len(found) == 1:
            self._extents[value] = extents[0]
            return found[0]
        depth, size = 1 + max([0, *(below for below, _ in extents)]), 1 + sum(part for _, part in extents)
        if not found or depth > MAX_DEPTH or size > MAX_FLAG_PARTS:
            return ("leaf", value)
        self._extents[value] = depth, size
        return ("select", *found)

    def _chained(self, graph: Graph, value: Value) -> bool:
        """Whether what an op says of what it retains depends on what another one said."""
        given = [self.known.get(part, TRUE) for part in _parts(graph, value)]
        return any(points(expr) or any(leaf in self.computed for leaf in leaves(expr)) for expr in given)

    def _still_owned(self, graph: Graph, op: Op, index: int) -> Expr | None:
        """Whether what an op retains is owned behind it: some memref that it was given with its condition is that
        (BufferizationOps.td, `bufferization.dealloc`)."""
        found: list[Expr] = []
        frees = written_frees(graph, op)
        if not frees and all(use.value is not None for use in op.operands):
            return FALSE  # none was given
        for free in frees:
            if index >= len(free.retained):
                return None
            same: Expr = ("cmpi", "eq", ("pointer", free.value), ("pointer", free.retained[index]))
            flag = free.condition
            found.append(same if flag is None else ("andi", self.known.get(flag, ("leaf", flag)), same))
        return balanced("ori", found) if found else None


def scalar_of(graph: Graph, value: Value) -> Expr:
    """The scalar expression of `value`; computations without a model, and deep ones, are leaves."""
    found = query(graph, _expressions).known.get(value)
    return found if found is not None else query(graph, _expressions).of(graph, value)


def handed_over(graph: Graph, expr: Expr, handed: Mapping[Value, Value | None]) -> Expr | None:
    """An expression with what is handed over for some values; None: that is not known."""
    if expr[0] != "leaf" or expr[1] not in handed:
        return rebuild(expr, lambda part: handed_over(graph, part, handed))
    value = handed[expr[1]]
    return scalar_of(graph, value) if value is not None else None


def given_again(graph: Graph, load: Op) -> Value | None:
    """What a load gives, where that was loaded from the same place before, or stored there (effects/reloads.py)."""
    model = graph.model(load)
    found = loads_again(graph).get(load) if model is not None and model.loaded else None
    return found.value if found is not None else None


def loads_again(graph: Graph) -> Mapping[Op, Before]:
    """The loads that give what was loaded before, or stored."""
    return query(graph, _loads_again)


def _loads_again(graph: Graph) -> Mapping[Op, Before]:
    return reloads(graph, partial(constant_value, graph))


def constant_value(graph: Graph, value: Value) -> int | None:
    """The integer that a value is, where a constant op gives it."""
    model = graph.model(value.op) if value.op is not None else None
    return (
        constant_of(value.op, graph)
        if value.op is not None and model is not None and model.compute == "constant"
        else None
    )


def computed_flags(graph: Graph) -> dict[Value, Expr]:
    """See `Expressions.computed`."""
    return query(graph, _expressions).computed


def _expressions(_: Graph) -> Expressions:
    return Expressions()


def _parts(graph: Graph, value: Value) -> Sequence[Value]:
    """What the expression of `value` may be made of."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is None or model is None:
        return ()
    if (choice := region_choice(graph, value)) is not None:
        return choice
    if model.aggregate is not None or isinstance(value, Field):
        return unpacked(graph, value)
    if model.loaded and (before := given_again(graph, value.op)) is not None:
        return (before,)
    if model.free and value.type == "i1":
        return [one for use in value.op.operands if (one := use.value) is not None and one.type == "i1"]
    if model.compute in (None, "constant", "pointer", "zero"):
        return ()
    if model.compute == "dim":
        return [*sizes_of(graph, op := value.op), *[use.value for use in op.operands if use.value is not None]]
    return [use.value for use in value.op.operands if use.value is not None]


def _known(kind: str, op: Op, parts: list[Expr]) -> list[Expr]:
    """What an op computes with, where that matters: addresses only where it tells whether two are the same. Else they
    are numbers like others, which are what they are wherever they are asked for."""
    if kind in _COMPARING and _comparison(op) in PREDICATES[:2]:
        values = [pointed(part) for part in parts]
        if None not in values:
            return parts
        pointer = next(filter(None, values), None)
        if FALSE in parts and pointer is not None and is_pointer(pointer.type):
            return [("leaf", pointer), FALSE]
    if kind in CASTS:
        return parts
    numbers = [("leaf", use.value) for use in op.operands if use.value is not None]
    return [number if part[0] == "pointer" else part for number, part in zip(numbers, parts, strict=True)]


def _comparison(op: Op) -> str:
    """The comparison that an op names, or gives the number of; empty for other ops."""
    written = op.keywords[0] if op.keywords else (op.literal or "").strip('"')
    first = op.attributes.get("predicate", "").split()[:1]
    number = numeral(first[0]) if first and not written else None
    if number is not None:
        return PREDICATES[number] if 0 <= number < len(PREDICATES) else ""
    return written if written in PREDICATES else ""


def term(kind: str, op: Op, parts: list[Expr]) -> Expr | None:
    """The expression of an op whose model computes `kind` of `parts`; None for an unknown kind."""
    given, made = op.operands[0].value if op.operands else None, op.results[0].type if op.results else None
    source = given.type if given is not None else None
    if kind in _COMPARING and len(parts) == 2:
        name = _comparison(op)
        if kind == "equal" and (name not in PREDICATES[:2] or not (is_pointer(source) or is_integer(source))):
            return None
        name = OF_FLAGS.get(name, name) if source == "i1" else name
        if source == "i1" and name in PREDICATES[:2]:
            differ: Expr = ("xori", *parts)
            return differ if name == "ne" else ("xori", differ, TRUE)
        return ("cmpi", name, *parts) if name else None
    if kind in AFFINE_KINDS:
        return mapped(kind, op, parts)
    if kind == "cmpf":
        return compared_floats(op, *parts) if made == "i1" and len(parts) == 2 else None
    if kind == "select" and len(parts) == 3:
        return ("select", *parts)
    kind = OF_FLAGS.get(kind, kind) if made == "i1" else kind
    numbers = [part[1] for part in parts if part[0] == "const"]
    if numbers and len(numbers) == len(parts):
        found = folded(kind, numbers, source, made)
        return constant(found) if found is not None else None
    if kind in CASTS and len(parts) == 1:
        # What has no sign, as the op says, is the same number with one (LangRef, `zext nneg`).
        return _cast("extsi" if _NO_SIGN in op.keywords and source != "i1" else kind, parts[0], source, made)
    if kind == "remui" and parts[1:] == [constant(2)]:
        kind, parts = "andi", [parts[0], TRUE]  # it is the last bit
    if kind in OF_BITS and len(parts) == 2 and (bits := bits_of(kind, parts, source, made)) is not None:
        return bits
    if (choice := chosen(kind, parts, source, made)) is not None or len(parts) != 2:
        return choice
    typed = is_integer(source) and is_integer(made) and "i1" not in (source, made)
    return (kind, *parts) if kind in BINARY else ("typed", kind, source, made, *parts) if typed else None


def _cast(kind: str, number: Expr, source: str | None, made: str | None) -> Expr | None:
    """A number of the type `source` as one of the type `made`: of constants to choose from, each by itself. None where
    it is unknown how much of it is left."""
    found = folded(kind, [number[1]], source, made) if number[0] == "const" else None
    if found is not None:
        return constant(found)
    if number[0] == "select":
        then, otherwise = (_cast(kind, one, source, made) for one in number[2:])
        return either(number[1], then, otherwise, made) if then is not None and otherwise is not None else None
    if made == "i1" != source:
        return _narrowed(number) if kind != "extsi" else number  # one bit of it is left
    if source == "i1":
        return ("select", number, constant(-1), FALSE) if kind in ("extsi", "index_cast") else number
    fits = kind == "index_castui" and (width(source) or 0) >= INDEX
    if kind in ("extsi", "index_cast") or source == "index" or fits:
        return number  # an index is a size or a position, and those of real programs fit
    kind, bits = (kind, width(made)) if kind == "trunci" else ("extui", width(source))
    return resized(kind, bits, number, FLAG if is_flag(number) else None) if bits else None


def _narrowed(number: Expr) -> Expr:
    """The last bit of a number, as a flag."""
    return number if is_flag(number) else ("cmpi", "ne", ("andi", number, TRUE), FALSE)


def asked_by(graph: Graph, op: Op) -> Expr | None:
    """What an op asks of its operands, where its text says that."""
    model = graph.model(op)
    condition = model.condition if model is not None else None
    if condition is None:
        return None
    found = match_head(condition.text, graph.source, op)
    asked = found[1] if found is not None else op.attributes.get(condition.attribute)
    values = [use.value for use in op.operands]
    if asked is None or any(value is None for value in values):
        return None
    numbers = [scalar_of(graph, value) for value in values if value is not None]
    condition = asked_of(asked, op, numbers)
    return ("holds", "".join(asked.split()), *numbers) if condition is None else condition


_IN_PARENTHESES = regex(r"\s*\(([^():]*)[:)]")


def constant_of(op: Op, graph: Graph) -> int | None:
    """The integer that a constant op gives: a leading literal, the attribute `value`, or in parentheses (LLVM's)."""
    text = op.literal if op.literal is not None else op.attributes.get("value")
    if text is None:
        found = _IN_PARENTHESES.match(graph.source, op.name_span.end)
        text = found.group(1) if found is not None else None
    return signed(written_number(text), op.results[0].type if op.results else None)
