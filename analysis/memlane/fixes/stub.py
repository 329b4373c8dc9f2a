"""`unknown-effects`: the beginning of a description of an operation, for the configuration file.

It declares what is assumed of an operation without a model, so that it changes little until it is edited, and has the
other possibilities as comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memlane.config import NAMES, Config
from memlane.dialects.layers import extended
from memlane.dialects.load import load_models
from memlane.dialects.toml_text import quoted
from memlane.findings import Addition, Applicability, Fix
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value

PROJECT = "pyproject.toml"
_REASON = "a generated guess, please review"


def stub(op: Op, config: Config) -> Fix:
    """The fix that adds a table for `op` to the configuration file that holds, or to a new one."""
    file = own_file(config)
    in_project = file is not None and file.name == PROJECT
    table = f"[{'tool.memlane.' if in_project else ''}op.{quoted(op.name)}]"
    content = "".join(f"{line}\n" for line in ("", *_comment(op), table, *_keys(op)))
    name = file.name if file is not None else NAMES[0]
    added = Addition(file, NAMES[0], content)
    return Fix(f"Describe {op.name} in {name}", (), Applicability.UNSAFE, _REASON, (added,))


def with_stub(config: Config, *fixes: Fix) -> Config:
    """The configuration as if the fixes had been applied; of two for one operation the first."""
    texts = dict.fromkeys(added.content.replace("[tool.memlane.", "[") for fix in fixes for added in fix.additions)
    tables: dict[str, str] = {}
    for text in texts:
        tables.setdefault(next(line for line in text.split("\n") if line.startswith("[")), text)
    said, problems = load_models("".join(tables.values()), NAMES[0])
    assert not problems, problems
    return replace(config, models=extended(config.models, said))


def own_file(config: Config) -> Path | None:
    """The file that the configuration was read from, leaving aside what it extends."""
    root = config.root.absolute()
    found = (f for f in config.files if f.absolute().parent == root and f.name in (*NAMES, PROJECT))
    return next(found, None)


def _comment(op: Op) -> Iterator[str]:
    operands = ", ".join(_shown(use.value) for use in op.operands)
    results = ", ".join(_shown(result) for result in op.results)
    said = f"# What {op.name} does to its buffers; the positions are those of ({operands}) -> ({results})."
    yield "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in said)  # TOML takes no other


def _keys(op: Op) -> Iterator[str]:
    """Reads and writes are assumed; a result may be anything's memory."""
    taken = [n for n, use in enumerate(op.operands) if use.value is not None and _buffer(use.value)]
    given = [n for n, result in enumerate(op.results) if _buffer(result)]
    if taken:
        yield f"read = {taken}"
        yield f"write = {taken}"
        yield f"# free = [{{ operand = {taken[0]} }}]"
    if given and taken:
        views = ", ".join(f"{{ result = {result}, of = {taken}, may = true }}" for result in given)
        yield f"view = [{views}]"
    if given:
        allocs = ", ".join(f"{{ result = {result} }}" for result in given)
        yield f"# alloc = [{allocs}]"


def _buffer(value: Value) -> bool:
    return (value.type or "").startswith(("memref<", "!")) and may_hold_buffer(value.type)


def _shown(value: Value | None) -> str:
    return " ".join((value.type or "?").split()) if value is not None else "?"
