"""Draw the buffers of functions as lanes over program order, with the curve of live bytes: svg, html or text.

Exit code 0: drawn; 1: there is nothing to draw; 2: the file could not be read.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from memlane.cli import CLEAN, FAILED, FOUND
from memlane.cli.reading import add_assumptions, read
from memlane.text import Text
from memlane.usage import usage


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="file, or - for stdin")
    parser.add_argument("--function", metavar="NAME", help="only this function; svg draws one, the largest by default")
    parser.add_argument("--format", choices=("text", "svg", "html"), default="text", help="default: text")
    parser.add_argument("-o", "--output-file", type=Path, metavar="FILE", help="write the picture to FILE")
    parser.add_argument("--width", type=int, metavar="N", help="columns of text; default: the terminal's")
    add_assumptions(parser)


def run(options: Namespace) -> int:
    """Draw."""
    from memlane.lanes import html, picture, svg, terminal

    reading = read(options.file, options)
    if reading is None:
        return FAILED
    text = Text(reading.source)
    found = [
        one
        for one in usage(reading.source, reading.config, reading.assumed)
        if options.function in (None, one.flow.name) and any(site.life.origin.owned for site in one.sites)
    ]
    if not found:
        wanted = f"@{options.function}" if options.function else "any function"
        print(f"memlane: {reading.name}: no buffers are made in {wanted}", file=sys.stderr)
        return FOUND
    if options.format == "svg":
        drawn = svg(picture(max(found, key=lambda one: len(one.sites)), text), reading.name) + "\n"
    elif options.format == "html":
        drawn = html((picture(one, text) for one in found), f"Memory of {reading.name}", reading.source)
    else:
        columns = options.width or shutil.get_terminal_size().columns
        drawn = "\n\n".join(terminal(picture(one, text), columns) for one in found) + "\n"
    if options.output_file is not None:
        options.output_file.write_text(drawn, encoding="utf-8")
    else:
        sys.stdout.write(drawn)
    return CLEAN
