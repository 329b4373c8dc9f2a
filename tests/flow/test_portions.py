"""Findings of a large function are stored by portions: an edit leaves those of the others alone, however far apart
the places are of which a finding speaks."""

from __future__ import annotations

import json
import random

import pytest

from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.query import Checker
from memlane.query.findings_store import FindingsMemory, Parts
from memlane.syntax import Document
from memlane.syntax.editing import amend, pieces, strips
from memlane_server.publishing import Publisher
from memlane_server.source_links import SourceLinks
from tests.effort import some
from tests.fuzz.incremental_edits import Editor, start
from tests.syntax.edits import Typist

CONFIG = Config()
STEP = """\
  %a{0} = memref.alloc() : memref<4xf32>
  memref.store %x, %a{0}[%i] : memref<4xf32>
  %s{0} = arith.addf %x, %x : f32
  %t{0} = arith.mulf %s{0}, %x : f32
  %lost{0} = memref.alloc() : memref<{0}xf32>
  memref.store %t{0}, %lost{0}[%i] : memref<{0}xf32>
"""
COUNT = 40
SOURCE = (
    "func.func @f(%x: f32, %i: index) {\n"
    + "".join(map(STEP.format, range(1, COUNT)))
    + "".join(f"  memref.dealloc %a{number} : memref<4xf32>\n" for number in range(1, COUNT))
    + "  return\n}\n"
)
"""Each `%a` is freed late, at the end, and each `%lost` never."""


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LEAF_LINES", 6)
    monkeypatch.setattr(amend, "MAX_LEAF_STATEMENTS", 16)
    monkeypatch.setattr(strips, "MAX_PORTION_LEAVES", 1)


class Typed:
    """A document that is edited, with what is found in it and published."""

    def __init__(self, source: str) -> None:
        self.document, self.checker = Document(source, CONFIG.models), Checker()
        self.publisher = Publisher("file:///a.mlir", "utf-16", related=True, links=SourceLinks("", []))
        self.written: list[FindingsMemory] = []
        write = self.publisher._write  # pyright: ignore[reportPrivateUsage] -- counted, as nothing else shows it
        self.publisher._write = lambda memory, found: self.written.append(memory) or write(memory, found)  # pyright: ignore[reportPrivateUsage] -- as above
        self.found()

    def found(self) -> Parts:
        """What is found, which is what is found and published of the text as it is."""
        found = self.checker.results(self.document, CONFIG)
        fresh = Checker().results(Document(self.document.source, CONFIG.models), CONFIG)
        assert found.findings == fresh.findings
        published = Publisher("file:///a.mlir", "utf-16", related=True, links=SourceLinks("", [])).diagnostics(fresh)
        assert json.loads(self.publisher.diagnostics(found)) == json.loads(published)
        return found

    def replace(self, old: str, new: str) -> Parts:
        """What is found after an edit; `written` are the memories of which text was made for it."""
        at = self.document.source.index(old)
        self.document = self.document.edit([Edit(Span(at, at + len(old)), new)])
        self.written.clear()
        return self.found()


def _memories(found: Parts) -> list[FindingsMemory]:
    return [memory for memories in found.memories for memory in memories or ()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%t20 = arith.mulf", "%t20 = arith.mul"),  # there is no such operation
        ("%t20 = arith.mulf", "%t20 = arith.divf"),
        ("%s20 = ", "\n  %s20 = "),
        ("  %s20 = ", "  %new = arith.constant 1 : i32\n  %s20 = "),
    ],
)
def test_what_an_edit_leaves_alone_stays_and_is_not_written_again(old: str, new: str) -> None:
    typed = Typed(SOURCE)
    before = _memories(typed.found())
    assert len(before) > COUNT
    after = _memories(typed.replace(old, new))
    assert len(set(after) - set(before)) < 6
    assert len(typed.written) < 6
    again = _memories(typed.replace(new, old))  # taken back
    assert set(again) <= {*before, *after}
    elsewhere = _memories(typed.replace("%s30 = arith.addf", "%s30 = arith.subf"))
    assert len(set(elsewhere) - {*before, *after}) < 6
    assert len(typed.written) < 6


@pytest.mark.slow
def test_findings_move_with_their_strips() -> None:
    """Twenty edits of space, and then one of an operation: places add up."""
    typed = Typed(SOURCE)
    for number in range(20):
        typed.replace(f"  %s{number + 5} = ", f"\n   %s{number + 5} = ")
    typed.replace("%t8 = arith.mulf", "%t8 = arith.divf")
    typed.replace("  memref.dealloc %a9 : memref<4xf32>\n", "")
    typed.replace("  memref.store %x, %a3", "  memref.dealloc %a9 : memref<4xf32>\n  memref.store %x, %a3")


@pytest.mark.slow
def test_a_finding_that_speaks_of_another_function_goes_with_it() -> None:
    body = "".join(f"  %c{number} = arith.constant 1 : i32\n" for number in range(20))
    head, end = "func.func private @free(%b: memref<4xf32>) {\n", "  memref.dealloc %b : memref<4xf32>\n  return\n}\n"
    callee = head + body + end
    calls = SOURCE.replace("  return", "  call @free(%a1) : (memref<4xf32>) -> ()\n  return")
    for source in (callee + calls, calls + callee):
        typed = Typed(source)
        typed.replace("%c3 = arith", "\n\n  %c3 = arith")
        typed.replace("%s9 = arith.addf", "%s9 = arith.subf")
        typed.replace("  memref.dealloc %b", "  // here\n  memref.dealloc %b")
        typed.replace("%c12 = arith.constant 1", "%c12 = arith.constant 12")


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), 1))
def test_any_edits(seed: int) -> None:
    editor, typist = Editor(""), Typist(seed)
    publisher = Publisher("file:///a.mlir", "utf-16", related=True, links=SourceLinks("", []))
    for number in range(60):
        if number % 20 == 0:
            editor = Editor(start(random.Random(f"strips {seed} {number}")))
        editor.edit(typist.next(editor.document.source))
        found = editor.checker.results(editor.document, CONFIG)
        fresh = Checker().results(Document(editor.document.source, CONFIG.models), CONFIG)
        published = Publisher("file:///a.mlir", "utf-16", related=True, links=SourceLinks("", [])).diagnostics(fresh)
        assert json.loads(publisher.diagnostics(found)) == json.loads(published)
