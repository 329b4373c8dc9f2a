"""Inside a function of which nothing closes a region yet, as while one types, an editor is told what is there."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.ide.calls import function_here
from memlane.ide.completion import completions
from memlane.ide.hover import hover
from memlane.ide.locate import enclosing
from memlane.ide.snapshot import File

T = "memref<4xf32>"
OTHER = f"func.func @other(%q: {T}) {{\n  memref.dealloc %q : {T}\n  return\n}}\n"
TYPED = (
    f"func.func @typed(%p: {T}, %c: i1) {{\n  %m = memref.alloc() : {T}\n  memref.copy %p, %m : {T} to {T}\n"
    f"  scf.if %c {{\n    memref.dealloc %m : {T}\n    memref.dealloc %"
)


@pytest.mark.parametrize(
    ("before", "behind"),
    [("", ""), ("", f"\n{OTHER}"), (OTHER, ""), (OTHER, f"\n\n// -----\n{OTHER}"), ("module {\n", f"\n{OTHER}}}\n")],
    ids=["alone", "before another", "behind another", "before another chunk", "in a module"],
)
def test_a_function_that_nothing_closes(before: str, behind: str) -> None:
    text = before + TYPED + behind
    file = File("file:///a.mlir", 1, (text,), Config())
    here = function_here(file, len(before) + 5)
    assert here is not None
    for what in ("%m = ", "%m : memref<4xf32> to", "%m : memref<4xf32>\n    memref"):
        place = text.index(what)
        told = hover(file, place + 1)
        assert told is not None
        assert text[told.span.start : told.span.end] == "%m"
        assert function_here(file, place) == here
    end = len(before + TYPED)
    around = [op.symbol or op.name for op in enclosing(file.checked.tree, end)]
    assert around[-2:] == ["typed", "scf.if"]
    assert {"%p", "%c", "%m"} == {one.text for one in completions(file, end) if one.text.startswith("%")}
    if behind:
        told = hover(file, text.rindex("%q") + 1)
        assert told is not None
        assert "@other" in told.markdown
        assert [op.symbol for op in enclosing(file.checked.tree, text.rindex("%q"))][-2:] == ["other", None]


def test_a_body_that_is_empty_yet() -> None:
    text = f"func.func @typed(%p: {T}) {{\n  "
    file = File("file:///a.mlir", 1, (text,), Config())
    assert [op.symbol for op in enclosing(file.checked.tree, len(text))] == ["typed"]
