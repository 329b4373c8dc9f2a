"""Flags in variables: what counts as a variable; functions with few of them are analysed again after an edit."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.memory.scalar_memory import has_cells
from memlane.syntax import parse


@pytest.mark.parametrize("made", ["alloca", "alloc"])
def test_variables_are_memory_of_any_allocator(made: str) -> None:
    body = f"  %m = memref.{made}() : memref<i1>\n  memref.store %c, %m[] : memref<i1>\n"
    body += "  %v = memref.load %m[] : memref<i1>\n"
    source = f"func.func @f(%c: i1) {{\n{body}  return\n}}\n"
    (chunk,) = parse(source).chunks
    (flow,) = Program(chunk.ops, Config().models, source).functions.values()
    assert has_cells(flow.graph)
