"""Configuration files as layers: what each file says, checked, before anything is combined.

`config.py` puts the layers on top of each other; here a text becomes settings by `options.py`'s declarations and
operations by `dialects`. Mistakes are collected, never raised.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memlane.config.limits import MAX_TEXT
from memlane.config.options import OPTIONS, ValueKind, parse
from memlane.dialects.load import Described, described
from memlane.dialects.problem import DataProblem
from memlane.dialects.toml import read_toml
from memlane.dialects.toml_tables import Table, TomlSource
from memlane.lazy import regex
from memlane.read_file import read_text

COMMAND_LINE = "command line"
_BARE = regex(r"[\w*-][\w*./ -]*")
"""A text without the quotes that TOML wants."""


class Layer(NamedTuple):
    """What one file says.

    Args:
        path: None for the command line.
        values: the settings it has, by key; paths made absolute.
        origins: `file:line` of each.
        models: the operations it describes, and those of the files its `models` name, which come first.
    """

    path: Path | None
    values: Mapping[str, Any]
    origins: Mapping[str, str]
    models: tuple[tuple[Described, TomlSource], ...]


def read_layers(path: Path | None, overrides: Sequence[str]) -> tuple[list[Layer], list[DataProblem]]:
    """The layers of `path`, of what it extends and of the command line, the weakest first."""
    layers: list[Layer] = []
    problems: list[DataProblem] = []
    seen: set[Path] = set()
    asked_at = (str(path), 1)
    while path is not None:
        text = _read_text(path, asked_at, problems)
        if text is None:
            break
        if path.resolve() in seen:
            problems.append(DataProblem(*asked_at, "extend", f"{path} extends itself"))
            break
        seen.add(path.resolve())
        layers.insert(0, _layer(path, str(path), text, problems))
        file, _, line = layers[0].origins.get("extend", "").rpartition(":")
        asked_at = (file, int(line or 1))
        path = layers[0].values.get("extend")
    layers.extend(_layer(None, COMMAND_LINE, text, problems) for text in overrides)
    return layers, problems


def _layer(path: Path | None, name: str, text: str, problems: list[DataProblem]) -> Layer:
    tables, wrong = read_toml(text, name)
    problems.extend([_as_argument(text)] if wrong and path is None else wrong)
    source = TomlSource(name, text)
    root = Table(source, tables)
    if path is not None and path.name == "pyproject.toml":
        root = root.table("tool").table("memlane")
    values, origins = _settings(root)
    described_here = described(root)
    root.finish()
    problems.extend(source.problems)
    _make_absolute(values, path.parent if path is not None else Path.cwd())
    others = list(_model_files(values.get("models", ()), origins, problems))
    return Layer(path, values, origins, (*others, (described_here, source)))


def _as_argument(text: str) -> DataProblem:
    """What is wrong with a `KEY=VALUE` that is no TOML: most often the shell took its quotes."""
    key, _, value = (part.strip() for part in text.partition("="))
    hint = f"; write a text in quotes: {key}={json.dumps(value)}" if _BARE.fullmatch(value) else ""
    return DataProblem(COMMAND_LINE, 1, "", f"{text}: not TOML{hint}")


def _settings(root: Table) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings that a file has, by key, and where they are."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    groups = {group: root.table(group) for option in OPTIONS if (group := option.key.rpartition(".")[0])}
    for option in OPTIONS:
        group, _, name = option.key.rpartition(".")
        table = groups.get(group, root)
        given: object = table.raw(name)
        if given is None:
            continue
        value, wrong = parse(option, given)
        if value is not None:
            values[option.key] = value
            origins[option.key] = table.source.place((*table.path, name))
        for error in wrong:
            place = (name,) if error.key is None else (name, error.key)
            table.source.problem((*table.path, *place), str(error), error.choices)
    for table in groups.values():
        table.finish()
    return values, origins


def _make_absolute(values: dict[str, Any], folder: Path) -> None:
    for option in OPTIONS:
        if option.key in values and option.kind is ValueKind.PATH:
            values[option.key] = folder / values[option.key]
        elif option.key in values and option.kind is ValueKind.PATHS:
            values[option.key] = tuple(folder / path for path in values[option.key])


def _model_files(
    paths: Sequence[Path], origins: Mapping[str, str], problems: list[DataProblem]
) -> Iterator[tuple[Described, TomlSource]]:
    file, _, line = origins.get("models", "").rpartition(":")
    for path in paths:
        text = _read_text(path, (file, int(line or 1)), problems)
        if text is None:
            continue
        tables, wrong = read_toml(text, str(path))
        source = TomlSource(str(path), text)
        root = Table(source, tables)
        found = described(root)
        root.finish()
        problems.extend((*wrong, *source.problems))
        yield found, source


def _read_text(path: Path, asked_at: tuple[str, int], problems: list[DataProblem]) -> str | None:
    """The text of a file; None, and a problem at the place that names it, if it does not exist."""
    try:
        if path.exists() and not path.is_file():
            raise ValueError  # a folder, or a device or pipe that may never end
        text = read_text(path)
        if len(text) > MAX_TEXT:
            raise OSError(errno.EFBIG, f"it has more than {MAX_TEXT:,} characters")
        return text
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else _reason(error)
        problems.append(DataProblem(*asked_at, "", f"cannot read {path}: {reason}"))
        return None


def _reason(error: ValueError) -> str:
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else "no file"
