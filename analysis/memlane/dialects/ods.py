"""ODS records to declarations: what `llvm-tblgen --dump-json` says of a dialect's operations.

Taken over: declared effects with their operands, traits and interfaces, regions, successors, which types can be
buffers or asynchronous tokens, and the keywords of the declarative assembly format. `declared.py` makes model
tables of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memlane.dialects.declared import Declared, Variable
from memlane.lazy import regex

Record = dict[str, Any]

_BUFFER = regex(r"MemRefType|PtrType|PointerType|BufferLikeType|\bShapedType\b")
_ANY = regex(r"^\(?true\)?$")
_CLASS = regex(r"\bisa<([\w:]+)>")
_BUILTIN = regex(r"(?:::)?mlir::\w+")
"""A type that is of no dialect but the builtin one: whether it is a buffer is known."""
_KEYWORD = regex(r"`([A-Za-z_]\w*)`(?:\s*`\s*`)?\s*`[(\[]`\s*\$(\w+)")
_PARENTS = regex(r"HasParent<(.*)>::Impl")
_RESOURCES = {"AutomaticAllocationScopeResource": "stack", "DefaultResource": "heap"}


def is_dump(value: object) -> bool:
    """Whether a JSON value is what `llvm-tblgen --dump-json` writes."""
    return isinstance(value, dict) and "!instanceof" in value


def operations(dump: Record) -> Iterator[Declared]:
    """The operations of a dump, in the order of its records.

    Raises:
        NotODS: something is not where `llvm-tblgen` writes it.
    """
    name = "!instanceof"
    try:
        for name in dump["!instanceof"].get("Op", []):
            record = dump[name]
            dialect = _text(dump[record["opDialect"]["def"]]["name"])
            if dialect:
                yield _operation(dump, record, f"{dialect}.{_text(record['opName'])}")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise NotODS(f"the record `{name}` is not complete: {type(error).__name__} {error}") from None


class NotODS(ValueError):
    """A dump does not say what ODS says of an operation; the message says of which."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is expected, not {value!r:.40}")
    return value


def _operation(dump: Record, record: Record, name: str) -> Declared:
    traits = list(_flat(dump, record["traits"]))
    names = frozenset(_trait_name(trait) for trait in traits)
    operands = tuple(_variables(dump, record["arguments"]["args"]))
    results = tuple(_variables(dump, record["results"]["args"]))
    lists = [trait["effects"] for trait in traits if "MemoryEffects" in trait["!superclasses"]]
    loose = {_effect(dump[one["def"]])[0].lower() for effects in lists for one in effects}
    known = not names.isdisjoint(("HasRecursiveMemoryEffects", "MemoryEffectOpInterface::Trait"))
    declared = known or bool(lists) or any(one.effects for one in (*operands, *results))
    guessed = "MemoryEffectOpInterface" in names or not declared
    record_name: str = record["!name"]
    return Declared(
        name=name,
        operands=operands,
        results=results,
        regions=len(record["regions"]["args"]),
        successors=len(record["successors"]["args"]),
        traits=names,
        loose_effects=frozenset(loose | {"read", "write"} if guessed else loose),
        guessed=guessed,
        undeclared=not declared,
        keywords=dict(_KEYWORD.findall(record.get("assemblyFormat") or "")),
        parents=frozenset(
            parent.strip() for name in names if (match := _PARENTS.match(name)) for parent in match[1].split(",")
        ),
        cpp_class=record_name.partition("_")[2] or record_name,
    )


def _flat(dump: Record, traits: list[Record]) -> Iterator[Record]:
    todo = list(reversed(traits))
    opened: set[str] = set()  # what no tool writes may hold itself
    while todo:
        name = todo.pop()["def"]
        trait: Record = dump[name]
        if "TraitList" not in trait["!superclasses"]:
            yield trait
        elif name not in opened:
            opened.add(name)
            todo.extend(reversed(trait["traits"]))


def _variables(dump: Record, arguments: list[tuple[Record, str | None]]) -> Iterator[Variable]:
    """Operands or results; attributes and properties, which stand among them, are left out."""
    for index, (reference, name) in enumerate(arguments):
        variable: Record = dump[reference["def"]]
        wrapped = "OpVariable" in variable["!superclasses"] and "constraint" in variable
        constraint: Record = dump[variable["constraint"]["def"]] if wrapped else variable
        if "TypeConstraint" not in constraint["!superclasses"]:
            continue
        decorators: list[Record] = variable.get("decorators", []) if wrapped else []
        effects = (_effect(dump[one["def"]]) for one in decorators)
        texts = list(_predicates(dump, constraint))
        yield Variable(
            name=_text(name or f"unnamed{index}"),
            many=not {"Variadic", "Optional", "VariadicOfVariadic"}.isdisjoint(constraint["!superclasses"]),
            buffer=any(_BUFFER.search(text) or _ANY.match(text) for text in texts),
            token=any("AsyncToken" in text for text in texts),
            effects=tuple(effect for effect in effects if effect[0]),
            types=frozenset(name for text in texts for name in _CLASS.findall(text) if not _BUILTIN.fullmatch(name)),
            memref=any("MemRefType" in text for text in texts),
            nested="VariadicOfVariadic" in constraint["!superclasses"],
        )


def _predicates(dump: Record, constraint: Record) -> Iterator[str]:
    """The C++ conditions a type is tested with, whatever combines them."""
    todo = [constraint.get("predicate")]
    seen: set[str] = set()
    while todo:
        reference = todo.pop()
        if reference is None or reference["def"] in seen:
            continue
        seen.add(reference["def"])
        predicate: Record = dump[reference["def"]]
        if "SubstLeaves" in predicate["!superclasses"]:
            continue  # Asks about something inside the type: its elements.
        if predicate.get("children"):
            todo.extend(predicate["children"])
        elif "predExpr" in predicate:
            yield predicate["predExpr"]


def _trait_name(trait: Mapping[str, Any]) -> str:
    return _text(trait.get("cppInterfaceName") or trait.get("trait") or trait["!name"])


def _effect(record: Record) -> tuple[str, str]:
    """Effect and resource of a decorator; an empty effect for a decorator of another kind."""
    if "SideEffect" not in record["!superclasses"] or "effect" not in record:
        return "", ""
    resource: str = record["resource"].rpartition("::")[2]
    return record["effect"].rpartition("::")[2], _RESOURCES.get(resource, resource)
