"""Draw the buffers of functions as lanes over program order, with the curve of live bytes: svg, html or text.

Exit code 0: drawn; 1: there is nothing to draw; 2: the file could not be read.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from pathlib import Path

from memlane.cli import CLEAN, FAILED, FOUND
from memlane.cli.atomic_write import write_output
from memlane.cli.command_input import Reader, add_assumptions
from memlane.cli.limits import MAX_NAMED, MAX_PICTURE_COLUMNS, MIN_PICTURE_COLUMNS
from memlane.cli.render.style import visible
from memlane.cli.terminal_output import lines_visible, tell
from memlane.memory_report import Usage, usage
from memlane.text import Text


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="file, or - for stdin")
    parser.add_argument("--function", metavar="NAME", help="only this function; svg draws one, the largest by default")
    parser.add_argument("--format", choices=("text", "svg", "html"), default="text", help="default: text")
    parser.add_argument("-o", "--output-file", type=Path, metavar="FILE", help="write the picture to FILE")
    parser.add_argument("--width", type=_columns, metavar="N", help="columns of text; default: the terminal's")
    add_assumptions(parser)


def _columns(text: str) -> int:
    if not text.isdecimal() or not MIN_PICTURE_COLUMNS <= int(text[:9]) <= MAX_PICTURE_COLUMNS:
        raise ArgumentTypeError(
            f"expected a number of columns from {MIN_PICTURE_COLUMNS} to {MAX_PICTURE_COLUMNS}, found {text!r}"
        )
    return int(text)


def run(options: Namespace) -> int:
    """Draw."""
    from memlane.lanes.html import html
    from memlane.lanes.lane_layout import picture
    from memlane.lanes.svg import svg
    from memlane.lanes.terminal import terminal

    reading = Reader(options).read(options.file)
    if reading is None:
        return FAILED
    text = Text(reading.source)
    found = _making(usage(reading.source, reading.config, reading.assumed, options.function))
    if not found:
        used = [*usage(reading.source, reading.config, reading.assumed)]
        tell(f"{reading.name}: {_nothing(options.function, used, _making(used))}")
        return FOUND
    if options.format == "svg":
        drawn = svg(picture(max(found, key=lambda one: len(one.sites)), text), reading.name) + "\n"
    elif options.format == "html":
        drawn = html((picture(one, text) for one in found), f"Memory of {visible(reading.name)}", reading.source)
    else:
        columns = options.width or shutil.get_terminal_size().columns
        drawn = lines_visible("\n\n".join(terminal(picture(one, text), columns) for one in found)) + "\n"
    if options.output_file is not None:
        write_output(options.output_file, drawn)
    else:
        sys.stdout.write(drawn)
    return CLEAN


def _making(used: Iterable[Usage]) -> list[Usage]:
    """Those of functions that make buffers."""
    return [one for one in used if any(site.life.origin.owned for site in one.sites)]


def _nothing(wanted: str | None, used: list[Usage], making: list[Usage]) -> str:
    """Why there is nothing to draw, and what there would be."""
    if not making:
        return "no buffers are made in any function"
    names = ", ".join(f"@{one.flow.name}" for one in making[:MAX_NAMED])
    more = f" and {len(making) - MAX_NAMED} more" if len(making) > MAX_NAMED else ""
    there = any(one.flow.name == wanted for one in used)
    what = f"no buffers are made in @{wanted}" if there else f"there is no function @{wanted}"
    return f"{what}; buffers are made in {names}{more}"
