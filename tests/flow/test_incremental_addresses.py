"""What is looked at after an edit where functions are named by their addresses."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document
from tests.flow.test_incremental import ALLOC, PROGRAM, names_analysed


def test_the_address_of_a_function_is_no_other_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a function seems to define two symbols, all functions are analysed again."""
    analysed = names_analysed(monkeypatch)
    config = Config()
    mentions = "  %m = llvm.mlir.addressof @late : !llvm.ptr\n  gpu.launch_func @late::@later\n"
    source = PROGRAM.replace("  call @through", mentions + "  call @through")
    document, checker = Document(source, config.models), Checker()
    checker.findings(document, config)
    analysed.clear()
    start = document.source.index('  "npu.run"')
    document = document.edit([Edit(Span(start, start), ALLOC)])
    assert checker.findings(document, config) == check(document.source).findings
    assert analysed.count("lost") == 2
    assert analysed.count("late") == 1  # by `check`
