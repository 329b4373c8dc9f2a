"""What editors show of a function is told anew where an alias that it names stands for something else."""

from __future__ import annotations

import pytest
from tests.flow.test_type_aliases import PROGRAM
from tests.ide.test_partial_trees_of_tokens import by_all_ops, edited, new, placed

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.ide.hinting import hint
from memlane.ide.hints import hints
from memlane.ide.outline import outline
from memlane.ide.snapshot import File

SOURCE = (
    PROGRAM
    + """func.func @given() -> !buffer {
  %a = memref.alloc() : !buffer
  return %a : !buffer
}
"""
)
EDITS = [
    ("element = f32", "element = f64"),
    ("element = f64", "element = f32"),
    ("memref.store %x", "memref.store  %x"),
    ("#local", "#far"),
    ("!buffer = memref<16x!element>", "!buffer = f32"),
    ("!buffer = f32", "!buffer = memref<16x!element>"),
    ("return\n}\nfunc.func @lost", "return\n}\n// -----\nfunc.func @lost"),
    ("// -----\n", ""),
    ("%c = memref.alloc", "%c  = memref.alloc"),
]


@pytest.mark.slow
@pytest.mark.parametrize("looks", [True, False], ids=["each version is looked at", "the last is"])
def test_edits_of_aliases(looks: bool) -> None:
    file, units = File("file:///a.mlir", 1, (SOURCE,), Config()), new()
    hint(file)
    for number, (old, content) in enumerate([("", ""), *EDITS]):
        start = file.text.source.index(old)
        file = edited(file, Edit(Span(start, start + len(old)), content))
        source = file.text.source
        fresh, everywhere = File("file:///a.mlir", 1, (source,), Config()), Span(0, len(source))
        assert file.parts.findings == fresh.parts.findings
        file.settle()  # who checks notes what hints say
        if looks or number in (0, len(EDITS)):
            assert hints(file, everywhere) == hints(fresh, everywhere)
            assert outline(file) == outline(fresh)
            assert placed(units.all(file)) == by_all_ops(fresh)
