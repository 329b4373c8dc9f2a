"""The dialects that ship with Memlane, each read when the first of its ops is asked for; what an op
does is made out when it is asked for itself.

`NAME.toml` is generated from ODS, `overlay/NAME.toml` written by hand; a key of the overlay replaces the key of
the same op, and one that says what is read or written ends the doubt about that (`may_read`). `_common.toml` has the
resources, old names and known functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from memlane.dialects.load import Described, described, op_model
from memlane.dialects.model import Models, OpModel
from memlane.dialects.toml import read_toml
from memlane.dialects.toml_tables import Table, TomlSource

_ROOT = Path(__file__).parent


class Shipped(Mapping[str, OpModel]):
    """The models of all shipped dialects by op name: files are read dialect by dialect, models made op by op."""

    __slots__ = ("_files", "_ops", "_read")

    def __init__(self, names: frozenset[str]) -> None:
        self._files = names
        self._read: dict[str, dict[str, Table | None]] = {}
        self._ops: dict[str, OpModel] = {}

    def __getitem__(self, name: str) -> OpModel:
        found = self._ops.get(name)
        if found is None:
            table = self._tables(name.partition(".")[0])[name]
            found = self._ops[name] = _model(table) if table is not None else OpModel(name)
        return found

    def __iter__(self) -> Iterator[str]:
        for dialect in sorted(self._files):
            yield from self._tables(dialect)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _tables(self, dialect: str) -> dict[str, Table | None]:
        """What a dialect's files say of each of its ops; None of those that do nothing to memory."""
        found = self._read.get(dialect)
        if found is None:
            root = read_dialect(dialect) if dialect in self._files else Table(TomlSource(dialect, ""), {})
            found = dict[str, "Table | None"](root.named("op"))
            for name, table in root.named("dialect"):
                for mnemonic in table.strings("pure"):
                    found.setdefault(f"{name}.{mnemonic}", None)
            self._read[dialect] = found
        return found


def _model(table: Table) -> OpModel:
    found = op_model(table)
    _raise(table.source)
    return found


@cache
def builtin_models() -> Models:
    """The models that ship with Memlane."""
    names = frozenset(path.stem for path in (*_ROOT.glob("*.toml"), *_ROOT.glob("overlay/*.toml"))) - {"_common"}
    common = load_dialect("_common")
    return Models(Shipped(names), common.aliases, common.resources, names, common.functions, common.memory)


def load_dialect(dialect: str) -> Described:
    """What ships about one dialect, all of it. A mistake in a shipped file is a defect of the package and raises."""
    root = read_dialect(dialect)
    found = described(root)
    root.finish()
    _raise(root.source)
    return found


def read_dialect(dialect: str) -> Table:
    """The tables that ship about one dialect, those of the overlay on top."""
    merged: dict[str, Any] = {}
    for path in (_ROOT / f"{dialect}.toml", _ROOT / "overlay" / f"{dialect}.toml"):
        if path.is_file():
            values, problems = read_toml(path.read_text(encoding="utf-8"), str(path))
            if problems:
                raise ValueError(str(problems[0]))
            _merge(merged, values)
    return Table(TomlSource(f"{dialect}.toml", ""), merged)


def _raise(source: TomlSource) -> None:
    if source.problems:
        raise ValueError("\n".join(map(str, source.problems)))


def _merge(base: dict[str, Any], over: dict[str, Any]) -> None:
    """Puts `over` on top of `base`: tables of tables are joined, keys of an op replaced."""
    for kind, tables in over.items():
        for name, table in tables.items():
            known: Any = base.setdefault(kind, {}).get(name)
            base[kind][name] = (
                {**_sure(cast("dict[str, Any]", known), table), **table} if isinstance(known, dict) else table
            )


def _sure(known: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """What is generated for an op, without the doubt about what it reads where the overlay says that."""
    settled = "read" in over or "write" in over
    return {key: value for key, value in known.items() if key != "may_read"} if settled else known
