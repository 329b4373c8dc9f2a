"""An edit that leaves the operations of a function as they are moves its findings, without an analysis."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memlane.checking import check
from memlane.findings import Edit, Span
from memlane.ide.hinting import hint
from memlane.ide.hints import hints
from memlane.ide.snapshot import File
from memlane.query import Checker, checked_section, memory
from memlane.query.findings_store import FindingsMemory
from memlane.query.trivia_edit import respaced
from memlane.syntax import Document
from tests.effort import some
from tests.flow.inner_edits import CONFIG
from tests.flow.test_incremental import CALLS, names_analysed
from tests.fuzz.programs import program

SOURCE = """\
func.func private @free(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @f(%c: i1, %x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>  // the first
  %b = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.store %x, %b[%i] : memref<4xf32>

  }
  memref.store %x, %a[%i] : memref<4xf32>
  %s = arith.addi %i, %i : index
  %t = arith.addi %s, %i {note = "a // b"} : index
  func.call @free(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  %b =", "    %b ="),
        ("// the first", "// the first of"),
        ("  // the first", ""),
        ("\\n\\n  }", "\\n  }"),
        ("  }\\n", "  }\\n\\n"),
        ("  %s =", "  // memref.dealloc %b : memref<4xf32>\\n  %s ="),
        ("  %s =", "  /\\n  %s ="),  # no operation yet
        ("  %s =", "  %new\\n  %s ="),
        ("  return\\n", "  return\\n  // the end\\n"),
        ("  memref.dealloc %m", "  // behind the head of a function\\n  memref.dealloc %m"),
    ],
)
def test_space_and_comments(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    old, new = old.replace("\\n", "\n"), new.replace("\\n", "\n")
    document, checker = Document(SOURCE, CONFIG.models), Checker()
    first = checker.findings(document, CONFIG)
    assert {finding.rule.name for finding in first} >= {"double-free", "leak"}
    looked = names_analysed(monkeypatch)
    at = SOURCE.index(old)
    document = document.edit([Edit(Span(at, at + len(old)), new)])
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert sorted(looked) == ["f", "free"]  # from scratch alone
    looked.clear()
    for word in ("%b[%i]", "%s, %i {"):  # operations that were kept are put right after that
        begin = document.source.index(word)
        document = document.edit([Edit(Span(begin, begin + 2), "%i")])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%s, %i {", "%i, %i {"),
        ('"a // b"', '"a // c"'),
        ('"a // b"', '"a  // b"'),
        ("4xf32>  // the first", "4xf32 >  // the first"),
        ("  %b = memref.alloc()", "  //%b = memref.alloc()"),
        ("  }\n  memref.store", "  memref.store"),
        ("  return\n}\n\nfunc", "  return }\n\nfunc"),
        ("  %s =", "  foo\n  %s ="),
        ("  %s = arith.addi %i, %i : index\n  %t", "  %s = arith.addi %i, %i : index %t"),
        ("%c: i1, %x", "%c: i1,  %x"),
    ],
)
def test_other_operations_are_looked_at(old: str, new: str) -> None:
    before, after = Document(SOURCE, CONFIG.models), Document(SOURCE.replace(old, new), CONFIG.models)
    pairs = zip(before.pieces, after.pieces, strict=False)
    changed = [(one, other) for one, other in pairs if one.text != other.text]
    assert changed
    assert all(respaced(one, other) is None for one, other in changed)


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ("func.func private", "// a comment\n"),
        (" {\nfunc.func private", "  // all of it\n"),
        ("{\nfunc.func private", "  "),
        (" {a.b", "  // some\n"),
        ("func.func @f", "// more\n"),
        ("func.func @f", "\n"),
        ("module attributes", "\n// a module\n"),
        ("}\n// end", "\n"),
        ("\n// end", " // the end"),
        ("end", "no "),
    ],
)
def test_space_and_comments_around_functions(monkeypatch: pytest.MonkeyPatch, before: str, new: str) -> None:
    source = f'module {{\n}}\nmodule attributes {{a.b = "c // d"}} {{\n{SOURCE}}}\n// end\n'
    document, checker = Document(source, CONFIG.models), Checker()
    assert {finding.rule.name for finding in checker.findings(document, CONFIG)} >= {"double-free", "leak"}
    looked = names_analysed(monkeypatch)
    at = source.index(before)
    document = document.edit([Edit(Span(at, at), new)])
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert sorted(looked) == ["f", "free"]  # from scratch alone
    looked.clear()
    at = document.source.index("a.b")
    document = document.edit([Edit(Span(at, at), "z.")])
    assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert sorted(looked) == ["f", "f", "free", "free"]  # what a module says may be said of all in it


def test_hints_move_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    import memlane.ide.hint_cache

    file = File("file:///a.mlir", 1, (SOURCE,), CONFIG)
    everywhere = Span(0, len(SOURCE))
    assert hints(file, everywhere)
    at = SOURCE.index("  %b")
    with monkeypatch.context() as patch:
        patch.setattr(memlane.ide.hint_cache, "of_ops", None)
        hint(file)
        source = f"{SOURCE[:at]}  // more\n{SOURCE[at:]}"
        file = file.edited(2, (source,), CONFIG, (Edit(Span(at, at), "  // more\n"),))
        _ = file.parts
        found = hints(file, Span(0, len(source)))
    assert found == hints(File("file:///a.mlir", 1, (source,), CONFIG), Span(0, len(source)))


def test_places_of_many_edits_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each comment moves what is behind it by itself: after a dozen all is taken to stand where it stands then."""
    parts: list[int] = []

    def counted(*arguments: Any) -> FindingsMemory:
        found = memory.respaced(*arguments)
        parts.append(len(found.owners))
        return found

    monkeypatch.setattr(checked_section, "placed", counted)
    lines = "".join(f"  %v{number} = arith.addi %i, %i : index\n" for number in range(40))
    source = SOURCE.replace("  func.call @free", f"{lines}  func.call @free")
    document, checker = Document(source, CONFIG.models), Checker()
    checker.findings(document, CONFIG)
    for number in reversed(range(40)):
        at = document.source.index(f"  %v{number} =")
        document = document.edit([Edit(Span(at, at), f"  // {number}\n")])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert len(parts) >= 40
    assert max(parts) == 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(24), 2))
def test_random_edits(seed: int) -> None:
    """Comments and space typed anywhere, between edits of operations, some taken back."""
    choose = random.Random(seed)
    document = Document(CALLS if seed < 12 else program(choose, 4), CONFIG.models)
    checker = Checker()
    checker.findings(document, CONFIG)
    undo: list[Edit] = []
    for _ in range(30):
        text = document.source
        at = choose.randrange(len(text))
        if undo and choose.random() < 0.3:
            edit = undo.pop()
        else:
            line = text.find("\n", at) + 1
            start = choose.choice([at, line, line, max(0, line - 1)])
            gone = choose.choice([0, 0, 0, 1, 4])
            new = choose.choice([" ", "\n", "  // x\n", "//", "    ", "%", "/", "%q\n", "\n\n", "x"])
            edit = Edit(Span(start, min(len(text), start + gone)), new)
            undo = [Edit(Span(start, start + len(new)), text[start : edit.span.end])]
        document = document.edit([edit])
        if choose.random() < 0.7:
            assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
