"""What is declared of an operation, whatever declares it (ODS, IRDL), to the keys of its model table.

Where a declaration only says that something happens (an effect without an operand, or computed in C++, or nothing
about effects at all), every operand that can be a buffer counts as read and written, and a result that can be one
may be a view of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from memlane.dialects.notation import BUFFERS, Names

Tables = dict[str, dict[str, Any]]
"""The tables of one model file: kind (`op`, `dialect`, `resource`) -> name -> keys."""

_FLAGS = {
    "IsIsolatedFromAbove": "isolated",
    "SymbolTable": "symbol_table",
    "AutomaticAllocationScope": "allocation_scope",
    "IsTerminator": "terminator",
    "HasParallelRegion": "parallel",
}
_HANDS_ON = frozenset({"IsTerminator", "CallOpInterface"})
"""Ops that pass their operands to other code, whose effects count."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An operand or result.

    Args:
        many: variadic or optional. `nested`: variadic of variadic.
        buffer: its type may be a buffer.
        token: its type is an asynchronous token.
        effects: pairs of effect (`Allocate`, `Free`, `Read`, `Write`) and resource.
        types: the types of dialects that it may have, by their C++ class.
        memref: its type may be a memref, or memory of the builtin kinds.
    """

    name: str
    many: bool = False
    buffer: bool = False
    token: bool = False
    effects: tuple[tuple[str, str], ...] = ()
    types: frozenset[str] = frozenset()
    nested: bool = False
    memref: bool = False

    @property
    def declared(self) -> str:
        """As in the `operands` list of a model file."""
        return f"{self.name}*" if self.many else self.name


@dataclass(frozen=True, slots=True)
class Declared:
    """One operation.

    Args:
        name: with its dialect.
        regions, successors: how many.
        traits: traits and interfaces by their C++ name.
        loose_effects: effects (`read`, `write`, `allocate`) of no operand in particular.
        guessed: the effects are not declared, or computed in C++: `loose_effects` are the cautious ones.
        undeclared: of the two the former.
        keywords: operand groups by the keyword before them in custom syntax.
        parents: C++ classes of the ops it must stand in. `cpp_class`: its own.
    """

    name: str
    operands: tuple[Variable, ...]
    results: tuple[Variable, ...]
    regions: int = 0
    successors: int = 0
    traits: frozenset[str] = frozenset()
    loose_effects: frozenset[str] = frozenset()
    guessed: bool = False
    undeclared: bool = False
    keywords: Mapping[str, str] = field(default_factory=dict[str, str])
    parents: frozenset[str] = frozenset()
    cpp_class: str = ""

    @property
    def passes_on(self) -> bool:
        """Whether it passes its operands to other code, whose effects count."""
        return not _HANDS_ON.isdisjoint(self.traits)

    @property
    def is_view(self) -> bool:
        """Whether its first result is declared to be a view."""
        return "ViewLikeOpInterface" in self.traits


def with_own_memory(ops: Iterable[Declared]) -> list[Declared]:
    """The operations; types of dialects that some allocate, free, read, write or give a view of are buffers.

    A dialect that allocates `!my.buffer` has operations that say nothing of memory and take one all the same.
    """
    ops = list(ops)
    told = (one for op in ops for one in (*op.operands, *op.results) if one.effects)
    views = (one for op in ops if "ViewLikeOpInterface" in op.traits for one in op.results)
    memory = frozenset[str]().union(*(one.types for one in (*told, *views)))

    def known(variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
        return tuple(replace(one, buffer=one.buffer or not memory.isdisjoint(one.types)) for one in variables)

    return [replace(op, operands=known(op.operands), results=known(op.results)) for op in ops]


def tables(ops: Iterable[Declared]) -> dict[str, Tables]:
    """The model tables of each dialect that has operations among `ops`, by dialect."""
    ops = sorted(ops, key=lambda op: op.name)
    functions = frozenset(op.cpp_class for op in ops if "FunctionOpInterface" in op.traits)
    found: dict[str, Tables] = {}
    for op in ops:
        dialect, _, mnemonic = op.name.partition(".")
        here = found.setdefault(dialect, {"op": {}, "dialect": {dialect: {"pure": []}}})
        table = op_table(op, functions)
        if table:
            here["op"][op.name] = table
        else:
            here["dialect"][dialect]["pure"].append(mnemonic)
    return found


def op_table(op: Declared, functions: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The keys of one op's table; empty for an op that does nothing to memory or control flow."""
    table: dict[str, Any] = {}
    table.update(_effects(op))
    table.update(_views(op, table))
    table.update({key: True for trait, key in _FLAGS.items() if trait in op.traits})
    returns = op.parents <= functions if op.parents else "ReturnLike" in op.traits and bool(functions)
    if returns and table.pop("terminator", False):
        table["exits"] = True
    if op.successors:
        table["successors"] = ["always"]
    if "FunctionOpInterface" in op.traits:
        table["function"] = "host"
    if "CallOpInterface" in op.traits:
        table["call"] = {"arguments": _arguments(op)}
    table.update(_completion(op))
    if op.successors or not {one.name for one in op.operands}.isdisjoint(_strings(table)):
        groups = dict(op.keywords) if "AttrSizedOperandSegments" in op.traits else {}
        table = {"operands": [one.declared for one in op.operands], **({"groups": groups} if groups else {}), **table}
    if op.regions and not table:
        # Listed, so that it is not "pure": its regions do what their operations do.
        table["regions"] = ["entry -> *", "entry -> results", "* -> *", "* -> results"]
    return table


def _effects(op: Declared) -> dict[str, Any]:
    """`alloc`, `free`, `read` and `write` of the declared effects, or the cautious ones."""
    found: dict[str, Any] = {}
    for index, result in enumerate(op.results):
        for effect, resource in result.effects:
            if effect == "Allocate":
                found.setdefault("alloc", []).append({"result": index, "resource": resource})
    for operand in op.operands:
        for effect, resource in operand.effects:
            if effect == "Free":
                found.setdefault("free", []).append({"operand": _address(op, operand), "resource": resource})
            elif effect in ("Read", "Write"):
                found.setdefault(effect.lower(), []).append(_address(op, operand))
    if "allocate" in op.loose_effects and op.results and "alloc" not in found:
        found["alloc"] = [{"result": 0, "resource": "heap"}]
    for effect in op.loose_effects & {"read", "write"} if not op.passes_on else ():
        for operand in op.operands:
            address = _address(op, operand)
            if operand.buffer and not operand.effects and address not in found.get(effect, []):
                found.setdefault(effect, []).append(address)
    table = {key: found[key] for key in ("alloc", "free", "read", "write") if key in found}
    return {**table, "may_read": True} if op.undeclared and "read" in table else table


def _views(op: Declared, effects: Mapping[str, Any]) -> dict[str, Any]:
    buffers = [one for one in op.operands if one.buffer]
    allocated = {alloc["result"] for alloc in effects.get("alloc", [])}
    if not buffers or op.regions or op.passes_on:
        return {}  # What the results of an op with regions are, its edges say.
    if op.is_view:
        return {"view": [{"of": _address(op, buffers[0])}]}
    of = list(dict.fromkeys(_address(op, one) for one in buffers))
    results = [index for index, one in enumerate(op.results) if one.buffer and index not in allocated]
    if any(effect == "Read" for one in op.operands for effect, _ in one.effects):
        # A result of any type is what was read, unless it is declared as a buffer.
        return {"loaded": results} if results else {}
    return {"view": [{"result": index, "of": of, "may": True} for index in results]} if results else {}


def _completion(op: Declared) -> dict[str, Any]:
    waits = [_address(op, one) for one in op.operands if one.token]
    token = next((index for index, one in enumerate(op.results) if one.token), None)
    return {**({"wait": waits} if waits else {}), **({"token": token} if token is not None else {})}


def _arguments(op: Declared) -> str | int:
    many = [one for one in op.operands if one.many]
    return "0:" if len(many) != 1 or len(op.operands) == 1 else _address(op, many[0])


def _address(op: Declared, operand: Variable) -> str:
    """The operand's name where position or keyword tells it apart in custom form, else `buffers`."""
    fixed = Names([one.declared for one in op.operands]).resolve(operand.name).group is None
    keyed = "AttrSizedOperandSegments" in op.traits and operand.name in op.keywords.values()
    return operand.name if fixed or keyed or not operand.buffer else BUFFERS


def _strings(value: object) -> Iterator[str]:
    """All texts inside a TOML value."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            todo.extend(cast("dict[str, object]", item).values())
        elif isinstance(item, list):
            todo.extend(cast("list[object]", item))
