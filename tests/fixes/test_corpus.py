"""Other projects' programs: what `fix_all` makes of them is accepted by `mlir-opt-22`, settled, and no worse.

A sample as a slow test; `python tests/fixes/test_corpus.py` takes all of them, an hour or so.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.effort import FULL

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
OPT = shutil.which("mlir-opt-22")
SAMPLE = 60 if FULL else 24
LARGEST = 60_000
"""Files in the sample, and their size in bytes."""


def files() -> list[Path]:
    """The files that may hold something to repair, in an order that is the same everywhere."""
    found = sorted(path for path in CORPUS.rglob("*.mlir") if path.stat().st_size <= LARGEST)
    return [path for path in found if b"alloc" in path.read_bytes()]


def accepted(text: str) -> bool:
    """Whether LLVM's own tool reads and verifies a text."""
    assert OPT is not None
    command = [OPT, "-", "--allow-unregistered-dialect", "-o", "/dev/null"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode == 0


def grave(text: str) -> Counter[str]:
    """The errors and warnings, by rule."""
    wrong = (Severity.ERROR, Severity.WARNING)
    return Counter(finding.rule.name for finding in check(text).findings if finding.severity in wrong)


def repaired(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The chunks of a file that change, with what is wrong with the change."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, chunk in enumerate(re.split(r"^// -----.*\n", text, flags=re.MULTILINE)):
        before = grave(chunk) if "alloc" in chunk else Counter[str]()
        if not before or not accepted(chunk):
            continue
        for unsafe in (False, True):
            fixed = fix_all(chunk, Config(), unsafe)
            if fixed != chunk:
                wrong = [] if accepted(fixed) else ["refused"]
                wrong += [f"new: {rule}" for rule in grave(fixed) - before]
                wrong += ["changes again"] if fix_all(fixed, Config(), unsafe) != fixed else []
                yield f"{path.relative_to(CORPUS)}, chunk {number}{', unsafe' if unsafe else ''}", wrong


@pytest.mark.slow
@pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.skipif(not CORPUS.exists(), reason=f"the corpus is not at {CORPUS}")
def test_a_sample() -> None:
    sample = random.Random(5).sample(files(), SAMPLE)
    results = [result for path in sample for result in repaired(path)]
    assert results
    assert [(name, wrong) for name, wrong in results if wrong] == []


if __name__ == "__main__":
    count = bad = 0
    for path in files():
        for name, wrong in repaired(path):
            count += 1
            bad += bool(wrong)
            if wrong:
                print(f"{name}: {', '.join(wrong)}", flush=True)
    print(f"{count} texts changed, {bad} of them badly")
    sys.exit(bad > 0)
