"""Our server beside mlir-lsp-server, in one run: the same program, the same edits, in turn.

    python -m tests.bench.compare [--native COMMAND] [--edits N] [--rounds N] [KIND[:LINES]]...

Prints one table a kind of program (`functions`, `one`, `compiler`; see inputs.py): wall and CPU time of ours and of
theirs, and the ratio, which says more than times on a shared machine. A keystroke is a character typed at a random
place and taken away again; it is over when the findings of its version were read. Each pair of exchanges is made one
right after the other. Opening is measured with new processes, `--rounds` times.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.inputs import SIZES, edits, names, program
from tests.bench.wire import Server, Taken, place

OURS = (sys.executable, "-m", "memlane_server")
MEBIBYTE = 1 << 20
TARGETS = {
    "keystroke, p50": {100: 1 / 2, 1_000: 1 / 4, 10_000: 1 / 20, 100_000: 1 / 150, 190_000: 1 / 150},
    "keystroke, p95": {100: 1, 1_000: 1 / 3, 10_000: 1 / 10, 100_000: 1 / 75, 190_000: 1 / 75},
    "open to all findings": {100: 3, 1_000: 2, 10_000: 1.5, 100_000: 1.2, 190_000: 1.2},
    "resident memory": {100: 0.7, 1_000: 0.7, 10_000: 0.6, 100_000: 0.4, 190_000: 0.4},
    "hover, p50": {10_000: 3, 100_000: 1, 190_000: 1},
    "definition, p50": {10_000: 3, 100_000: 1, 190_000: 1},
}
ONE_TARGETS = {"keystroke, p50": 1 / 100, "keystroke, p95": 1 / 40, "open to all findings": 1.5}
"""For one function of 100,000 lines."""


@dataclass(slots=True)
class Measured:
    """What one server took: milliseconds a keystroke and the like, CPU included, and bytes."""

    start: list[float] = field(default_factory=list[float])
    open: list[float] = field(default_factory=list[float])
    open_cpu: list[float] = field(default_factory=list[float])
    keystroke: list[float] = field(default_factory=list[float])
    keystroke_cpu: list[float] = field(default_factory=list[float])
    hover: list[float] = field(default_factory=list[float])
    definition: list[float] = field(default_factory=list[float])
    memory: list[float] = field(default_factory=list[float])


def measure(source: str, commands: Sequence[Sequence[str]], count: int, rounds: int) -> list[Measured]:
    """What each of some servers takes for one program."""
    found = [Measured() for _ in commands]
    with tempfile.TemporaryDirectory() as folder:
        uri = (Path(folder) / "bench.mlir").as_uri()
        servers: list[Server] = []
        for number in range(rounds):
            servers = [Server(command, Path(folder)) for command in commands]
            for server, one in zip(servers, found, strict=True):
                taken = server.open(uri, source)
                one.start.append(1000 * server.started)
                one.open.append(1000 * taken.wall)
                one.open_cpu.append(1000 * taken.cpu)
                one.memory.append(server.memory())
            if number < rounds - 1:
                for server in servers:
                    server.close()
        _ask(servers, found, uri, source, count)
        _type(servers, found, uri, source, count)
        for server in servers:
            server.close()
    return found


def _ask(servers: Sequence[Server], found: Sequence[Measured], uri: str, source: str, count: int) -> None:
    for at in names(source, count):
        params = {"textDocument": {"uri": uri}, "position": place(source, at)}
        for server, one in zip(servers, found, strict=True):
            one.hover.append(1000 * server.request("textDocument/hover", params)[1].wall)
            one.definition.append(1000 * server.request("textDocument/definition", params)[1].wall)


def _type(servers: Sequence[Server], found: Sequence[Measured], uri: str, source: str, count: int) -> None:
    for at, typed in edits(source, count):
        after = source[:at] + typed + source[at:]
        strokes: tuple[Callable[[Server], Taken], ...] = (
            lambda server, at=at, typed=typed: server.change(uri, source, at, 0, typed),
            lambda server, at=at, after=after: server.change(uri, after, at, 1, ""),
        )
        for stroke in strokes:
            for server, one in zip(servers, found, strict=True):
                taken = stroke(server)
                one.keystroke.append(1000 * taken.wall)
                one.keystroke_cpu.append(1000 * taken.cpu)


def rows(ours: Measured, theirs: Measured) -> list[tuple[str, str, float, float]]:
    """Name, unit and both figures."""

    def both(name: str, of: Callable[[Measured], float], unit: str = "ms") -> tuple[str, str, float, float]:
        return name, unit, of(ours), of(theirs)

    return [
        both("keystroke, p50", lambda one: part(one.keystroke, 0.5)),
        both("keystroke, p95", lambda one: part(one.keystroke, 0.95)),
        both("keystroke, CPU", lambda one: statistics.mean(one.keystroke_cpu)),
        both("open to all findings", lambda one: part(one.open, 0.5)),
        both("open, CPU", lambda one: part(one.open_cpu, 0.5)),
        both("resident memory", lambda one: part(one.memory, 0.5) / MEBIBYTE, "MiB"),
        both("hover, p50", lambda one: part(one.hover, 0.5)),
        both("definition, p50", lambda one: part(one.definition, 0.5)),
        both("start", lambda one: part(one.start, 0.5)),
    ]


def part(values: Sequence[float], share: float) -> float:
    """The value below which so many lie: 0.5 the median."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def target(kind: str, name: str, lines: int) -> float | None:
    """The ratio that is aimed at."""
    if kind == "one" and lines == 100_000 and name in ONE_TARGETS:
        return ONE_TARGETS[name]
    return TARGETS.get(name, {}).get(lines)


def said(ratio: float) -> str:
    """A ratio as people read it: 1/20 below 1, 1.5 above."""
    return number(float(f"{ratio:.2g}")) if ratio > 0.67 else f"1/{1 / ratio:.2g}"


def cell(kind: str, name: str, lines: int, ours: float, theirs: float) -> str:
    """Both figures, the ratio and what is aimed at."""
    ratio = ours / theirs if theirs else float("inf")
    aim = target(kind, name, lines)
    mark = "" if aim is None else f" ({'reached' if ratio <= aim else 'aim'} {said(aim)})"
    return f"{number(ours)} : {number(theirs)} = **{said(ratio)}**{mark}"


def number(value: float) -> str:
    """Three digits, and no exponents."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", default=shutil.which("mlir-lsp-server-22") or "mlir-lsp-server")
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures, too")
    parser.add_argument("programs", nargs="*", default=list(SIZES))
    arguments = parser.parse_args()
    record: dict[str, dict[str, list[float]]] = {}
    for wanted in arguments.programs:
        kind, _, lines = wanted.partition(":")
        sizes = (int(lines),) if lines else SIZES[kind]
        table: dict[str, list[str]] = {}
        for size in sizes:
            source = program(kind, size)
            ours, theirs = measure(source, (OURS, (arguments.native,)), arguments.edits, arguments.rounds)
            for name, unit, mine, other in rows(ours, theirs):
                table.setdefault(f"{name}, {unit}", []).append(cell(kind, name, size, mine, other))
                record.setdefault(f"{kind}:{size}", {})[name] = [mine, other]
            print(f"measured {kind} of {size:,} lines", file=sys.stderr, flush=True)
        print(f"\n| {kind}: ours : theirs | " + " | ".join(f"{size:,} lines" for size in sizes) + " |")
        print("|---" * (len(sizes) + 1) + "|")
        for name, cells in table.items():
            print(f"| {name} | " + " | ".join(cells) + " |")
    if arguments.json:
        arguments.json.write_text(json.dumps(record, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
