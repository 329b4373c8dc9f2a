"""Edits of where the stack is saved and restored: what they change is that of buffers that they do not name."""

from __future__ import annotations

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.syntax import Document

CONFIG = Config()
SOURCE = """func.func private @use(memref<?xf32>)
func.func @f(%n: index, %t: tensor<4xf64>) {
  %a = memref.alloca(%n) : memref<?xf32>
  SAVE
  %b = memref.alloca(%n) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  RESTORE
  call @use(%a) : (memref<?xf32>) -> ()
  call @use(%b) : (memref<?xf32>) -> ()
  FREE
  bufferization.dealloc_tensor %t : tensor<4xf64>
  return
}
"""
STEPS = (
    ("// save", "%s = llvm.intr.stacksave : !llvm.ptr"),
    ("// restore", "llvm.intr.stackrestore %s : !llvm.ptr"),
    ("// free", "bufferization.dealloc_tensor %t : tensor<4xf64> // again"),
)


def test_each_edit_gives_what_the_whole_gives() -> None:
    text = SOURCE.replace("RESTORE", "// restore").replace("SAVE", "// save")
    document, checker = Document(text.replace("FREE", "// free"), CONFIG.models), Checker()
    seen: list[list[str]] = []
    for old, new in (*STEPS, *((new, old) for old, new in reversed(STEPS))):
        at = document.source.index(old)
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        found = checker.findings(document, CONFIG)
        assert found == check(document.source, CONFIG).findings
        seen.append([one.rule.name for one in found])
    used, freed = "use-after-free", "double-free"
    assert seen == [[], [used], [used, freed], [used], [], []]
