"""How long requests wait behind the check that an edit has started: `python -m tests.bench.behind [LINES] [EDITS]`.

Two clients type the same at the same places and ask at once. For one the server checks each version; the other pulls
findings and never asks for them, so that nothing is checked. What a request takes longer for the first, it has waited.
Wall milliseconds: run it on an idle machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.inputs import program

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))  # where its tests find it
from client import REAL, Client

URI = "file:///bench/behind.mlir"
QUIET = 0.7
"""Seconds between two edits: the check before has ended."""
AROUND = 30
METHODS = (
    "definition",
    "references",
    "completion",
    "hover",
    "documentHighlight",
    "foldingRange",
    "documentSymbol",
    "semanticTokens/range",
    "inlayHint",
)


def times(source: str, count: int, checks: bool) -> dict[str, list[float]]:
    """Milliseconds by method, from an edit to the answer of a request sent behind it. `checks`: there are some."""
    offered: dict[str, Any] = {"textDocument": {"inlayHint": {}}, "workspace": {"inlayHint": {"refreshSupport": True}}}
    if not checks:
        offered["textDocument"]["diagnostic"] = {}
    found: dict[str, list[float]] = {method: [] for method in METHODS}
    with Client(REAL, capabilities=offered) as client:
        client.open(URI, source)
        if checks:
            client.wait("findings", lambda: bool(client.published(URI)), 300)
        for version, (method, row, column, end) in enumerate(_asked(source, count), 1):
            space = {"start": {"line": row, "character": end}, "end": {"line": row, "character": end}}
            back = {"start": space["start"], "end": {"line": row, "character": end + 1}}
            began = time.perf_counter()
            client.write(client.change(URI, 2 * version, {"range": space, "text": " "}))
            client.request(f"textDocument/{method}", _params(method, row, column), 120)
            found[method].append(1000 * (time.perf_counter() - began))
            client.write(client.change(URI, 2 * version + 1, {"range": back, "text": ""}))
            time.sleep(QUIET)
    return found


def _asked(source: str, count: int) -> Iterator[tuple[str, int, int, int]]:
    """Methods with the row and column of a name, and the length of its line."""
    lines = source.split("\n")
    rows = [row for row, line in enumerate(lines) if line.lstrip().startswith("%") or "memref.store" in line]
    chosen = random.Random(5)
    for method in METHODS:
        for _ in range(count):
            row = chosen.choice(rows)
            yield method, row, max(lines[row].find("%"), 0) + 1, len(lines[row])


def _params(method: str, row: int, column: int) -> dict[str, Any]:
    near = {"start": {"line": max(0, row - AROUND), "character": 0}, "end": {"line": row + AROUND, "character": 0}}
    at = {"position": {"line": row, "character": column}, "context": {"includeDeclaration": True}}
    document: dict[str, Any] = {"textDocument": {"uri": URI}}
    if method in ("foldingRange", "documentSymbol"):
        return document
    if method in ("inlayHint", "semanticTokens/range"):
        return {**document, "range": near}
    return {**document, **(at if method == "references" else {"position": at["position"]})}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m tests.bench.behind", description=__doc__)
    parser.add_argument("lines", nargs="?", type=int, default=10_000)
    parser.add_argument("edits", nargs="?", type=int, default=10)
    options = parser.parse_args()
    lines, count = options.lines, options.edits
    source = program("functions", lines)
    with_checks, without = (times(source, count, checks) for checks in (True, False))
    print(
        "| request | median | longest | with nothing to wait for: median | longest |\n| --- | --- | --- | --- | --- |"
    )
    for method in METHODS:
        cells = (f"{of(one[method]):.0f}" for one in (with_checks, without) for of in (statistics.median, max))
        print(f"| {method} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
