"""Symbols that are defined a second time in one table of symbols."""

from __future__ import annotations

import pytest

from memlane.findings import Edit, Span
from memlane.syntax import Document, parse

F = "func.func @f() {\n  return\n}\n"


def _told(source: str) -> list[tuple[str, int, int]]:
    """The message of each problem, where it stands, and where its note does."""
    return [(one.message, one.span.start, one.notes[0][1].start) for one in parse(source).problems]


@pytest.mark.parametrize(
    "second",
    [
        F,
        "func.func private @f()\n",
        'func.func @"f"() {\n  return\n}\n',
        'llvm.func @f(i32) -> i32 attributes {a = "@f"}\n',
        'memref.global "private" @f : memref<4xf32>\n',
        'llvm.mlir.global internal @f("x")\n',
        "gpu.module @f {\n}\n",
        '"func.func"() ({\n  "func.return"() : () -> ()\n}) {function_type = () -> (), sym_name = "f"} : () -> ()\n',
    ],
)
@pytest.mark.parametrize("around", ["", "module {\n", "module @m {\ngpu.module @k {\n"])
def test_a_symbol_of_two_operations(around: str, second: str) -> None:
    source = around + F + "func.func @g() {\n  return\n}\n" + second + "}\n" * around.count("{")
    at = source.index("f", source.index(second, len(around) + len(F)) + (10 if second == F else 0))
    ((message, there, first),) = _told(source)
    assert message == "symbol 'f' is defined twice"
    assert source[there] == "f"
    assert there >= at
    assert first == source.index("@f") + 1


@pytest.mark.parametrize(
    "source",
    [
        f"module {{\n{F}}}\nmodule {{\n{F}}}\n{F}",
        f"{F}gpu.module @k {{\n{F}}}\ngpu.module @l {{\n{F}}}\n",
        f"{F}// -----\n{F}",
        f"{F}// -----// IR Dump After X //----- //\n{F}{F}",
        f"{F}//--- other.mlir\n{F}//--- third.mlir\n\n{F}",
        f"x.table {{\n{F}{F}}}\n",
        "x.func @f()\nx.func @f()\n",
        F + "func.func @g() {\n  func.call @f() : () -> ()\n  return\n}\n",
    ],
)
def test_symbols_of_several_tables(source: str) -> None:
    assert not _told(source)


def test_told_alike_after_edits() -> None:
    document = Document("module {\n" + F + F.replace("@f", "@h") + F.replace("@f", "@g") + "}\n")
    for old, new in (("@g", "@f"), ("@h", "@f"), ("module {", "module"), ("module", "module {"), ("@f", "@k")):
        at = document.source.rindex(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        assert document.tree.problems == parse(document.source).problems
    assert len(document.tree.problems) == 1
