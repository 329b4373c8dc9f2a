"""What is aimed at without a counterpart in mlir-lsp-server: rows of a name, a figure with its unit, and the aim.

`compare.py` prints them below its tables. CPU time is that of the process concerned; growth is the power with which the
CPU time of a check grows, from half an input to the whole.
"""

from __future__ import annotations

import compileall
import gc
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from math import inf, log2
from pathlib import Path
from typing import NamedTuple

import memlane
from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from memlane_server.publishing import Publisher
from memlane_server.source_links import SourceLinks
from tests.bench.inputs import edits, program
from tests.bench.wire import Server, place
from tests.hostile import shapes

CONFIG = Config()
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
OURS = (sys.executable, "-m", "memlane_server")
ROUNDS = 5
LONG = 1.0
"""Seconds."""


class Row(NamedTuple):
    """A figure and what is aimed at: at most so much."""

    name: str
    figure: float
    unit: str
    aim: float


def growths() -> Iterator[Row]:
    """How checks grow, by doubling."""
    inputs: dict[str, tuple[Callable[[int], str], int]] = {
        "growth: 32,000 lines of functions": (shapes.functions, 4_000),
        "growth: 1,000 buffers of one block": (lambda count: shapes.values(5 * count), 1_000),
        "growth: 10,000 buffers of one function": (lambda count: shapes.values(5 * count), 10_000),
        "growth: 16,000 uses of one buffer": (shapes.users, 16_000),
        "growth: 20,000 blocks": (shapes.blocks, 20_000),
        "growth: 200 nested loops": (shapes.loops, 200),
    }
    for name, (make, size) in inputs.items():
        yield Row(name, power(make(size // 2), make(size)), "", 1.15)


def power(small: str, large: str) -> float:
    """The power with which the CPU time of a check grows, in lines, from one text to another.

    The least of several times, in turn: others that use the machine can only add to a time. What takes milliseconds is
    measured more often, so that each text is checked for `LONG` seconds at least.
    """
    least = {small: inf, large: inf}
    rounds = 0
    while rounds < ROUNDS or rounds * least[small] < LONG:
        for text in least:
            least[text] = min(least[text], spent(lambda text=text: check(text, CONFIG)))
        rounds += 1
    return log2(least[large] / least[small]) / log2(large.count("\n") / small.count("\n"))


def spent(work: Callable[[], object]) -> float:
    """CPU seconds of this process; the collector waits meanwhile, as what it does depends on what was before."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def commands() -> Iterator[Row]:
    """What `memlane check` takes, from the start of its process on. Its modules are compiled, as by any installer."""
    compileall.compile_dir(Path(memlane.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.mlir"
        small.write_text(program("functions", 100), encoding="utf-8")
        command = [sys.executable, "-m", "memlane", "check", "--exit-zero", "--quiet", "--output-format", "concise"]
        times = sorted(children([*command, "--no-cache", str(small)], folder) for _ in range(5))
        yield Row("`memlane check` of 100 lines, CPU", times[2], "s", 0.25)
        if CORPUS.is_dir():
            corpus = [*command, "--cache-dir", str(Path(folder) / "cache"), str(CORPUS)]
            yield Row("`memlane check` of the corpus, nothing remembered, CPU", children(corpus, folder), "s", 6)
            yield Row("the same once more, CPU", children(corpus, folder), "s", 1)


def children(command: Sequence[str], folder: str) -> float:
    """CPU seconds of a process with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 2), done  # 2: some files are no UTF-8
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def requests() -> Iterator[Row]:
    """Hints and tokens of 10,000 lines, and of what an edit changes."""
    source = program("functions", 10_000)
    uri = "file:///bench.mlir"
    document = {"uri": uri}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(OURS, Path(folder))
        server.open(uri, source)
        everything = {"start": {"line": 0, "character": 0}, "end": place(source, len(source) - 1)}
        whole = {"textDocument": document, "range": everything}
        at_once = server.request("textDocument/inlayHint", whole)[1].cpu
        yield Row("inlay hints of 10,000 lines, right after its findings, CPU", 1000 * at_once, "ms", 30)
        server.close()
        server = Server(OURS, Path(folder))
        server.open(uri, source)
        server.rest()
        later = server.request("textDocument/inlayHint", whole)[1].cpu
        yield Row("inlay hints of 10,000 lines, first, a moment later, CPU", 1000 * later, "ms", 30)
        full, _ = server.request("textDocument/semanticTokens/full", {"textDocument": document})
        hints: list[float] = []
        tokens: list[float] = []
        for at, typed in edits(source, 15):
            for removed, text in ((0, typed), (1, "")):
                before = source if not removed else source[:at] + typed + source[at:]
                server.change(uri, before, at, removed, text)
                line = place(source, at)["line"]
                seen = {
                    "start": {"line": max(0, line - 30), "character": 0},
                    "end": {"line": line + 30, "character": 0},
                }
                hints.append(server.request("textDocument/inlayHint", {"textDocument": document, "range": seen})[1].cpu)
                asked = {"textDocument": document, "previousResultId": full["resultId"]}
                full, taken = server.request("textDocument/semanticTokens/full/delta", asked)
                tokens.append(taken.cpu)
        server.close()
    yield Row("inlay hints of 60 lines after an edit, CPU p50", 1000 * sorted(hints)[len(hints) // 2], "ms", 3)
    yield Row("semantic tokens after an edit, as a delta, CPU p50", 1000 * sorted(tokens)[len(tokens) // 2], "ms", 5)


def memory(count: int = 10_000) -> Iterator[Row]:
    """How much more memory is taken from the 6,000th edit of 100 lines to the last, with findings each time."""
    source = program("functions", 100)
    document, checker = Document(source, CONFIG.models), Checker()
    publisher = Publisher("file:///bench.mlir", "utf-16", related=True, links=SourceLinks("", []))
    middle = 0
    for number, (at, typed) in enumerate(edits(source, count // 2)):
        for edit in (Edit(Span(at, at), typed), Edit(Span(at, at + 1), "")):
            document = document.edit([edit])
            publisher.publication(checker.results(document, CONFIG), number)
        if number == count * 3 // 10:
            middle = _resident()
    yield Row(f"memory after {count:,} edits, beside that after {count * 6 // 10:,}", _resident() / middle, "", 1.1)


def _resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])


def rows(only: str = "") -> Iterator[Row]:
    """All of them, or those of one part: `growths`, `commands`, `requests` or `memory`."""
    for part in (growths, commands, requests, memory):
        if part.__name__.startswith(only):
            yield from part()
            print(f"measured {part.__name__}", file=sys.stderr, flush=True)
