"""What is made of findings is no square of them either: output, pictures, differences, what an editor asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memlane import line_diff
from memlane.findings import Edit, Span
from memlane.ide import calls, profile_cache
from memlane.ide.hints import hints
from memlane.ide.references import references
from memlane.ide.snapshot import File
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.editing.piece import Sort
from memlane_server.publishing import Publisher
from memlane_server.source_links import SourceLinks
from tests.hostile.growth import CONFIG, Work, exponent, lines_run, power
from tests.hostile.reports import MADE, REPORTS
from tests.hostile.shapes import TYPE, functions
from tests.hostile.test_growth import FEW, MOST
from tests.ide.measured import portrait


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("made", MADE)
def test_growth_of_reports(made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_diff, "MAX_LINES_WHOLE", 0)  # what is small is compared as `difflib` does
    monkeypatch.setattr(line_diff, "WINDOW", 8)
    make, size = MADE[made]
    grown: dict[str, float] = {}
    for report, prepared in REPORTS.items():
        prepared(make(size // 2))()  # learn what statements look like
        small, large = (lines_run(prepared(make(size * factor))) for factor in (1, 2))
        grown[report] = exponent(small, large) if large > FEW // 10 else 0.0
    assert {report: power for report, power in grown.items() if power > MOST} == {}, grown


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_what_hints_depend_on() -> None:
    def asked(count: int) -> Work:
        file = File("file:///f.mlir", 1, (functions(count),), CONFIG)
        numbers = [number for number, piece in enumerate(file.document.pieces) if piece.sort == Sort.FUNCTION]
        return lambda: [file.depends(number) for number in numbers]

    assert power(asked, 400) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_who_calls_a_function() -> None:
    def asked(count: int) -> Work:
        callee = f"func.func private @free(%a: {TYPE}) {{\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
        caller = f"func.func @f{{0}}(%b: {TYPE}) {{{{\n  call @free(%b) : ({TYPE}) -> ()\n  return\n}}}}\n"
        text = callee + "".join(caller.format(number) for number in range(count))
        file, place = File("file:///f.mlir", 1, (text,), CONFIG), text.index("@free")

        def ask() -> None:
            assert len(calls.incoming(file, place)) == count

        return ask

    assert power(asked, 150) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_references_to_one_of_many_symbols() -> None:
    def asked(count: int) -> Work:
        table = "".join(f'memref.global "private" @g{number} : {TYPE} = uninitialized\n' for number in range(count))
        uses = "".join(f"  %a{number} = memref.get_global @g0 : {TYPE}\n" for number in range(count))
        text = f"{table}func.func @f() {{\n{uses}  return\n}}\n"
        file, place = File("file:///f.mlir", 1, (text,), CONFIG), text.index("@g0")

        def ask() -> None:
            assert len(references(file, place)) == count + 1

        return ask

    assert power(asked, 80) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_what_private_functions_of_one_caller_take() -> None:
    def asked(count: int) -> Work:
        callee = f"func.func private @g{{0}}(%i: index) {{{{\n  %a = memref.alloc(%i) : {TYPE}\n  return\n}}}}\n"
        callees = "".join(callee.format(number) for number in range(count))
        called = "".join(f"  call @g{number}(%i) : (index) -> ()\n" for number in range(count))
        text = f"{callees}func.func @f(%i: index) {{\n{called}  return\n}}\n"
        file = File("file:///f.mlir", 1, (text,), CONFIG)
        assert len(file.functions) == count + 1
        profile_cache.forget()
        return lambda: [portrait(file, function) for function in file.functions]

    assert power(asked, 40) < MOST


def _chunks(count: int) -> str:
    return "// -----\n".join([f"func.func @f(%i: index) {{\n  %a = memref.alloc(%i) : {TYPE}\n  return\n}}\n"] * count)


def _carried(count: int) -> str:
    made = "".join(f"  %a{number} = memref.alloc(%i) : {TYPE}\n" for number in range(count))
    given = ", ".join(f"%b{number} = %a{number}" for number in range(count))
    names, types = ", ".join(f"%b{number}" for number in range(count)), ", ".join([TYPE] * count)
    loop = f"  %r:{count} = scf.for %j = %i to %i step %i iter_args({given}) -> ({types}) {{\n"
    return f"func.func @f(%i: index) {{\n{made}{loop}    scf.yield {names} : {types}\n  }}\n  return\n}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("make", "size"), [(_chunks, 200), (_carried, 64)])
def test_growth_of_hints(make: Callable[[int], str], size: int) -> None:
    def asked(count: int) -> Work:
        text = make(count)
        file = File("file:///f.mlir", 1, (text,), CONFIG)
        assert file.checked is not None
        return lambda: hints(file, Span(0, len(text)))

    assert power(asked, size) < MOST


def located(count: int) -> str:
    """Functions that lose a buffer, with locations as compilers print them: aliases, defined at the end."""
    one = f"func.func @f{{0}}() {{{{\n  %a = memref.alloc() : {TYPE} loc(#loc{{0}})\n  return loc(#loc{{0}})\n}}}}\n"
    functions = "".join(one.format(number) for number in range(count))
    return functions + "".join(f'#loc{number} = loc("model.py":{number + 1}:1)\n' for number in range(count))


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_published_sources() -> None:
    """All findings name the lines that they come from; it was a square, as each function looked for all aliases."""

    def published(count: int) -> Work:
        document = Document(located(count), CONFIG.models)
        found = Checker().results(document, CONFIG)

        def publish() -> None:
            publisher = Publisher("file:///f.mlir", "utf-16", True, SourceLinks("", []))
            assert publisher.publication(found, 1).count(b"from model.py:") == count

        return publish

    assert power(published, 200) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_a_keystroke_publishes_the_sources_of_what_it_touches() -> None:
    """It was 1.6, as all aliases were looked for again."""

    def typed(count: int) -> Work:
        text = located(count)
        document, checker = Document(text, CONFIG.models), Checker()
        publisher = Publisher("file:///f.mlir", "utf-16", True, SourceLinks("", []))
        publisher.publication(checker.results(document, CONFIG), 1)
        at = text.index("memref.alloc", len(text) // 4)
        found = checker.results(document.edit([Edit(Span(at, at), "x")]), CONFIG)
        return lambda: publisher.publication(found, 2)

    assert power(typed, 400) < MOST
