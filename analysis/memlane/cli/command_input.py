"""What the commands about memory use have in common: one text, its configuration, and numbers for dimensions."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memlane.cli import files
from memlane.cli.check_result import Failure
from memlane.cli.settings import near, search
from memlane.cli.terminal_output import tell
from memlane.config import Config, find_config, load_config
from memlane.dialects.problem import DataProblem
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


def add_configuration(parser: ArgumentParser) -> None:
    """Declare where configuration comes from."""
    parser.add_argument("--config", type=_file, metavar="FILE", help="use this configuration file")
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")


class Reader:
    """Reads for one run of a command. Mistakes in a configuration are reported once, for however many files it
    holds."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._told: set[DataProblem] = set()

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
        return CommandInput(name, source, config, assumptions(source, config, dict(self._options.assume)))

    def configuration(self, path: Path) -> Config:
        """The configuration that holds for a file; mistakes in it are reported, and the rest is used."""
        options = self._options
        file = None if options.isolated else options.config or find_config(path.absolute().parent)
        config, problems = load_config(file)
        for problem in problems:
            if problem not in self._told:
                tell(str(problem).replace(problem.file, near(problem.file), 1))
        self._told.update(problems)
        return config


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise ArgumentTypeError(f"{text} is no file")
    return Path(text)


def _assumption(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    name = name.strip()
    if not equals or not number.strip().isdecimal() or not (name.startswith("%") or name == "?"):
        raise ArgumentTypeError(f"expected %NAME=N, such as %n=1024, found {text!r}")
    return name, int(number)
