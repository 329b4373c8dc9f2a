"""Read what a compiler printed after its passes, and say what each did to memory: peak, buffers, leaks, late frees.

Takes the output of `mlir-opt --mlir-print-ir-after-all` (or -before-all, -after-change; modules, functions or other
operations) of any size: it is read as a stream, and only the dump at hand is held. Or the folder that
`--mlir-print-ir-tree-dir` names. A pass that introduces a finding is marked with it.

Exit code 0: no pass introduced a finding; 1: one did; 2: the log cannot be read, or holds no dump.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from memlane.cli import CLEAN, FAILED, FOUND
from memlane.cli.reading import Reader, add_assumptions
from memlane.cli.render.style import visible
from memlane.cli.telling import lines_visible, tell
from memlane.cli.writing import write_output
from memlane.contents import lines
from memlane.dumps import Dump, dumps, dumps_of, files_of
from memlane.flow.memory.peak import Amounts
from memlane.flow.scalars.amounts import maximal
from memlane.usage import assumptions
from memlane.versions import Measure, Measurer, Place, difference
from memlane.words import expression, known, shown

_SIGN = 0.2, 10.0
"""Seconds between two signs of progress: on a terminal, in a log."""
_GENERATIONS = 20_000, 10, 1_000
"""Thresholds of the garbage collector while a dump is measured."""


@dataclass(frozen=True, slots=True)
class Row:
    """One dump, measured.

    Args:
        over: the functions it shows.
        new, gone: findings that were not there before, and those that are there no longer; None: nothing to compare.
        places: a line of the log for each new one, or of `file`, where the dump is one of a folder, and its names.
    """

    title: str
    argument: str
    failed: bool
    line: int
    over: str
    peak: Amounts
    exact: bool
    sites: int
    leaks: int
    late: int
    new: Counter[str] | None
    gone: Counter[str] | None
    places: dict[str, Place]
    file: str


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
    entries: list[tuple[str, str, int | None, list[str]]] = []
    introduced: bool | None = None  # whether a pass introduced something; None: there was no dump
    for row in rows(progress.of(found), measurer):
        progress.clear()
        if introduced is None and options.output_format == "table":
            print(HEAD)
        told = json.dumps(_record(row)) if options.output_format == "json-lines" else lines_visible(_line(row))
        print(told, flush=True)
        introduced = bool(introduced or row.new)
        if options.html is not None:  # only then is anything kept of what has been said
            entries.append((f"{row.title}, {row.over}", _words(row), known(row.peak), _marks(row)))
    progress.clear()
    if introduced is None:
        tell(f"{options.log}: there is no IR dump in it")
        return FAILED
    if options.html is not None:
        from memlane.lanes.passes import page

        try:
            write_output(options.html, page(entries))
        except OSError as error:  # not the log's
            tell(f"{options.html}: cannot be written: {error.strerror or error}")
            return FAILED
    return FOUND if introduced else CLEAN


def rows(found: Iterable[Dump], measurer: Measurer) -> Iterator[Row]:
    """Measure each dump and compare it with the version before it, function by function."""
    known_as: dict[str, Measure] = {}
    for dump in found:
        with _collected():
            measures = measurer.measure(dump.text)
        yield _row(dump, measures, known_as)
        if _whole(dump):
            known_as.clear()
        known_as.update((measure.function, measure) for measure in measures)


@contextmanager
def _collected() -> Generator[None, None, None]:
    """What is left behind is collected at the end and not looked at on the way. It is most of what there is: trees
    refer to themselves, and without this several dumps would be held at once."""
    before = gc.get_threshold()
    gc.set_threshold(*_GENERATIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.collect()


def _whole(dump: Dump) -> bool:
    """Whether a dump shows the module: functions that are missing are gone."""
    return any(line.lstrip().startswith(("module", '"builtin.module"')) for line in dump.text.split("\n", 64)[:64])


def _row(dump: Dump, measures: list[Measure], before: dict[str, Measure]) -> Row:
    new, gone = Counter[str](), Counter[str]()
    places: dict[str, Place] = {}
    for measure in measures:
        old = before.get(measure.function)
        if old is None:
            continue
        fresh, former = difference(old.findings, measure.findings)
        gone += former
        for key, count in fresh.items():
            new[f"@{measure.function} {key}"] += count
            line, names = measure.places[key]
            places[f"@{measure.function} {key}"] = Place(dump.line + 1 + measure.line + line, names)
    comparable = any(measure.function in before for measure in measures)
    return Row(
        dump.title,
        dump.argument,
        dump.failed,
        dump.line,
        _over(dump, measures),
        maximal(amount for measure in measures for amount in measure.peak),
        all(measure.exact for measure in measures),
        sum(measure.sites for measure in measures),
        sum(measure.leaks for measure in measures),
        sum(measure.late for measure in measures),
        new if comparable else None,
        gone if comparable else None,
        places,
        dump.file,
    )


def _over(dump: Dump, measures: list[Measure]) -> str:
    if _whole(dump):
        return "module"
    names = [f"@{measure.function}" for measure in measures]
    return names[0] if len(names) == 1 else f"{len(names)} functions"


HEAD = f"{'pass':44} {'of':16} {'peak':>14} {'buffers':>8} {'leaks':>6} {'late':>6}"


def _line(row: Row) -> str:
    title = row.title.removeprefix("After ") + (" FAILED" if row.failed else "")
    cells = f"{title[:44]:44} {row.over[:16]:16} {_words(row):>14} {row.sites:8} {row.leaks:6} {row.late:6}"
    return "\n".join([cells, *(f"    {mark}" for mark in _marks(row))])


def _marks(row: Row) -> list[str]:
    """What the pass introduced, and how much it repaired, in words."""
    new = sorted((row.new or {}).items())
    places = row.places
    marks = [f"+ {_times(count)}{places[key].told(key)}, {_place(row, places[key].line)}" for key, count in new]
    gone = sum((row.gone or {}).values())
    return [*marks, f"- {gone} finding{'' if gone == 1 else 's'} gone"] if gone else marks


def _place(row: Row, line: int) -> str:
    return f"{row.file}:{line}" if row.file else f"line {line} of the log"


def _times(count: int) -> str:
    return f"{count} x " if count > 1 else ""


def _words(row: Row) -> str:
    return ("" if row.exact else "<= ") + shown(row.peak)


def _record(row: Row) -> dict[str, Any]:
    return {
        "pass": row.title,
        "argument": row.argument,
        "failed": row.failed,
        "filename": row.file or None,
        "row": row.line,
        "of": row.over,
        "peak_bytes": known(row.peak),
        "peak_expr": expression(row.peak),
        "exact": row.exact,
        "sites": row.sites,
        "leaks": row.leaks,
        "late": row.late,
        "new": None
        if row.new is None
        else [{"finding": k, "count": n, "row": row.places[k].line} for k, n in row.new.items()],
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
