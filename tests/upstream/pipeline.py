"""Upstream's deallocation pipeline over real functions: what comes out is clean, or shows a defect of upstream's.

`python -m tests.upstream.pipeline [PATTERN [PASS]]` runs `mlir-opt --buffer-deallocation-pipeline`, or another pass, on
every chunk of the corpus (function by function where the chunk as a whole is refused) and prints what Memlane finds in
the output.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.checking import check
from memlane.dialects import builtin_models
from memlane.findings import Finding
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
MLIR_OPT = shutil.which("mlir-opt-22")
PIPELINE = "--buffer-deallocation-pipeline"
ALONE = "--ownership-based-buffer-deallocation"
"""The pass that comes first in it: who owns what is still asked of `bufferization.dealloc`."""

CORRECTNESS = frozenset(
    {
        "leak",
        "possible-leak",
        "use-after-free",
        "possible-use-after-free",
        "double-free",
        "possible-double-free",
        "invalid-free",
        "argument-free",
        "mismatched-free",
        "dangling-stack",
        "aliased-results",
        "free-before-wait",
    }
)


@dataclass(frozen=True, slots=True)
class Output:
    """What the passes made of one program."""

    path: Path
    name: str
    text: str

    def findings(self) -> list[Finding]:
        """The correctness findings in it."""
        return [finding for finding in check(self.text).findings if finding.rule.name in CORRECTNESS]


def run(source: str, *options: str) -> str | None:
    """The output of `mlir-opt`, None where it refuses."""
    assert MLIR_OPT is not None
    command = [MLIR_OPT, "--allow-unregistered-dialect", *options, "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=600, check=False)
    return done.stdout if done.returncode == 0 else None


def outputs(paths: Sequence[Path], passes: str = PIPELINE) -> Iterator[Output]:
    """The passes' output for every program of the files that has an allocation."""
    for path in paths:
        source = path.read_text(encoding="utf-8", errors="replace")
        for chunk in parse(source).chunks:
            text = source[chunk.span.start : chunk.span.end]
            if "alloc" not in text and "clone" not in text:
                continue
            whole = run(text, passes)
            if whole is not None:
                yield Output(path, "", whole)
                continue
            for name, program in alone(source, chunk.ops):
                done = run(program, passes)
                if done is not None:
                    yield Output(path, name, done)


def alone(source: str, ops: list[Op]) -> Iterator[tuple[str, str]]:
    """Each function with a body as a program of its own: the others become declarations."""
    models = builtin_models()
    functions = [
        op for op in ops if (model := models.of(op.name)) is not None and model.function is not None and op.regions
    ]
    for function in functions:
        parts: list[str] = []
        for op in ops:
            text = source[op.span.start : op.span.end]
            parts.append(_declaration(op, text) if op in functions and op is not function else text)
        yield function.symbol or "", "\n".join(parts)


def _declaration(op: Op, text: str) -> str:
    blocks = op.regions[0].blocks
    body = blocks[0].ops[0].span.start - op.span.start if blocks and blocks[0].ops else len(text)
    brace = text.rfind("{", 0, body)
    head = re.sub(r"%[\w$.-]+\s*:\s*", "", text[:brace] if brace >= 0 else text)
    return head if "private" in head else head.replace("func.func ", "func.func private ", 1)


if __name__ == "__main__":
    pattern = sys.argv[1] if len(sys.argv) > 1 else "**/*.mlir"
    programs = clean = 0
    for output in outputs(sorted(CORPUS.glob(pattern)), *sys.argv[2:3]):
        programs += 1
        found = output.findings()
        clean += not found
        for finding in found:
            line = output.text.count("\n", 0, finding.report.span.start) + 1
            place = f"{output.path.relative_to(CORPUS)} {output.name}:{line}"
            print(f"{place} {finding.rule.name} {finding.report.message}")
    print(f"{clean} of {programs} programs are clean")
