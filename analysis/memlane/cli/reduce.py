"""Lower the peak of functions: free, allocate later, reuse, hoist and use the stack, where it pays.

Exit code 0: done, also where nothing can be lowered; 2: a file could not be read or written, or there is no such
function.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from memlane.cli import CLEAN, FAILED, files
from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.command_input import CommandInput, Reader, add_assumptions
from memlane.cli.render.style import style_for, visible
from memlane.cli.repair import diffs
from memlane.cli.terminal_output import json_text, tell
from memlane.fixes.reduction import Reduced, Reduction, functions_of, reduction
from memlane.flow.symbolic.amounts import ZERO
from memlane.format import expression, known, shown
from memlane.text import Text

STDIN = "-"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files and directories, or - for stdin")
    parser.add_argument(
        "--function", action="append", default=[], metavar="NAME", help="only this function; may be given several times"
    )
    parser.add_argument("--diff", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    add_assumptions(parser)


def run(options: Namespace) -> int:
    """Lower the peaks of each file, write it, and say what came of it."""
    reader = Reader(options)
    code = CLEAN
    records: list[dict[str, Any]] = []
    left = {name.removeprefix("@") for name in options.function}
    for asked, name in [(file, name) for file in options.files for name in reader.found([file])]:
        reading = reader.read(name)
        if reading is None:
            code = FAILED
            continue
        named = {*functions_of(reading.source, reading.config)} & {one.removeprefix("@") for one in options.function}
        left -= named
        if options.function and not named:
            continue
        done = reduction(reading.source, reading.config, reading.assumed, named or None)
        if not _put(reading, done, options, None if asked == name else Path(asked)):
            code = FAILED
            continue
        records += [record(name, one) for one in done.functions]
        if options.output_format == "text":
            _say(name, done, options)
    if options.output_format == "json":
        _print(json_text(records, indent=2), options)
    if left and code == CLEAN:
        tell(f"there is no function {', '.join(f'@{one}' for one in sorted(left))} in {', '.join(options.files)}")
        return FAILED
    return code


def _put(reading: CommandInput, done: Reduction, options: Namespace, within: Path | None) -> bool:
    """Show the difference, write the file or pass the text on; whether that worked. `within`: see `files.write`."""
    if options.diff:
        changed = CheckedFile(reading.name, Text(done.source), (), before=reading.source)
        if done.functions:
            sys.stdout.write(diffs(CheckOutcome((changed,), ()), style_for(sys.stdout, "auto")))
        return True
    if reading.name == STDIN:
        sys.stdout.buffer.write(done.source.encode("utf-8"))
        sys.stdout.flush()
        return True
    if not done.functions:
        return True
    failure = files.write(Path(reading.name), done.source, reading.source, within)
    if failure is not None:
        tell(f"{failure.name}: {failure.message}")
    return failure is None


def _say(name: str, done: Reduction, options: Namespace) -> None:
    lines = [*map(_line, done.functions)] or ["no peak can be lowered by safe fixes"]
    for line in lines:
        _print(visible(f"{name}: {line}"), options)


def _line(one: Reduced) -> str:
    stack = f", and {shown((one.stack,))} on the stack" if one.stack != ZERO else ""
    return f"@{one.function}: peak {shown(one.before)} -> {shown(one.after)}{stack}"


def _print(text: str, options: Namespace) -> None:
    """On stdout, unless that is for a text or for `patch`."""
    print(text, file=sys.stderr if options.diff or STDIN in options.files else sys.stdout)


def record(name: str, one: Reduced) -> dict[str, Any]:
    """A function as JSON: bytes are numbers where they are known, `..._expr` says the others."""
    return {
        "filename": name,
        "function": one.function,
        "before_bytes": known(one.before),
        "before_expr": expression(one.before),
        "after_bytes": known(one.after),
        "after_expr": expression(one.after),
        "ideal_bytes": known(one.ideal),
        "ideal_expr": expression(one.ideal),
        "stack_bytes": known((one.stack,)),
        "stack_expr": expression((one.stack,)),
    }
