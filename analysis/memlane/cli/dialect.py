"""Describe dialects: turn declarations of operations into a model file.

`memlane dialect import FILE` reads the JSON of `llvm-tblgen --dump-json OPS.td`, or MLIR with `irdl.dialect`, and
writes TOML that a memlane.toml names with `models = ["FILE"]`. What had to be guessed is marked in it.
Exit code 0: written; 2: there is nothing to import.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from memlane.cli import CLEAN, FAILED
from memlane.dialects.importer import Imported, ImportProblem, imported


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    action = actions.add_parser("import", help="write a model file from declarations")
    action.add_argument("file", metavar="FILE", help="JSON of llvm-tblgen, or .mlir with irdl.dialect; - for stdin")
    action.add_argument("-o", "--output", metavar="FILE", help="where to write; stdout if absent")
    action.add_argument(
        "--dialect", action="append", default=[], metavar="NAME", help="only this one; default: all that do not ship"
    )
    action.add_argument("--force", action="store_true", help="write over an existing file")


def run(options: Namespace) -> int:
    """Write the model file, and say on stderr what is in it."""
    name: str = options.file
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        found = imported(text, "stdin" if name == "-" else Path(name).name, options.dialect)
        if options.output and not options.force and Path(options.output).exists():
            raise ImportProblem(f"{options.output} exists; --force writes over it")
        if options.output:
            Path(options.output).write_text(found.text, "utf-8")
        else:
            sys.stdout.write(found.text)
    except (OSError, UnicodeDecodeError, ImportProblem) as error:
        print(f"memlane: {name}: {error.strerror if isinstance(error, OSError) else error}", file=sys.stderr)
        return FAILED
    print(_summary(found), file=sys.stderr)
    return CLEAN


def _summary(found: Imported) -> str:
    guessed = f"; {found.guessed} of them guessed, marked in the file" if found.guessed else ""
    return f"{', '.join(found.dialects)}: {found.operations} operations{guessed}"
