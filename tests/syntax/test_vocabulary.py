"""The names that misspellings are told by are those of the LLVM that is installed."""

from __future__ import annotations

import pytest
from make_vocabulary import LLVM, keywords, main
from syntax_oracle import MLIR_OPT

from memlane.syntax.shapes.spelling import may_be_bare, near
from memlane.syntax.shapes.vocabulary import vocabulary

needs_llvm = pytest.mark.skipif(
    MLIR_OPT is None or not (LLVM / "include" / "mlir").exists(),
    reason="LLVM 22 with its headers is not installed (Debian: mlir-22-tools, libmlir-22-dev)",
)


@pytest.mark.slow
@needs_llvm
def test_the_file_is_current() -> None:
    assert main(["--check"]) == 0, "run python tests/syntax/make_vocabulary.py"


@needs_llvm
def test_words_of_formats_are_known() -> None:
    known = vocabulary()["keywords"]
    assert len(keywords()) > 300
    assert not keywords() - known


def test_near_names() -> None:
    assert near("dealoc", ["alloc", "dealloc"]) == "dealloc"
    assert near("dealloc", ["dealloc"]) is None
    assert may_be_bare("yield")
