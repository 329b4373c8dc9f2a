"""The configuration a file is checked under: the nearest file's, then what the command line says."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from memlane.cli.check_result import Failure
from memlane.cli.files import Search
from memlane.cli.repair import Repair
from memlane.cli.terminal_output import tell
from memlane.config import Config, find_config, load_config
from memlane.dialects.problem import DataProblem
from memlane.results.cache import Cache, cache_folder, cache_key, is_off, text_digest

LISTS = {
    "select": "use these rules only",
    "ignore": "leave these rules out",
    "extend-select": "use these rules as well",
    "extend-ignore": "leave these rules out as well",
}
"""Options that take rules, and are the settings of the same name."""

SEVERITIES = {"error": "error", "warn": "warning", "info": "information", "hint": "hint"}
"""Options that set the severity of rules, and which they set."""


def add_options(parser: ArgumentParser) -> None:
    """Declare the options that change the configuration."""
    group = parser.add_argument_group(
        "configuration",
        "RULE is a name, a pattern with *, or ALL, which leaves out what is off by default; commas separate several.",
    )
    for name, summary in LISTS.items():
        group.add_argument(f"--{name}", action="append", metavar="RULE,...", help=summary)
    for name, severity in SEVERITIES.items():
        group.add_argument(f"--{name}", action="append", metavar="RULE,...", help=f"report these rules as {severity}")
    group.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE|KEY=VALUE",
        help="use this file; set this one thing (TOML)",
    )
    group.add_argument("--no-respect-gitignore", action="store_true", help="also search what git ignores")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")


def add_cache_options(parser: ArgumentParser) -> None:
    """Declare the options of the cache."""
    group = parser.add_argument_group("cache")
    group.add_argument(
        "-n", "--no-cache", action="store_true", help="neither read nor write the cache (also MEMLANE_NO_CACHE)"
    )
    group.add_argument(
        "--cache-dir",
        type=Path,
        metavar="DIR",
        help="default: the user's cache folder, such as ~/.cache/memlane (also MEMLANE_CACHE_DIR)",
    )


class Settings:
    """Finds configurations, and reads each once.

    `failures` are the mistakes in them so far: `fatal` ones of the command line, others in files, which are
    used as far as they make sense.
    """

    def __init__(self, options: Namespace) -> None:
        self._overrides = tuple(_overrides(options))
        self._isolated: bool = options.isolated
        self._named = next((Path(value) for value in reversed(options.config) if "=" not in value), None)
        self._read: dict[Path | None, Config] = {}
        self._found: dict[Path, Path | None] = {}
        self.repair = Repair.asked(options)
        said = vars(options)
        self._paths = {Path(name) for name in said.get("paths", ())}
        self.cache: Cache | None = None
        if not (said.get("no_cache", True) or is_off()):
            folder = cache_folder(options.cache_dir)
            self.cache = Cache(folder, tell) if folder is not None else None
        self.failures: list[Failure] = []
        _, problems = load_config(None, self._overrides)
        self.fatal = [Failure("command line", _said(problem)) for problem in problems]
        if self._named is not None and not self._named.is_file():
            self.fatal.append(Failure("command line", f"--config {self._named}: neither a file nor KEY=VALUE"))

    def for_directory(self, directory: Path) -> Config:
        """The configuration of the files in a directory, before `per-file-ignores`."""
        if directory not in self._found:
            nothing = self._isolated or self._named is not None
            self._found[directory] = self._named if nothing else find_config(directory)
        path = self._found[directory]
        if path not in self._read:
            self._read[path], problems = load_config(path, self._overrides)
            self.failures += [Failure(f"{near(problem.file)}:{problem.line}", _said(problem)) for problem in problems]
        return self._read[path]

    def files(self) -> tuple[Path, ...]:
        """The configuration files read so far, with those that they extend."""
        return tuple({path: None for config in self._read.values() for path in config.files})

    def search(self, directory: Path) -> Search:
        """How to look for files in a directory."""
        return search(self.for_directory(directory))

    def found_in(self, path: Path) -> Path | None:
        """The folder of the command line in which a file was found; None: the file itself is named there."""
        nearest = next((one for one in (path, *path.parents) if one in self._paths), path)
        return nearest if nearest != path else None

    def for_file(self, path: Path) -> Config:
        """The configuration of a file."""
        return self.for_directory(path.parent).for_file(path)

    def cache_key(self, source: str, path: Path) -> str:
        """The name of the entry that the cache has for a file with this text."""
        return cache_key(text_digest(source), self.for_file(path), self.repair.said)


def _overrides(options: Namespace) -> Iterator[str]:
    """The options in TOML, as `load_config` takes them."""
    values = vars(options)
    for name in LISTS:
        given: Sequence[str] | None = values[name.replace("-", "_")]
        if given is not None:
            yield f"{name} = {json.dumps(list(_names(given)))}"
    for name, severity in SEVERITIES.items():
        for rule in _names(values[name] or ()):
            yield f"severity = {{ {json.dumps(rule)} = {json.dumps(severity)} }}"
    if options.no_respect_gitignore:
        yield "respect-gitignore = false"
    yield from (value for value in options.config if "=" in value)


def _names(given: Sequence[str]) -> Iterator[str]:
    for text in given:
        yield from (name.strip() for name in text.split(",") if name.strip())


def _said(problem: DataProblem) -> str:
    """A problem without its place."""
    return str(problem).removeprefix(f"{problem.file}:{problem.line}: ")


def search(config: Config) -> Search:
    """How to look for the files that a configuration is about."""
    values = config.values
    return Search(config.root, values["include"], values["exclude"], values["respect-gitignore"])


def near(file: str) -> str:
    """A path as short as it can be said from here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
