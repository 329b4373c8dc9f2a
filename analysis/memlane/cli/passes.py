"""Read the dumps that a compiler printed after its passes, and report what each changed: peak, buffers, leaks, late
frees.

Takes the output of `mlir-opt --mlir-print-ir-after-all` (or -before-all, -after-change; modules, functions or other
operations) of any size: it is read as a stream, and one dump at a time is held. Or the folder that
`--mlir-print-ir-tree-dir` names. The table begins with the passes that made the peak grow and those that introduced
each kind of finding; a pass that introduces a finding is marked with it.

Exit code 0: no pass introduced a finding; 1: one did; 2: the log cannot be read, or holds no dump.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from memlane.cli import CLEAN, FAILED, FOUND
from memlane.cli.atomic_write import write_output
from memlane.cli.command_input import Reader, add_assumptions
from memlane.cli.pass_rows import History, PassRow
from memlane.cli.pass_table import marks, peak_words, summary, table
from memlane.cli.render.style import visible
from memlane.cli.terminal_output import lines_visible, tell
from memlane.compare import Measurer
from memlane.dumps import Dump, dumps, dumps_of, files_of
from memlane.format import expression, known
from memlane.memory_report import assumptions
from memlane.read_file import lines

_SIGN = 0.2, 10.0
"""Seconds between two signs of progress: on a terminal, in a log."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("log", metavar="LOG", help="file or folder, or - for stdin")
    parser.add_argument("--output-format", choices=("table", "json-lines"), default="table", help="default: table")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a picture of all passes to FILE, too")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_assumptions(parser)


def run(options: Namespace) -> int:
    """Print one line a pass."""
    path = Path(options.log)
    try:
        if options.log == "-":
            return _follow(dumps(lines(sys.stdin.buffer)), Path.cwd() / "log.mlir", 0, options)
        if path.is_dir():
            files = files_of(path)
            size = sum(file.stat().st_size for file in files)
            return _follow(dumps_of(files), files[0] if files else path, size, options)
        with path.open("rb") as log:
            return _follow(dumps(lines(log)), path, path.stat().st_size, options)
    except BrokenPipeError:
        raise  # of those who read what is printed: `main` knows what to do
    except OSError as error:
        tell(f"{error.filename or path}: cannot be read: {error.strerror or error}")
        return FAILED


def _follow(found: Iterator[Dump], first: Path, size: int, options: Namespace) -> int:
    """Measure dumps. `first`: the file whose configuration holds. `size`: bytes that they are read from; 0: unknown."""
    config = Reader(options).configuration(first)
    measurer = Measurer(config, assumptions("", config, dict(options.assume)), hasty=True)
    progress = _Progress(sys.stderr, size, options.quiet)
    history = History(measurer)
    people = options.output_format == "table"
    every: list[PassRow] = []
    for row in history.rows(progress.of(found)):
        if not people:
            progress.clear()
            print(json.dumps(_record(row)), flush=True)
        every.append(row)
    progress.clear()
    if not every:
        tell(f"{options.log}: there is no IR dump in it")
        return FAILED
    shown_rows = [row for row in every if row.over or row.failed]
    if people:
        print(lines_visible("\n".join([*summary(shown_rows, history.latest), "", *table(shown_rows)])))
    if options.html is not None and not _drawn(options.html, shown_rows):
        return FAILED
    return FOUND if any(row.new for row in every) else CLEAN


def _drawn(path: Path, every: Sequence[PassRow]) -> bool:
    """Write the picture of all passes; whether it could be written."""
    from memlane.lanes.passes_page import page

    entries = [(f"{row.title}, {row.over}", peak_words(row), known(row.peak), marks(row)) for row in every]
    try:
        write_output(path, page(entries))
    except OSError as error:  # not the log's
        tell(f"{path}: cannot be written: {error.strerror or error}")
        return False
    return True


def _record(row: PassRow) -> dict[str, Any]:
    return {
        "pass": row.title,
        "argument": row.argument,
        "failed": row.failed,
        "filename": row.file or None,
        "row": row.line,
        "peak_row": row.peak_line,
        "read_bytes": row.position,
        "of": row.over,
        "peak_bytes": known(row.peak),
        "peak_expr": expression(row.peak),
        "ideal_peak_bytes": known(row.ideal),
        "ideal_peak_expr": expression(row.ideal),
        "exact": row.exact,
        "sites": row.sites,
        "leaks": row.leaks,
        "late": row.late,
        "grown": [{"function": g.function, "before": g.before, "after": g.after} for g in row.grown],
        "new": None
        if row.new is None
        else [
            {"finding": k, "count": n, "row": row.places[k].line, "first": row.places[k].told(k)}
            for k, n in row.new.items()
        ],
        "gone": None if row.gone is None else dict(row.gone),
    }


class _Progress:
    """How much of the log has been read, for those who wait."""

    def __init__(self, stream: TextIO, size: int, quiet: bool) -> None:
        self._stream = stream
        self._size = size
        self._quiet = quiet
        self._terminal = stream.isatty()
        self._following = time.monotonic() + _SIGN[0 if self._terminal else 1]

    def of(self, found: Iterable[Dump]) -> Iterator[Dump]:
        """The dumps, with signs of progress between them."""
        for count, dump in enumerate(found, 1):
            if not self._quiet and time.monotonic() >= self._following:
                share = f"{100 * dump.position // self._size} %" if self._size else f"{dump.position >> 20} MiB"
                said = f"memlane: {share}, {count} dumps, now {visible(dump.title)}"
                self._stream.write(f"\r\x1b[K{said}" if self._terminal else said + "\n")
                self._stream.flush()
                self._following = time.monotonic() + _SIGN[0 if self._terminal else 1]
            yield dump

    def clear(self) -> None:
        """Take the line away before something else is printed."""
        if self._terminal and not self._quiet:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
