"""Hovers and hints of lowered code give the sizes and deallocations that findings give."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.findings import Span
from memlane.ide.buffer_names import deallocations
from memlane.ide.highlight import MentionAccess, highlights
from memlane.ide.hinting import hint
from memlane.ide.hints import hints
from memlane.ide.hover import hover
from memlane.ide.snapshot import File

SOURCE = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @f(%n: i64) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %one = llvm.call @malloc(%c1) : (i64) -> !llvm.ptr
  %some = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %s = llvm.mul %n, %c4 : i64
  %many = llvm.call @calloc(%s, %c4) : (i64, i64) -> !llvm.ptr
  %here = llvm.alloca %s x f32 : (i64) -> !llvm.ptr
  llvm.call @free(%one) : (!llvm.ptr) -> ()
  llvm.return
}
func.func @g(%n: index) {
  %gpu = gpu.alloc(%n) : memref<?xi8>
  %token = gpu.wait async
  %later, %done = gpu.alloc async (%n) : memref<?xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("one", "A buffer in libc memory, 1 byte."),
        ("some", "A buffer in libc memory, %n bytes."),
        ("many", "A buffer in libc memory, 16*%n bytes."),
        ("here", "A buffer on the stack, 16*%n bytes."),
        ("gpu", "A buffer in gpu memory, %n bytes."),
        ("later", "A buffer in gpu memory, 4*%n bytes."),
    ],
)
def test_hovers_say_how_large(name: str, told: str) -> None:
    found = hover(checked(), SOURCE.index(f"%{name}"))
    assert found is not None
    assert told in found.markdown


def test_hints_say_how_large_and_how_long() -> None:
    assert [hint.label for hint in hints(checked(), Span(0, len(SOURCE)))] == [
        "1 B, lives to L12",
        "%n B, never freed",
        "16*%n B, never freed",
        "16*%n B",
        "4 ops after the last use (L7)",
        "%n B, never freed",
        "4*%n B, never freed",
    ]


def test_a_call_of_free_is_a_deallocation() -> None:
    at = SOURCE.index("%one")
    place = SOURCE.index("llvm.call @free")
    assert deallocations(checked(), at) == [Span(place, place + len("llvm.call"))]
    written = [one.span.start for one in highlights(checked(), at) if one.access is MentionAccess.WRITE]
    assert written == [at, SOURCE.rindex("%one")]


def checked() -> File:
    """The program, of which all is known."""
    file = File("file:///a.mlir", 1, (SOURCE,), Config())
    hint(file)
    _ = file.parts
    file.settle()
    return file
