"""What the commands about memory use have in common: one text, its configuration, and numbers for dimensions."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memlane.cli import files
from memlane.cli.check_result import Failure
from memlane.cli.config_input import ConfigReader, add_configuration
from memlane.cli.settings import search
from memlane.cli.terminal_output import tell
from memlane.config import Config
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.memory_report import assumptions


class CommandInput(NamedTuple):
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
    add_configuration(parser)


class Reader(ConfigReader):
    """Reads for one run of a command."""

    def found(self, names: Iterable[str]) -> Iterator[str]:
        """The files that are meant: in a directory those that `memlane check` would look for there."""
        for name in names:
            if name == "-" or (name and not Path(name).is_dir()):
                yield name
                continue
            paths, failures = files.find([name], lambda folder: search(self.configuration(folder / "any")))
            if not paths and not failures:
                tell(f"no files in {name}; the setting `include` says which are looked for")
            yield from map(str, (*paths, *(failure.name for failure in failures)))

    def read(self, name: str) -> CommandInput | None:
        """Read a file (`-`: stdin) with its configuration; None after its failure was reported."""
        source = files.read_stdin(name) if name == "-" else files.read(Path(name))
        if isinstance(source, Failure):
            tell(f"{name}: {source.message}")
            return None
        config = self.configuration(Path(name))
        return CommandInput(name, source, config, assumptions(source, config, dict(self.options.assume)))


def _assumption(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    name = name.strip()
    if not equals or not number.strip().isdecimal() or not (name.startswith("%") or name == "?"):
        raise ArgumentTypeError(f"expected %NAME=N, such as %n=1024, found {text!r}")
    return name, int(number)
