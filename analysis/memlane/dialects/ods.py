"""ODS to model tables: what `llvm-tblgen --dump-json` says of a dialect's operations, in the form of the TOML files.

Taken over: declared effects with their operands, views, calls, functions, terminators, isolation, symbol tables,
allocation scopes, parallel regions, successors, async tokens. Where ODS only says that something happens (an
effect without an operand, or computed in C++, or nothing at all about effects), every operand that can be a buffer
counts as read and written, and a result that can be one may be a view of it. What ODS cannot say is an overlay's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from memlane.dialects.notation import BUFFERS, Names

Record = dict[str, Any]
Tables = dict[str, dict[str, Any]]

_BUFFER = re.compile(r"MemRefType|PtrType|PointerType|BufferLikeType|\bShapedType\b")
_ANY = re.compile(r"^\(?true\)?$")
_KEYWORD = re.compile(r"`([A-Za-z_]\w*)`(?:\s*`\s*`)?\s*`[(\[]`\s*\$(\w+)")
_RESOURCES = {"AutomaticAllocationScopeResource": "stack", "DefaultResource": "heap"}
_FLAGS = {
    "IsIsolatedFromAbove": "isolated",
    "SymbolTable": "symbol_table",
    "AutomaticAllocationScope": "allocation_scope",
    "IsTerminator": "terminator",
    "HasParallelRegion": "parallel",
}
_HANDS_ON = frozenset({"IsTerminator", "CallOpInterface"})
"""Ops that pass their operands to somebody else, whose effects count."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An operand or result: `many` for variadic and optional ones, `buffer` where its type admits one."""

    name: str
    many: bool
    buffer: bool
    token: bool
    effects: tuple[tuple[str, str], ...]
    """Pairs of effect (`Allocate`, `Free`, `Read`, `Write`) and resource."""

    @property
    def declared(self) -> str:
        """As in the `operands` list of a model file."""
        return f"{self.name}*" if self.many else self.name


def tables(dump: Record) -> dict[str, Tables]:
    """The model tables of each dialect that has operations in `dump`, by dialect: `op` and `dialect` as in TOML."""
    records = [dump[name] for name in dump["!instanceof"].get("Op", [])]
    ops = [Ods(dump, record) for record in records]
    functions = {op.cpp_class for op in ops if "FunctionOpInterface" in op.traits}
    found: dict[str, Tables] = {}
    for op in sorted(ops, key=lambda op: op.name):
        if not op.dialect:
            continue
        here = found.setdefault(op.dialect, {"op": {}, "dialect": {op.dialect: {"pure": []}}})
        table = op_table(op, functions)
        if table:
            here["op"][op.name] = table
        else:
            here["dialect"][op.dialect]["pure"].append(op.name.partition(".")[2])
    return found


def op_table(op: Ods, functions: Iterable[str] = ()) -> dict[str, Any]:
    """The keys of one op's table; empty for an op that does nothing to memory or control flow."""
    table: dict[str, Any] = {}
    table.update(_effects(op))
    table.update(_views(op, table))
    table.update({key: True for trait, key in _FLAGS.items() if trait in op.traits})
    if op.parents and op.parents <= set(functions) and table.pop("terminator", False):
        table["exits"] = True
    if op.successors:
        table["successors"] = ["always"]
    if "FunctionOpInterface" in op.traits:
        table["function"] = "host"
    if "CallOpInterface" in op.traits:
        table["call"] = {"arguments": _arguments(op)}
    table.update(_completion(op))
    if op.successors or not {one.name for one in op.operands}.isdisjoint(_strings(table)):
        groups = op.keywords if "AttrSizedOperandSegments" in op.traits else {}
        table = {"operands": [one.declared for one in op.operands], **({"groups": groups} if groups else {}), **table}
    if op.regions and not table:
        # Listed, so that it is not "pure": its regions do what their operations do.
        table["regions"] = ["entry -> *", "entry -> results", "* -> *", "* -> results"]
    return table


def _effects(op: Ods) -> dict[str, Any]:
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
    for effect in op.loose_effects & {"read", "write"} if not op.traits & _HANDS_ON else ():
        for operand in op.operands:
            address = _address(op, operand)
            if operand.buffer and not operand.effects and address not in found.get(effect, []):
                found.setdefault(effect, []).append(address)
    return {key: found[key] for key in ("alloc", "free", "read", "write") if key in found}


def _views(op: Ods, effects: Mapping[str, Any]) -> dict[str, Any]:
    buffers = [one for one in op.operands if one.buffer]
    allocated = {alloc["result"] for alloc in effects.get("alloc", [])}
    if not buffers or op.regions or op.traits & _HANDS_ON:
        return {}  # What the results of an op with regions are, its edges say.
    if "ViewLikeOpInterface" in op.traits:
        return {"view": [{"of": _address(op, buffers[0])}]}
    of = list(dict.fromkeys(_address(op, one) for one in buffers))
    results = [index for index, one in enumerate(op.results) if one.buffer and index not in allocated]
    if any(effect == "Read" for one in op.operands for effect, _ in one.effects):
        # A result of any type is what was read, unless it is declared as a buffer.
        return {"loaded": results} if results else {}
    return {"view": [{"result": index, "of": of, "may": True} for index in results]} if results else {}


def _completion(op: Ods) -> dict[str, Any]:
    waits = [_address(op, one) for one in op.operands if one.token]
    token = next((index for index, one in enumerate(op.results) if one.token), None)
    return {**({"wait": waits} if waits else {}), **({"token": token} if token is not None else {})}


def _arguments(op: Ods) -> str | int:
    many = [one for one in op.operands if one.many]
    return "0:" if len(many) != 1 or len(op.operands) == 1 else _address(op, many[0])


def _address(op: Ods, operand: Variable) -> str:
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


class Ods:
    """One operation record, read: traits by their C++ name, operands and results with types and effects."""

    __slots__ = ("_dump", "_record", "dialect", "loose_effects", "name", "operands", "parents", "results", "traits")

    def __init__(self, dump: Record, record: Record) -> None:
        self._dump = dump
        self._record = record
        self.dialect: str = dump[record["opDialect"]["def"]]["name"]
        self.name = f"{self.dialect}.{record['opName']}"
        traits = list(self._flat(record["traits"]))
        self.traits = frozenset(_trait_name(trait) for trait in traits)
        self.parents = frozenset(
            parent.strip()
            for name in self.traits
            if (match := re.match(r"HasParent<(.*)>::Impl", name))
            for parent in match[1].split(",")
        )
        self.operands = tuple(self._variables("arguments"))
        self.results = tuple(self._variables("results"))
        self.loose_effects = self._loose(traits)

    @property
    def cpp_class(self) -> str:
        """The C++ class that other records name: the record's name without its dialect prefix."""
        name: str = self._record["!name"]
        return name.partition("_")[2] or name

    @property
    def regions(self) -> int:
        """How many regions are declared."""
        return len(self._record["regions"]["args"])

    @property
    def successors(self) -> int:
        """How many successors are declared."""
        return len(self._record["successors"]["args"])

    @property
    def keywords(self) -> dict[str, str]:
        """Operand groups by the keyword before them in the declarative assembly format."""
        return dict(_KEYWORD.findall(self._record.get("assemblyFormat") or ""))

    def _flat(self, traits: list[Record]) -> Iterator[Record]:
        todo = list(reversed(traits))
        while todo:
            trait = self._dump[todo.pop()["def"]]
            if "TraitList" in trait["!superclasses"]:
                todo.extend(reversed(trait["traits"]))
            else:
                yield trait

    def _variables(self, field: str) -> Iterator[Variable]:
        for index, (reference, name) in enumerate(self._record[field]["args"]):
            variable = self._dump[reference["def"]]
            wrapped = "OpVariable" in variable["!superclasses"] and "constraint" in variable
            constraint = self._dump[variable["constraint"]["def"]] if wrapped else variable
            if "TypeConstraint" not in constraint["!superclasses"]:
                continue
            decorators: list[Record] = variable.get("decorators", []) if wrapped else []
            many = any(kind in constraint["!superclasses"] for kind in ("Variadic", "Optional", "VariadicOfVariadic"))
            effects = tuple(_effect(self._dump[one["def"]]) for one in decorators)
            texts = list(self._predicates(constraint))
            yield Variable(
                name or f"unnamed{index}",
                many,
                any(_BUFFER.search(text) or _ANY.match(text) for text in texts),
                any("AsyncToken" in text for text in texts),
                tuple(effect for effect in effects if effect[0]),
            )

    def _predicates(self, constraint: Record) -> Iterator[str]:
        """The C++ conditions a type is tested with, whatever combines them."""
        todo = [constraint.get("predicate")]
        seen: set[str] = set()
        while todo:
            reference = todo.pop()
            if reference is None or reference["def"] in seen:
                continue
            seen.add(reference["def"])
            predicate = self._dump[reference["def"]]
            if "SubstLeaves" in predicate["!superclasses"]:
                continue  # Asks about something inside the type: its elements.
            if predicate.get("children"):
                todo.extend(predicate["children"])
            elif "predExpr" in predicate:
                yield predicate["predExpr"]

    def _loose(self, traits: list[Record]) -> frozenset[str]:
        """Effects (`read`, `write`, `allocate`) of no operand in particular."""
        lists = [trait["effects"] for trait in traits if "MemoryEffects" in trait["!superclasses"]]
        effects = {_effect(self._dump[one["def"]])[0].lower() for effects in lists for one in effects}
        known = not self.traits.isdisjoint(("HasRecursiveMemoryEffects", "MemoryEffectOpInterface::Trait"))
        declared = any(one.effects for one in (*self.operands, *self.results))
        if "MemoryEffectOpInterface" in self.traits or not (known or declared or lists):
            effects |= {"read", "write"}
        return frozenset(effects)


def _trait_name(trait: Record) -> str:
    return trait.get("cppInterfaceName") or trait.get("trait") or trait["!name"]


def _effect(record: Record) -> tuple[str, str]:
    """Effect and resource of a decorator; an empty effect for a decorator of another kind."""
    if "SideEffect" not in record["!superclasses"] or "effect" not in record:
        return "", ""
    resource: str = record["resource"].rpartition("::")[2]
    return record["effect"].rpartition("::")[2], _RESOURCES.get(resource, resource)
