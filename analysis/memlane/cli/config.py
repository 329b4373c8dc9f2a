"""Show the configuration that holds for a file, and where each setting is from.

With `--schema`: the JSON schema of `memlane.toml`, for editors. Exit code 2: there are mistakes in a configuration.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, cast

from memlane.cli import CLEAN, FAILED
from memlane.cli.schema import schema
from memlane.cli.settings import Settings, add_options
from memlane.cli.terminal_output import lines_visible, tell
from memlane.config import Config


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path", nargs="?", default=Path(), type=Path, metavar="FILE", help="file or directory; default: ."
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of memlane.toml")
    add_options(parser)


def run(options: Namespace) -> int:
    """Print it."""
    if options.schema:
        print(json.dumps(schema(), indent=2))
        return CLEAN
    settings = Settings(options)
    path: Path = options.path
    config = settings.for_directory(path) if path.is_dir() else settings.for_file(path)
    print(_json(config) if options.output_format == "json" else lines_visible(_text(config)))
    for failure in (*settings.fatal, *settings.failures):
        tell(f"{failure.name}: {failure.message}")
    return FAILED if settings.fatal or settings.failures else CLEAN


def _json(config: Config) -> str:
    values = {key: {"value": _plain(value), "origin": config.origins.get(key)} for key, value in config.values.items()}
    return json.dumps({"files": [str(path) for path in config.files], "settings": values}, indent=2)


def _text(config: Config) -> str:
    """A configuration file that says the same."""
    shown = [
        (f"{key} = {_toml(_plain(value))}" if value is not None else f"# {key} is not set", config.origins.get(key))
        for key, value in config.values.items()
    ]
    room = max(len(line) for line, _ in shown)
    files = [f"# {path}" for path in config.files] or ["# no configuration file"]
    return "\n".join([*files, *(f"{line:<{room}}  # {origin or 'default'}" for line, origin in shown)])


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml(item)}' for key, item in table.items())}}}"
    return json.dumps(value)


def _plain(value: object) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in cast("Mapping[object, object]", value).items()}
    return value
