"""The dialects that ship with Memlane, each read when the first of its ops is asked for.

`NAME.toml` is generated from ODS, `overlay/NAME.toml` written by hand; a key of the overlay replaces the key of
the same op. `_common.toml` has the resources, old names and known functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from memlane.dialects.load import Described, described
from memlane.dialects.model import Models, OpModel
from memlane.dialects.tables import Source, Table
from memlane.dialects.toml import read_toml

_ROOT = Path(__file__).parent


class Shipped(Mapping[str, OpModel]):
    """The models of all shipped dialects by op name, loaded dialect by dialect."""

    __slots__ = ("_files", "_loaded", "_ops")

    def __init__(self, names: frozenset[str]) -> None:
        self._files = names
        self._loaded: set[str] = set()
        self._ops: dict[str, OpModel] = {}

    def __getitem__(self, name: str) -> OpModel:
        found = self._ops.get(name)
        if found is None:
            self._load(name.partition(".")[0])
            found = self._ops[name]
        return found

    def __iter__(self) -> Iterator[str]:
        for dialect in sorted(self._files):
            self._load(dialect)
        return iter(self._ops)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _load(self, dialect: str) -> None:
        if dialect in self._files and dialect not in self._loaded:
            self._ops.update(load_dialect(dialect).ops)
            self._loaded.add(dialect)


@cache
def builtin_models() -> Models:
    """The models that ship with Memlane."""
    names = frozenset(path.stem for path in (*_ROOT.glob("*.toml"), *_ROOT.glob("overlay/*.toml"))) - {"_common"}
    common = load_dialect("_common")
    return Models(Shipped(names), common.aliases, common.resources, names, common.functions)


def load_dialect(dialect: str) -> Described:
    """What ships about one dialect. A mistake in a shipped file is a defect of the package and raises."""
    merged: dict[str, Any] = {}
    for path in (_ROOT / f"{dialect}.toml", _ROOT / "overlay" / f"{dialect}.toml"):
        if path.is_file():
            values, problems = read_toml(path.read_text(encoding="utf-8"), str(path))
            if problems:
                raise ValueError(str(problems[0]))
            _merge(merged, values)
    root = Table(Source(f"{dialect}.toml", ""), merged)
    found = described(root)
    root.finish()
    if root.source.problems:
        raise ValueError("\n".join(map(str, root.source.problems)))
    return found


def _merge(base: dict[str, Any], over: dict[str, Any]) -> None:
    """Puts `over` on top of `base`: tables of tables are joined, keys of an op replaced."""
    for kind, tables in over.items():
        for name, table in tables.items():
            known = base.setdefault(kind, {}).get(name)
            base[kind][name] = {**known, **table} if isinstance(known, dict) else table
