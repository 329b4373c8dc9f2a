"""The dialects that ship with Memlane, each read when the first of its ops is asked for; what an op
does is made out when it is asked for itself.

`NAME.toml` is generated from ODS, `overlay/NAME.toml` written by hand; a key of the overlay replaces the key of
the same op, and one that says what is read or written ends the doubt about that (`may_read`). `_common.toml` has the
resources and old names, `_functions.toml` known external functions.
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


class ModelsOfTables(Mapping[str, OpModel]):
    """The models of the tables of one file, each made when it is first asked for; where there is no table, of an op
    that does nothing to memory."""

    __slots__ = ("_made", "_tables")

    def __init__(self, tables: Mapping[str, Table | None]) -> None:
        self._tables = tables
        self._made: dict[str, OpModel] = {}

    def __getitem__(self, name: str) -> OpModel:
        found = self._made.get(name)
        if found is None:
            table = self._tables[name]
            found = self._made[name] = op_model(table) if table is not None else OpModel(name)
            if table is not None:
                _raise(table.source)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._tables

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


class Shipped(Mapping[str, OpModel]):
    """The models of all shipped dialects by op name: files are read dialect by dialect."""

    __slots__ = ("_files", "_read")

    def __init__(self, names: frozenset[str]) -> None:
        self._files = names
        self._read: dict[str, ModelsOfTables] = {}

    def __getitem__(self, name: str) -> OpModel:
        return self._of(name.partition(".")[0])[name]

    def __iter__(self) -> Iterator[str]:
        for dialect in sorted(self._files):
            yield from self._of(dialect)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _of(self, dialect: str) -> ModelsOfTables:
        found = self._read.get(dialect)
        if found is None:
            root = read_dialect(dialect) if dialect in self._files else Table(TomlSource(dialect, ""), {})
            tables = dict[str, "Table | None"](root.named("op"))
            for name, table in root.named("dialect"):
                for mnemonic in table.strings("pure"):
                    tables.setdefault(f"{name}.{mnemonic}", None)
            found = self._read[dialect] = ModelsOfTables(tables)
        return found


@cache
def builtin_models() -> Models:
    """The models that ship with Memlane."""
    files = frozenset(path.stem for path in (*_ROOT.glob("*.toml"), *_ROOT.glob("overlay/*.toml")))
    dialects = files - {"_common", "_functions"}
    common = load_dialect("_common")
    functions = ModelsOfTables(dict(read_dialect("_functions").named("function")))
    return Models(Shipped(dialects), common.aliases, common.resources, dialects, functions, common.memory)


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
