"""Time and memory of reading 100,000 lines beside `mlir-opt-22`, as docs/how-it-reads.md has them.

`python tests/syntax/speed.py [RUNS]` makes the three inputs with the generators of `../shared/bench` and prints, for
each, medians of CPU seconds and the resident bytes an operation beyond the text. Cold is the first reading of a
process, all modules imported; warm is its second.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from syntax_oracle import MLIR_OPT, SHARED

_TIMES = """
import sys, time
from memlane.syntax import Document
source = open(sys.argv[1], encoding="utf-8").read()
for _ in range(2):
    start = time.process_time()
    Document(source).tree.problems
    print(time.process_time() - start)
"""
_RESIDENT = """
import sys
from memlane.syntax import Document, parse
from memlane.syntax.shapes.shape import OpShape
def resident():
    with open("/proc/self/smaps_rollup") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))
parse("func.func @f() {\\n  return\\n}\\nnever.seen %a, (((%b))) [] = 5 : 7\\n").problems
source = open(sys.argv[1], encoding="utf-8").read()
before = resident()
document = Document(source)
document.tree.problems
grown = resident() - before
templates = (one for piece in document.pieces for leaf in piece.leaves for one in leaf.statements.templates)
print(grown, sum(isinstance(event, OpShape) for template in templates for event in template.events))
"""


def inputs(folder: Path) -> list[tuple[str, Path]]:
    """The inputs, made in `folder`."""
    (folder / "data").mkdir()
    for script in (SHARED / "bench").glob("*.py"):
        shutil.copy(script, folder)
    many, one, pipe = folder / "many.mlir", folder / "data" / "one100000.mlir", folder / "pipe.mlir"
    for command in (["gen.py", "100000", str(many)], ["gen_one.py"], ["gen_pipe.py", "4600", str(pipe)]):
        subprocess.run([sys.executable, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [("many functions", many), ("one function", one), ("compiler output", pipe)]


def ours(program: str, path: Path) -> list[float]:
    """What a program of this process prints about a file."""
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True)
    return [float(number) for number in done.stdout.split()]


def theirs(path: Path) -> float:
    """CPU seconds of mlir-opt."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(MLIR_OPT), str(path), "-o", "/dev/null"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int) -> None:
    """Print the table."""
    print("| input | lines | cold | warm | `mlir-opt` | cold / it | warm / it | resident bytes an operation |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in inputs(Path(folder)):
            rows = [(*ours(_TIMES, path), theirs(path)) for _ in range(runs)]
            cold, warm, opt = (median(column) for column in zip(*rows, strict=True))
            grown, operations = ours(_RESIDENT, path)
            lines = path.read_text(encoding="utf-8").count("\n")
            times = f"{cold:.2f} | {warm:.2f} | {opt:.2f} | {cold / opt:.2f} | {warm / opt:.2f}"
            print(f"| {name} | {lines:,} | {times} | {grown / operations:.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
