"""Our server beside mlir-lsp-server, in one run: the same program, the same edits, in turn.

    python -m tests.bench.compare [--native COMMAND] [--edits N] [--rounds N] [--only EXCHANGE]... [PROGRAM]...

where a PROGRAM is KIND[:LINES] or alone[:PART], such as `functions:1000` or `alone:requests`; all of them by default.
`--only` leaves out the exchanges that are not named: `first` (open to findings in view), `again` (open what was open in
an earlier session), `ask`, `type`, `write`.

Prints one table a kind of program (`functions`, `one`, `compiler`; see inputs.py): wall and CPU time of ours and of
theirs, and the ratio, which says more than times on a shared machine; and what has no counterpart (alone.py). A
keystroke is a character typed at a random place and taken away again; it is over when the findings of its version were
read. A letter is one of a line that is written from its beginning to its end. Each pair of exchanges is made one right
after the other. Opening is measured with new processes, `--rounds` times. Programs of 100,000 lines and more are opened
once, and a quarter of the edits is made.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from pathlib import Path

from tests.bench import alone
from tests.bench.inputs import SIZES, edits, names, program, written
from tests.bench.wire import Server, Taken, place

OURS = (sys.executable, "-m", "memlane_server")
MEBIBYTE = 1 << 20
SEEN = 60
"""Lines that are in view."""
LARGE = 100_000
"""Lines of a program that is measured less often."""
_KEYSTROKE: dict[int, float] = {100: 1 / 2, 1_000: 1 / 4, 10_000: 1 / 20, 100_000: 1 / 150, 190_000: 1 / 150}
_SLOW_KEYSTROKE: dict[int, float] = {100: 1, 1_000: 1 / 3, 10_000: 1 / 10, 100_000: 1 / 75, 190_000: 1 / 75}
_FIRST: dict[int, float] = {100: 1.5, 1_000: 1, 10_000: 1 / 4, 100_000: 1 / 10, 190_000: 1 / 10}
_OPEN: dict[int, float] = {100: 3, 1_000: 2, 10_000: 1.5, 100_000: 1.2, 190_000: 1.2}
_ASKED: dict[int, float] = {10_000: 3, 100_000: 1, 190_000: 1}
TARGETS: dict[str, dict[int, float]] = {
    "keystroke, CPU p50": _KEYSTROKE,
    "keystroke, wall p50": _KEYSTROKE,
    "keystroke, CPU p95": _SLOW_KEYSTROKE,
    "keystroke, wall p95": _SLOW_KEYSTROKE,
    "open to findings in view, CPU": _FIRST,
    "open to findings in view, wall": _FIRST,
    "open, CPU": _OPEN,
    "open, wall": _OPEN,
    "open again, CPU": {100_000: 1 / 4, 190_000: 1 / 4},
    "open again, wall": {100_000: 1 / 4, 190_000: 1 / 4},
    "resident memory": {100: 0.7, 1_000: 0.7, 10_000: 0.6, 100_000: 0.4, 190_000: 0.4},
    "hover, CPU p50": _ASKED,
    "hover, wall p50": _ASKED,
    "definition, CPU p50": _ASKED,
    "definition, wall p50": _ASKED,
}
ONE_TARGETS = {
    **dict.fromkeys(("keystroke, CPU p50", "keystroke, wall p50"), 1 / 100),
    **dict.fromkeys(("keystroke, CPU p95", "keystroke, wall p95"), 1 / 40),
    **dict.fromkeys(("open, CPU", "open, wall"), 1.5),
}
"""For one function of 100,000 lines, where that is another."""


@dataclass(slots=True)
class Measured:
    """What one server took: milliseconds a keystroke and the like, CPU included, and bytes."""

    start: list[float] = field(default_factory=list[float])
    memory: list[float] = field(default_factory=list[float])
    first: Times = field(default_factory=lambda: Times())
    open: Times = field(default_factory=lambda: Times())
    again: Times = field(default_factory=lambda: Times())
    keystroke: Times = field(default_factory=lambda: Times())
    letter: Times = field(default_factory=lambda: Times())
    hover: Times = field(default_factory=lambda: Times())
    definition: Times = field(default_factory=lambda: Times())


@dataclass(slots=True)
class Times:
    """Milliseconds of some exchanges."""

    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    def add(self, taken: Taken) -> None:
        """One more."""
        self.wall.append(1000 * taken.wall)
        self.cpu.append(1000 * taken.cpu)


EXCHANGES = ("first", "again", "ask", "type", "write")
"""What may be left out."""


def measure(
    source: str, commands: Sequence[Sequence[str]], count: int, rounds: int, only: Sequence[str] = EXCHANGES
) -> list[Measured]:
    """What each of some servers takes for one program; `only` in some exchanges."""
    found = [Measured() for _ in commands]
    with tempfile.TemporaryDirectory() as folder:
        uri = (Path(folder) / "bench.mlir").as_uri()
        servers: list[Server] = []
        for number in range(rounds):
            for command, one in zip(commands, found, strict=True) if "first" in only else ():
                one.first.add(_first(command, Path(folder), uri, source))
            for command, one in zip(commands, found, strict=True) if "again" in only else ():
                one.again.add(_again(command, Path(folder), uri, source))
            servers = [Server(command, Path(folder)) for command in commands]
            for server, one in zip(servers, found, strict=True):
                one.start.append(1000 * server.started)
                one.open.add(server.open(uri, source))
                one.memory.append(server.memory())
            if number < rounds - 1:
                for server in servers:
                    server.close()
        if "ask" in only:
            _ask(servers, found, uri, source, count)
        if "type" in only:
            _type(servers, found, uri, source, count)
        if "write" in only:
            _write(servers, found, uri, source, count)
        for server in servers:
            server.close()
    return found


def _first(command: Sequence[str], folder: Path, uri: str, source: str) -> Taken:
    """Until the first findings came after a document was opened of which the first lines are shown."""
    server = Server(command, folder)
    taken = server.open(uri, source, SEEN)
    server.end()
    return taken


def _again(command: Sequence[str], folder: Path, uri: str, source: str) -> Taken:
    """Until the findings came of a document that was open in an earlier session."""
    cache = folder / "cache"
    before = Server(command, folder, cache)
    before.open(uri, source)
    before.rest()
    before.close()
    server = Server(command, folder, cache)
    taken = server.open(uri, source)
    server.end()
    return taken


def _ask(servers: Sequence[Server], found: Sequence[Measured], uri: str, source: str, count: int) -> None:
    for at in names(source, count):
        params = {"textDocument": {"uri": uri}, "position": place(source, at)}
        for server, one in zip(servers, found, strict=True):
            one.hover.add(server.request("textDocument/hover", params)[1])
            one.definition.add(server.request("textDocument/definition", params)[1])


def _type(servers: Sequence[Server], found: Sequence[Measured], uri: str, source: str, count: int) -> None:
    for at, typed in edits(source, count):
        after = source[:at] + typed + source[at:]
        strokes: tuple[Callable[[Server], Taken], ...] = (
            lambda server, at=at, typed=typed: server.change(uri, source, at, 0, typed),
            lambda server, at=at, after=after: server.change(uri, after, at, 1, ""),
        )
        for stroke in strokes:
            for server, one in zip(servers, found, strict=True):
                one.keystroke.add(stroke(server))


def _write(servers: Sequence[Server], found: Sequence[Measured], uri: str, source: str, count: int) -> None:
    for text, at, letter in written(source, -(-count // 10)):
        for server, one in zip(servers, found, strict=True):
            one.letter.add(server.change(uri, text, at, 0, letter))


def rows(ours: Measured, theirs: Measured) -> list[tuple[str, str, float, float]]:
    """Name, unit and both figures, of what was measured."""

    def both(name: str, of: Callable[[Measured], float], unit: str = "ms") -> tuple[str, str, float, float]:
        return name, unit, of(ours), of(theirs)

    found: list[tuple[str, str, float, float]] = []
    for name in ("keystroke", "letter", "open", "hover", "definition"):
        for kind in ("cpu", "wall"):
            typed = name in ("keystroke", "letter")
            shares = {" p50": 0.5, " p95": 0.95} if typed else {"": 0.5} if name == "open" else {" p50": 0.5}
            for label, share in shares.items():
                found.append(
                    both(
                        f"{name}, {'CPU' if kind == 'cpu' else kind}{label}",
                        lambda one, name=name, kind=kind, share=share: part(getattr(getattr(one, name), kind), share),
                    )
                )
    every = [
        *found[:8],
        both("open to findings in view, CPU", lambda one: part(one.first.cpu, 0.5)),
        both("open to findings in view, wall", lambda one: part(one.first.wall, 0.5)),
        both("open again, CPU", lambda one: part(one.again.cpu, 0.5)),
        both("open again, wall", lambda one: part(one.again.wall, 0.5)),
        *found[8:],
        both("resident memory", lambda one: part(one.memory, 0.5) / MEBIBYTE, "MiB"),
        both("start", lambda one: part(one.start, 0.5)),
    ]
    return [row for row in every if not isnan(row[2])]


def part(values: Sequence[float], share: float) -> float:
    """The value below which so many lie: 0.5 the median; of no values none."""
    ordered = sorted(values)
    return nan if not ordered else ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def target(kind: str, name: str, lines: int) -> float | None:
    """The ratio that is aimed at."""
    if kind == "one" and lines == 100_000 and name in ONE_TARGETS:
        return ONE_TARGETS[name]
    return TARGETS.get(name, {}).get(lines)


def said(ratio: float) -> str:
    """A ratio as people read it: 1/20 below 1, 1.5 above."""
    return number(float(f"{ratio:.2g}")) if ratio > 0.67 else f"1/{number(float(f'{1 / ratio:.2g}'))}"


def cell(kind: str, name: str, lines: int, ours: float, theirs: float) -> str:
    """Both figures, the ratio and what is aimed at."""
    ratio = ours / theirs if theirs else float("inf")
    aim = target(kind, name, lines)
    mark = "" if aim is None else f" ({'reached' if ratio <= aim else 'aim'} {said(aim)})"
    return f"{number(ours)} : {number(theirs)} = **{said(ratio)}**{mark}"


def number(value: float) -> str:
    """Three digits, and no exponents."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def print_alone(record: dict[str, dict[str, list[float]]], part_: str = "") -> None:
    """Print what has no counterpart; one part of it, where that is named."""
    print("\n| ours alone | measured | aimed at |\n|---|---|---|")
    for name, figure, unit, aim in alone.rows(part_):
        mark = "" if figure <= aim else " (missed)"
        print(f"| {name} | **{number(figure)}** {unit}{mark} | {number(aim)} {unit} |", flush=True)
        record.setdefault("alone", {})[name] = [figure, aim]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", default=shutil.which("mlir-lsp-server-22") or "mlir-lsp-server")
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", choices=EXCHANGES)
    parser.add_argument("--json", type=Path, help="write the figures, too")
    parser.add_argument("programs", nargs="*", default=[*SIZES, "alone"])
    arguments = parser.parse_args()
    record: dict[str, dict[str, list[float]]] = {}
    for wanted in arguments.programs:
        kind, _, lines = wanted.partition(":")
        if kind == "alone":
            print_alone(record, lines)
            continue
        sizes = (int(lines),) if lines else SIZES[kind]
        table: dict[str, list[str]] = {}
        for size in sizes:
            count, rounds = arguments.edits, arguments.rounds
            if size >= LARGE:
                count, rounds = max(2, count // 4), 1
            ours, theirs = measure(
                program(kind, size), (OURS, (arguments.native,)), count, rounds, arguments.only or EXCHANGES
            )
            for name, unit, mine, other in rows(ours, theirs):
                table.setdefault(f"{name}, {unit}", []).append(cell(kind, name, size, mine, other))
                record.setdefault(f"{kind}:{size}", {})[name] = [mine, other]
            print(f"measured {kind} of {size:,} lines", file=sys.stderr, flush=True)
        print(f"\n| {kind}: ours : theirs | " + " | ".join(f"{size:,} lines" for size in sizes) + " |")
        print("|---" * (len(sizes) + 1) + "|")
        for name, cells in table.items():
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(record, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
