"""Hints after edits equal those of a file opened anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from tests.effort import some
from tests.flow.test_incremental import Countdown
from tests.fuzz.programs import program
from tests.hostile import shapes

from memlane.cancellation import Cancelled, cancellable
from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.flow import FunctionFlow, Program
from memlane.ide.hint_cache import Drafting
from memlane.ide.hinting import hint
from memlane.ide.hints import Hint, hints, prepare, unprepared
from memlane.ide.snapshot import File
from memlane.query import Checker
from memlane.query.viewport import Viewport
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.section import Section
from memlane.syntax.editing.strips import Portion

CONFIG = Config()
WORDS = [
    "",
    "x",
    " ",
    "\n",
    "}",
    "%b0",
    "  %z = memref.alloc() : memref<8xf32>\n",
    "// -----\n",
    "private ",
    "@f1",
    "-> ",
]


def fresh(source: str) -> File:
    return File("file:///a.mlir", 1, (source,), CONFIG)


def settled(file: File, polls: int) -> None:
    """Settle a file, as far as it comes until somebody looks so often whether it is still wanted."""
    try:
        with cancellable(Countdown(polls)):
            file.settle()
    except Cancelled:
        assert not file.settled


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(16), 3))
def test_edits(seed: int) -> None:
    chance = random.Random(seed)
    source = program(chance, 5)
    file = fresh(source)
    undo: list[tuple[str, Edit]] = []
    said = 0
    for _ in range(14):
        if undo and chance.random() < 0.4:
            source, edit = undo.pop()
        else:
            start = chance.randrange(len(source) + 1)
            edit = Edit(Span(start, min(len(source), start + chance.choice([0, 0, 1, 9]))), chance.choice(WORDS))
            back = Edit(Span(start, start + len(edit.content)), source[start : edit.span.end])
            undo.append((source, back))
            source = source[:start] + edit.content + source[edit.span.end :]
        file = file.edited(None, (source,), CONFIG, (edit,))
        start = chance.choice([0, chance.randrange(len(source) + 1)])
        span = Span(start, chance.choice([len(source), min(len(source), start + 400)]))
        file.view.span = Span(0, len(source)) if seed % 2 else edit.span
        hint(file, seed > 3)
        if chance.random() < 0.7:
            assert file.parts.findings == fresh(source).parts.findings
        if chance.random() < 0.3:
            settled(file, chance.randrange(3))
        if chance.random() < 0.5:  # as while nobody asks for anything
            apart = file.apart()
            ahead = unprepared(apart)
            for number in ahead[: chance.choice([1, len(ahead)])]:
                prepare(apart, number)
        shown = hints(file, span)
        assert shown == hints(fresh(source), span)
        said += len(shown)
    assert said


def test_what_was_prepared_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    source = shapes.functions(8)
    file = fresh(source)
    assert len(unprepared(file)) == len(file.functions) == 8
    file.view.span = file.functions[2].span
    assert file.document.starts[unprepared(file)[0]] == file.functions[2].span.start
    apart = file.apart()
    for number in unprepared(apart):
        prepare(apart, number)
    assert unprepared(file) == []
    expected = hints(fresh(source), Span(0, len(source)))

    def built(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Section, "put", built)
    assert hints(file, Span(0, len(source))) == expected != []


def test_a_check_leaves_nothing_to_be_found_out_where_hints_may_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    source = shapes.functions(8)
    expected = hints(fresh(source), Span(0, len(source)))
    file = fresh(source)
    hint(file)
    assert file.parts.findings
    assert unprepared(file) == []

    def built(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Section, "put", built)
    assert hints(file, Span(0, len(source))) == expected != []


def test_findings_do_not_wait_for_what_hints_say() -> None:
    source = shapes.functions(8)
    file = fresh(source)
    hint(file)
    assert file.parts.findings == fresh(source).parts.findings
    kept = file.portraits.drafts
    assert (file.settled, len(kept)) == (False, 0)
    polls = 4
    while not kept:
        settled(file, polls)
        polls *= 2
    assert (file.settled, 0 < len(kept) < 8) == (False, True)
    file.settle()
    assert (file.settled, len(kept)) == (True, 8)


def test_a_check_ends_the_one_before_whoever_has_not_seen_its_functions() -> None:
    source = shapes.functions(8)
    file = fresh(source)
    hint(file)
    _ = file.parts
    at = source.index("%z", source.index("@f3("))
    source = source[:at] + "%w" + source[at + 2 :]
    file = file.edited(None, (source,), CONFIG, (Edit(Span(at, at + 2), "%w"),))
    assert file.parts.findings == fresh(source).parts.findings
    file.settle()
    assert len(file.portraits.drafts) == 1
    assert hints(file, Span(0, len(source))) == hints(fresh(source), Span(0, len(source)))


def test_who_waits_for_what_hints_say_does_not_wait_for_another_check() -> None:
    """That one may itself be resting until those are answered who wait."""
    document, checker = Document(shapes.functions(8), CONFIG.models), Checker()
    seen: list[Piece] = []

    class Seeing(Drafting):
        def __call__(self, piece: Piece, flow: FunctionFlow, program: Program, found: Sequence[Finding], /) -> None:
            seen.append(piece)

    checker.results(document, CONFIG, Viewport(), Seeing(fresh(document.source)))
    began, done = Event(), Event()

    class Slow(Viewport):
        def ordered(
            self, pieces: Iterable[Piece], at: Mapping[Portion, int], seen: Callable[[], None]
        ) -> Iterator[Piece]:
            began.set()
            assert done.wait(600)
            return super().ordered(pieces, at, seen)

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(checker.results, document.edit([Edit(Span(0, 0), "\n\n")]), CONFIG, Slow())
        try:
            assert began.wait(600)
            checker.settle()
            assert (checker.settled, seen) == (True, [])
        finally:
            done.set()
        running.result()


def test_late_frees_in_functions_of_which_some_are_known() -> None:
    """A finding is told with the function that it is in, whichever of them were looked at anew."""
    source = shapes.functions(8)
    file = fresh(source)
    expected = hints(file, Span(0, len(source)))
    assert sum(" op after the last use" in hint.label or " ops after" in hint.label for hint in expected) == 8
    for number in (1, 6, 3):
        start = source.index("%z", source.index(f"@f{number}("))
        source = source[:start] + "%w" + source[start + 2 :]
        file = file.edited(None, (source,), CONFIG, (Edit(Span(start, start + 2), "%w"),))
        assert hints(file, Span(0, len(source))) == hints(fresh(source), Span(0, len(source)))


def test_a_callee_that_gives_back_something_else() -> None:
    """What the caller's hints say changes, though its own text does not."""
    source = (
        "func.func @g(%a: memref<4xf32>) -> memref<4xf32> {\n  %n = memref.alloc() : memref<4xf32>\n"
        "  return %a : memref<4xf32>\n}\n"
        "func.func @f(%x: memref<4xf32>) {\n  %y = call @g(%x) : (memref<4xf32>) -> memref<4xf32>\n  return\n}\n"
    )
    file = fresh(source)
    place = source.index("%y")
    assert _labels(hints(file, Span(place, place + 60))) == ["alias of %x"]
    start = source.index("%a : ")
    edited = source[:start] + "%n" + source[start + 2 :]
    after = file.edited(2, (edited,), CONFIG, (Edit(Span(start, start + 2), "%n"),))
    assert _labels(hints(after, Span(place, place + 60))) == ["owned"]
    assert _labels(hints(file, Span(place, place + 60))) == ["alias of %x"]


def test_a_function_that_hides_one_that_is_known() -> None:
    """Whether a call frees is decided by whether a function of that name has a body here."""
    caller = "func.func @f() {\n  %y = memref.alloc() : memref<4xf32>\n  return\n}\n"
    before = f"{caller}func.func private @g(%a: !llvm.ptr)\n"
    file = fresh(before)
    whole = Span(0, len(before))
    assert hints(file, whole) == hints(fresh(before), whole)
    start = before.index("@g")
    edited = before[:start] + "@free" + before[start + 2 :]
    after = file.edited(2, (edited,), CONFIG, (Edit(Span(start, start + 2), "@free"),))
    assert hints(after, Span(0, len(edited))) == hints(fresh(edited), Span(0, len(edited)))


def _labels(found: list[Hint]) -> list[str]:
    return [hint.label for hint in found]
