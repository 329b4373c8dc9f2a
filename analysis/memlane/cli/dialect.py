"""Describe dialects: `memlane dialect import` makes a model file from a dialect's own declarations."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from memlane.cli import CLEAN, FAILED, files
from memlane.cli.atomic_write import write_output
from memlane.cli.check_result import Failure
from memlane.cli.terminal_output import tell
from memlane.dialects.importer import ImportProblem, imported


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=("import",), help="what to do")
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="what `llvm-tblgen --dump-json` printed, or an .mlir file with irdl.dialect",
    )
    parser.add_argument("--dialect", action="append", default=[], metavar="NAME", help="take this one only")
    parser.add_argument("-o", "--output-file", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument("--force", action="store_true", help="replace the output file if it exists")


def run(options: Namespace) -> int:
    """Write the model file, and say on stderr how much of it had to be guessed."""
    text = files.read(options.file)
    try:
        if isinstance(text, Failure):
            raise ImportProblem(text.message)
        found = imported(text, options.file.name, options.dialect)
        if options.output_file is not None and options.output_file.exists() and not options.force:
            raise ImportProblem(f"{options.output_file} exists and may have been edited; --force replaces it")
        if options.output_file is not None:
            write_output(options.output_file, found.text)
    except (ImportProblem, OSError) as problem:
        tell(f"{options.file}: {problem}")
        return FAILED
    if options.output_file is None:
        sys.stdout.write(found.text)
    operations = f"{found.operations} operation{'s' if found.operations != 1 else ''}"
    tell(f"{', '.join(found.dialects)}: {operations}, {found.guessed} of them guessed")
    return CLEAN
