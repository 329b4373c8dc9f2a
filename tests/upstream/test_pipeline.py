"""What upstream's pipeline, or its first pass, makes of its own tests is clean: a sample.

`python -m tests.upstream.pipeline` runs all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from tests.effort import some
from tests.upstream.pipeline import ALONE, CORPUS, CORRECTNESS, MLIR_OPT, PIPELINE, outputs, run

NEEDS_MLIR_OPT = pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
FOLDER = CORPUS / "llvm22/mlir/test/Dialect/Bufferization/Transforms/OwnershipBasedBufferDeallocation"


@pytest.mark.slow
@NEEDS_MLIR_OPT
@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the corpus is not at {CORPUS}")
@pytest.mark.parametrize("passes", [PIPELINE, ALONE])
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.mlir")), ids=lambda path: path.stem)
def test_output_is_clean(path: Path, passes: str) -> None:
    found = [
        (output.name, finding.rule.name, finding.report.message)
        for output in outputs([path], passes)
        for finding in output.findings()
    ]
    assert found == []


PLACEMENT = CORPUS.parent / "cases" / "placement"
TO_LLVM = (
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)


CANONICAL = pytest.mark.parametrize("canonical", [(), ("--canonicalize", "--cse")], ids=["as-it-comes", "canonical"])


@pytest.mark.slow
@NEEDS_MLIR_OPT
@pytest.mark.skipif(not PLACEMENT.is_dir(), reason=f"the cases are not at {PLACEMENT}")
@CANONICAL
def test_what_lowering_makes_of_the_output_is_clean(canonical: tuple[str, ...]) -> None:
    """The helper's arrays are descriptors then, and flags are loaded through pointers that were computed."""
    found: list[tuple[str, str, str]] = []
    lowered = 0
    for path in sorted(PLACEMENT.glob("*.mlir")):
        text = run(path.read_text(encoding="utf-8"), PIPELINE, *TO_LLVM, *canonical)
        lowered += text is not None and "dealloc_helper" in text
        for finding in check(text or "").findings:
            if finding.rule.name in {*CORRECTNESS, "uninitialized-read"}:
                found.append((path.name, finding.rule.name, finding.report.message))
    assert found == []
    assert lowered


@pytest.mark.slow
@NEEDS_MLIR_OPT
@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the corpus is not at {CORPUS}")
@CANONICAL
def test_its_own_tests_are_clean_when_they_are_lowered(canonical: tuple[str, ...]) -> None:
    """Flags go round with the buffers whose they are, in loops within loops."""
    programs = list(outputs(some(sorted(FOLDER.glob("*.mlir")), 12)))
    texts = [run(one.text, *TO_LLVM, *canonical) for one in programs]
    found = [
        (program.path.name, finding.rule.name, finding.report.message)
        for program, text in zip(programs, texts, strict=True)
        for finding in check(text or "").findings
        if finding.rule.name in CORRECTNESS
    ]
    assert found == []
    assert sum(text is not None for text in texts) > len(texts) // 2 > 4
