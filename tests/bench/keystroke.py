"""From a keystroke to its findings: in one process, and over LSP from a client's write to the publication.

    python tests/bench/keystroke.py [--edits N] [--lines N]... [FILE...]

Types a character at a random place of each file, takes it away again, and goes on; the seed is fixed. "Check
anew" is what every keystroke cost when the whole text was checked again. `--lines` measures a program of so many lines:
functions of 23 lines that do not call each other. Prints the rows of the table in docs/performance.md: medians
and 95th percentiles in milliseconds of wall time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from client import Client, insertion, place

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document

URI = "file:///bench.mlir"
PATIENCE = 300
FUNCTION = """\
func.func @f{number}(%n: index, %x: f32, %out: memref<64xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  scf.for %i = %c0 to %c64 step %c1 {{
    %v = memref.load %a[%i] : memref<64xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %out[%i] : memref<64xf32>
  }}
  %s = memref.subview %a[0] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1]>>
  %p = memref.load %s[%c0] : memref<8xf32, strided<[1]>>
  %cond = arith.cmpf olt, %p, %x : f32
  scf.if %cond {{
    memref.store %p, %b[%c0] : memref<?xf32>
  }}
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<?xf32>
  return
}}
"""


def places(source: str, edits: int) -> Iterator[int]:
    """Where to type."""
    choose = random.Random(1)
    for _ in range(edits):
        yield choose.randrange(len(source))


def anew(source: str) -> list[float]:
    """Two checks from scratch; reading shapes has been learnt by then."""
    times: list[float] = []
    for _ in range(2):
        start = perf_counter()
        check(source)
        times.append(1000 * (perf_counter() - start))
    return times


def in_process(source: str, edits: int) -> list[float]:
    """Editing a document and checking it."""
    config = Config()
    document, checker = Document(source, config.models), Checker()
    checker.findings(document, config)
    times: list[float] = []
    for at in places(source, edits):
        for edit in (Edit(Span(at, at), "x"), Edit(Span(at, at + 1), "")):
            start = perf_counter()
            document = document.edit([edit])
            checker.findings(document, config)
            times.append(1000 * (perf_counter() - start))
    return times


def over_lsp(source: str, edits: int) -> list[float]:
    """From writing the change to having read the publication."""
    times: list[float] = []
    version = 1
    with Client() as client:
        client.open(URI, source)
        client.diagnostics(URI, version, PATIENCE)
        for at in places(source, edits):
            here = place(source, at)
            after = {"line": here["line"], "character": here["character"] + 1}
            for change in (insertion(source, at, "x"), {"range": {"start": here, "end": after}, "text": ""}):
                version += 1
                client.received.clear()
                message = client.change(URI, version, change)
                start = perf_counter()
                client.write(message)
                client.diagnostics(URI, version, PATIENCE)
                times.append(1000 * (perf_counter() - start))
    return times


def spread(times: list[float]) -> str:
    """Median and 95th percentile."""
    ordered = sorted(times)
    return " / ".join(f"{ordered[min(len(ordered) - 1, int(len(ordered) * part))]:.1f}" for part in (0.5, 0.95))


def main() -> None:
    """Print a row for each program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--lines", type=int, action="append", default=[])
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    programs = [
        ("functions", "".join(FUNCTION.format(number=number) for number in range(lines // FUNCTION.count("\n"))))
        for lines in arguments.lines
    ]
    programs += [(path.name, path.read_text(encoding="utf-8")) for path in arguments.files]
    print("| program | lines | check anew | keystroke | keystroke over LSP |\n|---|---|---|---|---|", flush=True)
    for name, source in programs:
        row = [name, f"{source.count(chr(10)):,}", f"{min(anew(source)):.0f}"]
        row += [spread(in_process(source, arguments.edits)), spread(over_lsp(source, arguments.edits))]
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
