"""What the commands about memory use have in common: one text, its configuration, and numbers for dimensions."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import NamedTuple

from memlane.cli import files
from memlane.cli.outcome import Failure
from memlane.cli.telling import tell
from memlane.config import Config, find_config, load_config
from memlane.flow.scalars.assumptions import Assumptions
from memlane.usage import assumptions


class Reading(NamedTuple):
    """A text, what it is called, its configuration, and what is assumed of its dimensions."""

    name: str
    source: str
    config: Config
    assumed: Assumptions


def add_assumptions(parser: ArgumentParser) -> None:
    """Declare `--assume` and where configuration comes from."""
    parser.add_argument(
        "--assume",
        action="append",
        default=[],
        type=_assumption,
        metavar="%NAME=N",
        help="a number for a dimension that the text leaves open; ?=N for all others",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="use this configuration file")
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")


def read(name: str, options: Namespace) -> Reading | None:
    """Read a file (`-`: stdin) with its configuration; None once its failure has been told."""
    data = sys.stdin.buffer.read() if name == "-" else None
    source = files.decode(name, data) if data is not None else files.read(Path(name))
    if isinstance(source, Failure):
        tell(f"{name}: {source.message}")
        return None
    config = configuration(Path(name), options)
    return Reading(name, source, config, assumptions(source, config, dict(options.assume)))


def configuration(path: Path, options: Namespace) -> Config:
    """The configuration that holds for a file; mistakes in it are told, and the rest is used."""
    file = None if options.isolated else options.config or find_config(path.absolute().parent)
    config, problems = load_config(file)
    for problem in problems:
        tell(str(problem))
    return config


def _assumption(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    name = name.strip()
    if not equals or not number.strip().isdecimal() or not (name.startswith("%") or name == "?"):
        raise ArgumentTypeError(f"expected %NAME=N, such as %n=1024, found {text!r}")
    return name, int(number)
