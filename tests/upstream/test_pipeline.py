"""What upstream's pipeline, or its first pass, makes of its own tests is clean: a sample.

`python -m tests.upstream.pipeline` runs all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstream.pipeline import ALONE, CORPUS, MLIR_OPT, PIPELINE, outputs

FOLDER = CORPUS / "llvm22/mlir/test/Dialect/Bufferization/Transforms/OwnershipBasedBufferDeallocation"


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
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
