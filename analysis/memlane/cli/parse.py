"""Print the structure of a file as it was read: operations, values, blocks; or what its functions do to memory.

Exit code 0: all of it was read; 1: there are problems, on stderr; 2: the file has no text.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from memlane.cli import CLEAN, FAILED, FOUND, files
from memlane.cli.check_result import Failure
from memlane.cli.config_input import ConfigReader, add_configuration
from memlane.cli.render.style import visible
from memlane.cli.terminal_output import json_text, tell
from memlane.syntax import parse
from memlane.syntax.tree.dump import structure
from memlane.text import Text


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="file, or - for stdin")
    parser.add_argument("--output-format", choices=("json",), default="json", help="default: json")
    parser.add_argument("--memory-ir", action="store_true", help="print what each function does to memory, as text")
    parser.add_argument("--function", metavar="NAME", help="with --memory-ir: only this function")
    add_configuration(parser)


def run(options: Namespace) -> int:
    """Print the operations, or the events of functions, in source order."""
    name: str = options.file
    if options.function is not None and not options.memory_ir:
        tell("--function goes with --memory-ir")
        return FAILED
    source = files.read_stdin(name) if name == "-" else files.read(Path(name))
    if isinstance(source, Failure):
        tell(f"{name}: {source.message}")
        return FAILED
    config = ConfigReader(options).configuration(Path(name))
    tree, text = parse(source, config.models), Text(source)
    if options.memory_ir:
        from memlane.cli.render.memory_events import memory_events

        found = [*memory_events(tree, config.models, text, options.function)]
        print("\n\n".join("\n".join(map(visible, lines)) for lines in found))
        if options.function is not None and not found:
            tell(f"there is no function @{options.function} in {name}")
            return FAILED
    else:
        print(json_text(structure(tree, text)))
    for problem in tree.problems:
        line, column = text.position(problem.span.start)
        print(visible(f"{name}:{line + 1}:{column + 1}: {problem.rule}: {problem.message}"), file=sys.stderr)
    return FOUND if tree.problems else CLEAN
