"""The configuration of commands that read one text: where it comes from, and which holds for a file."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from memlane.cli.settings import near
from memlane.cli.terminal_output import tell
from memlane.config import Config, find_config, load_config
from memlane.dialects.problem import DataProblem


def add_configuration(parser: ArgumentParser) -> None:
    """Declare where configuration comes from."""
    parser.add_argument("--config", type=_file, metavar="FILE", help="use this configuration file")
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")


class ConfigReader:
    """Reads configurations for one run of a command. Mistakes in one are reported once, for however many files it
    holds.

    Args:
        options: with what `add_configuration` declares.
    """

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self._reported: set[DataProblem] = set()

    def configuration(self, path: Path) -> Config:
        """The configuration that holds for a file; mistakes in it are reported, and the rest is used."""
        options = self.options
        file = None if options.isolated else options.config or find_config(path.absolute().parent)
        config, problems = load_config(file)
        for problem in problems:
            if problem not in self._reported:
                tell(str(problem).replace(problem.file, near(problem.file), 1))
        self._reported.update(problems)
        return config


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise ArgumentTypeError(f"{text} is no file")
    return Path(text)
