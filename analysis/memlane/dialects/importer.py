"""A dialect's declarations to a model file that a person then completes: the work of `memlane dialect import`.

Reads the JSON of `llvm-tblgen --dump-json` and MLIR files with `irdl.dialect`. What had to be guessed is marked in
the text, with what to write if the guess is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from memlane.dialects import irdl, ods
from memlane.dialects.catalogue import builtin_models
from memlane.dialects.declared import Declared, Tables, Variable, tables, with_own_memory
from memlane.dialects.toml_text import toml_text

EFFECTS = "Effects are not declared: its buffers may be read, written, freed or kept. Say read, write, escape or free."
RESULT = "What its results are is not declared: each may be a view of an operand. Say alloc, view or loaded."
REGIONS = "When its regions run, and what they pass on, is not declared. Say regions."
OWNER = "No operation is declared to free what it allocates. Declare one: [resource.NAME]."
HEAD = """\
{dialects}: what the operations do to memory, imported from {file}.
Name this file in memlane.toml: models = ["..."]. What had to be guessed is marked: such an operation counts as unknown,
and no certain finding depends on it, until you complete its table and remove `guessed` (docs: describing dialects)."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The text of a model file.

    Args:
        dialects: what it describes, in alphabetical order.
        operations: how many; `guessed`: those whose effects are not declared.
    """

    text: str
    dialects: tuple[str, ...]
    operations: int
    guessed: int


class ImportProblem(ValueError):
    """The input declares no operations that can be imported; the message says why, in a sentence."""


def imported(text: str, file: str, only: Collection[str] = ()) -> Imported:
    """The model file for what `text` declares; raises `ImportProblem`.

    Args:
        file: its name, for the comment at the top.
        only: dialects to take; empty: all but those that ship with Memlane.
    """
    ops = with_own_memory(_declared(text))
    known = {op.name.partition(".")[0] for op in ops}
    wanted = set(only) or known - builtin_models().dialects
    if missing := wanted - known:
        raise ImportProblem(
            f"no operation of {', '.join(sorted(missing))} in it; it declares {', '.join(sorted(known))}"
        )
    ops = [op for op in ops if op.name.partition(".")[0] in wanted]
    if not ops:
        raise ImportProblem(
            f"it only declares operations of {', '.join(sorted(known))}, which ship with Memlane"
            if known
            else "it declares no operations"
        )
    merged: Tables = {"resource": {}, "op": {}, "dialect": {}}
    for dialect, found in tables(ops).items():
        _own_resources(dialect, found["op"])
        merged["resource"].update(_resources(found["op"]))
        merged["op"].update(found["op"])
        if found["dialect"][dialect]["pure"]:
            merged["dialect"].update(found["dialect"])
    notes = dict(_guesses(ops, merged["op"]))
    for name in notes:
        merged["op"][name] = {"guessed": True, **_without_guesses(merged["op"].get(name, {}))}
    for dialect, keys in merged["dialect"].items():
        keys["pure"] = [mnemonic for mnemonic in keys["pure"] if f"{dialect}.{mnemonic}" not in notes]
    merged["op"] = dict(sorted(merged["op"].items()))
    for op in ops:
        many = [one.name for one in op.operands if one.many]
        if op.successors and len(many) == op.successors and not any(one.nested for one in op.operands):
            merged["op"][op.name]["forwards"] = many  # what each is handed, in their order, as branches declare it
    head = HEAD.format(dialects=", ".join(sorted(wanted)), file=file)
    return Imported(toml_text(head, merged, notes), tuple(sorted(wanted)), len(ops), len(notes))


def _declared(text: str) -> Iterable[Declared]:
    if text.lstrip().startswith("{"):
        try:
            dump: Any = json.loads(text)
        except ValueError as error:
            raise ImportProblem(f"not JSON: {error}") from None
        except RecursionError:
            raise ImportProblem("is nested too deeply") from None
        if not ods.is_dump(dump):
            raise ImportProblem("not what `llvm-tblgen --dump-json` writes: it has no `!instanceof`")
        try:
            return list(ods.operations(dump))
        except ods.NotODS as error:
            raise ImportProblem(f"not what `llvm-tblgen --dump-json` writes: {error}") from None
    if irdl.is_irdl(text):
        return irdl.operations(text)
    raise ImportProblem("neither JSON of `llvm-tblgen --dump-json` nor MLIR with `irdl.dialect`")


def _effects(ops: Tables | dict[str, dict[str, Any]]) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Op name, `alloc` or `free`, and each such effect."""
    return (
        (name, kind, effect) for name, op in ops.items() for kind in ("alloc", "free") for effect in op.get(kind, [])
    )


def _own_resources(dialect: str, ops: dict[str, dict[str, Any]]) -> None:
    """A dialect that frees what it allocates has an allocator of its own, whatever resource it declares."""
    kinds = {kind for _, kind, effect in _effects(ops) if effect["resource"] == "heap"}
    if kinds == {"alloc", "free"}:
        for _, _, effect in _effects(ops):
            if effect["resource"] == "heap":
                effect["resource"] = dialect


def _resources(ops: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Tables of the resources that Memlane does not know, with the ops that allocate and free them."""
    found: dict[str, dict[str, Any]] = {}
    for name, kind, effect in _effects(ops):
        if effect["resource"] not in builtin_models().resources:
            found.setdefault(effect["resource"], {}).setdefault(kind, name)
    return found


def _without_guesses(keys: dict[str, Any]) -> dict[str, Any]:
    """The keys of an op but for region edges, which no declaration says, and doubts that `guessed` includes."""
    return {key: value for key, value in keys.items() if key not in ("regions", "may_read")}


def _guesses(ops: Iterable[Declared], described: dict[str, dict[str, Any]]) -> Iterable[tuple[str, str]]:
    """The ops of which something had to be guessed, each with what."""
    freed = {effect["resource"] for _, kind, effect in _effects(described) if kind == "free"}
    for op in ops:
        keys = described.get(op.name, {})
        allocated: list[Variable] = [
            op.results[one["result"]] for one in keys.get("alloc", ()) if _is_kept(one["resource"], freed)
        ]
        if op.regions and not ("function" in keys or "symbol_table" in keys):
            yield op.name, REGIONS
        elif op.guessed and ("read" in keys or "write" in keys):
            yield op.name, EFFECTS
        elif not op.passes_on and _has_unexplained_result(op, keys):
            yield op.name, RESULT
        elif any(one.types or not one.memref for one in allocated):
            yield op.name, OWNER


def _is_kept(resource: str, freed: Collection[str]) -> bool:
    """Whether nothing is declared to free memory of a resource, and it does not end by itself."""
    known = builtin_models().resources.get(resource)
    return resource not in freed and (known is None or known.free is not None)


def _has_unexplained_result(op: Declared, keys: dict[str, Any]) -> bool:
    """Whether a result may be memory that an operand is or leads to, and no declaration says so."""
    if "loaded" in keys or not any(one.buffer for one in op.operands):
        return False
    said = {effect["result"] for effect in keys.get("alloc", ())} | ({0} if op.is_view else set[int]())
    return any((one.buffer or one.types) and number not in said for number, one in enumerate(op.results))
