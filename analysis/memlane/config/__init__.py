"""Configuration: `memlane.toml`, or `[tool.memlane]` in `pyproject.toml`, as one frozen value.

A file is found from the checked file upwards, the nearest wins, and may `extend` another. Nothing here raises on
what a file says: `load_config` gives the best configuration it can together with the problems; keeping the last good
one while the file is being edited is the caller's task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memlane.config.config_files import Layer, read_layers
from memlane.config.limits import MIN_LONG_FILE
from memlane.config.options import OPTIONS, defaults, glob, matches
from memlane.dialects import builtin_models
from memlane.dialects.layers import extended
from memlane.dialects.meant import misnamed, unknown_resources
from memlane.dialects.model import Models
from memlane.dialects.problem import DataProblem
from memlane.dialects.toml import read_toml
from memlane.dialects.toml_tables import TomlSource
from memlane.digest import blake2b
from memlane.findings import Rule, Severity
from memlane.lazy import regex
from memlane.read_file import read_text

NAMES = ("memlane.toml", ".memlane.toml")
_HEADER = regex(r"^[ \t]*\[[ \t]*tool\.memlane\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Config:
    """All that can be configured, with a value for everything.

    Args:
        models: what operations do: the shipped dialects and what the files describe.
        values: settings by key as in the file (`limits.alloc`), complete; sizes in bytes.
        origins: where a key that is not at its default was set, as `file:line`.
        files: the files this was read from, the outermost `extend` first, the model files last.
        root: the folder that path patterns are relative to.
        digest: of the names and texts that this was read from: others may mean something else.
    """

    models: Models = field(default_factory=builtin_models)
    values: Mapping[str, Any] = field(default_factory=defaults)
    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[Path, ...] = ()
    root: Path = field(default_factory=Path)
    digest: str = ""

    def severity(self, rule: Rule) -> Severity:
        """What a finding of `rule` is reported as; OFF: not at all."""
        if not self._is_on(rule):
            return Severity.OFF
        severities: Mapping[str, Severity] = self.values["severity"]
        named = max(severities, key=lambda pattern: matches(pattern, rule.name), default="")
        if matches(named, rule.name):
            return severities[named]
        # Selected by name, a rule that is off by default speaks as softly as it can.
        return Severity.HINT if rule.severity is Severity.OFF else rule.severity

    def for_file(self, path: Path) -> Config:
        """The configuration of one file: `per-file-ignores` that match it become `extend-ignore`."""
        ignores = self.values["per-file-ignores"]
        rules = tuple(name for named in ignores if self._names(named, path) for name in ignores[named])
        if not rules:
            return self
        values = {**self.values, "extend-ignore": (*self.values["extend-ignore"], *rules)}
        return replace(self, values=MappingProxyType(values))

    def budget(self, space: str) -> int | None:
        """The most bytes that may live at once in memory space `space` (`""` is the default space); None: no limit."""
        return self.values["budget"].get(space or "default")

    def _is_on(self, rule: Rule) -> bool:
        on = [*self.values["select"], *self.values["extend-select"]]
        off = [*self.values["ignore"], *self.values["extend-ignore"]]
        wanted = max((matches(name, rule.name) for name in on), default=0)
        if rule.severity is Severity.OFF and wanted == 1:
            wanted = 0
        wanted = max(wanted, max((matches(name, rule.name) for name in self.values["severity"]), default=0))
        return wanted > max((matches(name, rule.name) for name in off), default=0)

    def _names(self, named: str, path: Path) -> bool:
        absolute = path.absolute()
        root = self.root.absolute()
        relative = absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else absolute.as_posix()
        pattern = glob(named)
        return pattern.match(relative) is not None or pattern.match(path.name) is not None


def find_config(start: Path) -> Path | None:
    """The configuration file that holds for `start`, a file or folder: the nearest one from there upwards."""
    start = start.absolute()
    for folder in (start, *start.parents):
        for name in NAMES:
            if (folder / name).is_file():
                return folder / name
        if _has_section(folder / "pyproject.toml"):
            return folder / "pyproject.toml"
    return None


def load_config(path: Path | None, overrides: Sequence[str] = ()) -> tuple[Config, tuple[DataProblem, ...]]:
    """The configuration of a file (None: only the defaults), and all that is wrong in it.

    Args:
        path: as `find_config` gave it.
        overrides: `KEY=VALUE` in TOML, stronger than the file: `limits.alloc="1 GiB"`.
    """
    layers, problems = read_layers(path, overrides)
    values, origins = dict(defaults()), dict[str, str]()
    models = builtin_models()
    for layer in layers:
        _apply(layer, values)
        origins.update(layer.origins)
        for said, source in layer.models:
            models = extended(models, said)
            problems.extend(unknown_resources(said, models, source))
    problems.extend(found for layer in layers for one in layer.models for found in misnamed(one[0], models, one[1]))
    files = (*(layer.path for layer in layers if layer.path is not None), *values["models"])
    root = path.absolute().parent if path is not None else Path.cwd()
    digest = _digest(source for layer in layers for _, source in layer.models)
    config = Config(models, MappingProxyType(values), MappingProxyType(origins), files, root, digest)
    return config, tuple(problems)


def _apply(layer: Layer, values: dict[str, Any]) -> None:
    for option in OPTIONS:
        if option.key not in layer.values:
            continue
        new, old = layer.values[option.key], values[option.key]
        if not option.adds:
            values[option.key] = new
        else:
            values[option.key] = (*old, *new) if isinstance(old, tuple) else {**old, **new}


def _digest(sources: Iterable[TomlSource]) -> str:
    read = [(source.file, source.text) for source in sources]
    return blake2b(repr(read).encode("utf-8", "surrogateescape"), digest_size=32).hexdigest() if read else ""


def _has_section(path: Path) -> bool:
    try:
        if not path.is_file():
            return False  # not there; or a pipe or a device, which may never end
        text = read_text(path)
    except (OSError, ValueError):  # not there, no text, or no path
        return False  # A file that is not there or not text configures nothing.
    if "memlane" not in text:  # most files; reading TOML takes its time
        return False
    if len(text) > MIN_LONG_FILE:
        return _HEADER.search(text) is not None
    tables, wrong = read_toml(text, str(path))
    tool = tables.get("tool")
    # Invalid TOML with the header is taken, so that its mistake is reported.
    return _HEADER.search(text) is not None if wrong else isinstance(tool, dict) and "memlane" in tool
