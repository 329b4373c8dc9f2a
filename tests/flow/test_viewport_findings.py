"""Findings in view, before all of a text is read, are those of a full check there, or there are none yet."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Finding, Span
from memlane.flow import FunctionFacts, FunctionFlow, Program, analyse
from memlane.flow.memo.exploration_memo import Recall
from memlane.ide import snapshot
from memlane.ide.snapshot import File
from memlane.query import Checker, checked_section
from memlane.query.viewport_first import Glimpse, glimpse
from memlane.syntax import Document
from memlane.syntax.editing import excerpt
from memlane.syntax.editing.piece import Sort
from tests.bench.costs import functions as many

CONFIG = Config()

PROGRAM = """\
#map = affine_map<(d0) -> (d0)>
module {
  memref.global "private" constant @table : memref<4xf32> = dense<0.0>
  func.func private @outside(memref<4xf32>)
  func.func @seen(%a: memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    func.call @helper(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
    return
  } loc("a":1:2)  // behind

  // about the next one
  func.func private @helper(%a: memref<4xf32>, %b: memref<4xf32>) {
    memref.dealloc %a : memref<4xf32>
    "use"(%b) {text = "}{{"} : (memref<4xf32>) -> ()  // { in a comment
    return
  }
  func.func @caller(%a: memref<4xf32>) {
    func.call @helper(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    return
  }
"""
OTHERS = "".join(
    f"""\
  func.func @other_{number}() {{
    %a = memref.alloc() : memref<4xf32>
    func.call @outside(%a) : (memref<4xf32>) -> ()
    return
  }}
"""
    for number in range(14)
)
WHOLE = f"{PROGRAM}{OTHERS}}}\n"


LOWERED_ONES = "".join(
    f"""\
  llvm.func {words}@lowered_{number}(%n: i64) {{
    %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    {f"llvm.call @lowered_{number // 2}(%n) : (i64) -> ()" if number else ""}
    llvm.return
  }}
"""
    for number, words in enumerate(("", "private ", "internal ", "linkonce_odr hidden ", "private fastcc ") * 3)
)
LOWERED = f"""\
module {{
  // no func.func but
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.mlir.global internal constant @table() : !llvm.ptr<func<void ()>>
{LOWERED_ONES}}}
"""


def said(findings: Iterator[Finding] | tuple[Finding, ...]) -> list[object]:
    """Findings as they are shown."""
    return [(one.rule.name, one.severity, one.function, repr(one.report)) for one in findings]


def seen(source: str, place: int, checker: Checker | None = None) -> Glimpse | None:
    """What is found first where somebody looks at one place."""
    return glimpse(source, Span(place, place), checker or Checker(), CONFIG)


def agrees(source: str, chosen: random.Random, count: int = 4) -> int:
    """Assert that what is found first, of some functions in view, is right; of how many something is found first."""
    functions = excerpt.functions_of(source) or []
    if len(functions) < 2:
        return 0
    whole = check(source, CONFIG).findings
    given = 0
    for function in chosen.sample(functions, min(count, len(functions))):
        checker = Checker()
        found = seen(source, function.start + 1, checker)
        if found is not None:
            given += 1
            there = (one for one in whole if function.start <= one.report.span.start < function.end)
            assert said(found.findings) == said(there)
            document = Document(source, CONFIG.models, known=found.pieces())
            assert said(checker.results(document, CONFIG).findings) == said(whole)
    return given


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """An excerpt may be as long as the text."""
    monkeypatch.setattr(excerpt, "MIN_EXCERPT_RATIO", 0)


def test_programs_that_are_measured() -> None:
    assert agrees(many(12), random.Random(1), 12) > 4


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
def test_a_private_function_with_callers_and_all_else_that_stands_between() -> None:
    assert agrees(WHOLE, random.Random(1), 17) == 16, "all but @helper: of an op that it has something is said once"
    ends = WHOLE.replace("\n", "\r\n")
    assert agrees(ends, random.Random(1), 4) > 2


@pytest.mark.usefixtures("any_size")
def test_functions_lowered_to_llvm() -> None:
    assert agrees(LOWERED, random.Random(1), 15) == 15
    assert any(finding.rule.name == "leak" for finding in check(LOWERED).findings)


@pytest.mark.parametrize("other", ["func.func @g() {", "llvm.func extra @g() {", "gpu.func @g() {", "func @g() {"])
def test_functions_of_other_kinds(other: str) -> None:
    last = LOWERED.rindex("llvm.func")
    written = LOWERED[last : LOWERED.index("{", last) + 1]
    assert excerpt.functions_of(LOWERED)
    assert excerpt.functions_of(LOWERED.replace(written, other)) is None


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
def test_the_cases(shared: Path) -> None:
    paths = sorted((shared / "cases").rglob("*.mlir"))
    assert sum(agrees(path.read_text("utf-8"), random.Random(1), 1) for path in paths[::6]) > 10


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
def test_texts_of_other_projects(shared: Path) -> None:
    corpus = shared / "corpus"
    if not corpus.is_dir():
        pytest.skip("no corpus in the shared material")
    given = 0
    for path in sorted(corpus.rglob("*.mlir"))[::3]:
        try:
            given += agrees(path.read_text("utf-8"), random.Random(1), 2)
        except UnicodeDecodeError:
            continue
    assert given > 50


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
def test_damaged_texts() -> None:
    chosen = random.Random(1)
    given = 0
    for _ in range(40):
        source = WHOLE
        for _ in range(chosen.choice((1, 1, 2, 3))):
            at = chosen.randrange(len(source))
            gone = chosen.choice((0, 0, 1, 5, 40, 200))
            brace = source.find(chosen.choice("{}"), at)
            at, gone = (brace, 1) if brace >= 0 and chosen.random() < 0.3 else (at, gone)
            come = chosen.choice(
                ("", "", "{", "}", "\n}\n", "\n  }\n", "(", '"', "//", "\n", "\nfunc.func @f() {\n", " @")
            )
            source = source[:at] + come + source[at + gone :]
        given += agrees(source, chosen, 2)
    assert given > 10


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a function in generic form", WHOLE.replace("func.func @other_7()", '"func.func"() ({ })  // func.func @()')),
        ("one with a bare name", WHOLE.replace("func.func @other_7", "func @other_7")),
        ("one of another dialect", WHOLE.replace("func.func @other_7", "llvm.func @other_7")),
        ("one of old", WHOLE.replace("func.func @other_7", "mlfunc @other_7")),
        ("one that stands elsewhere", WHOLE.replace("  func.func @other_7", "func.func @other_7")),
        ("one behind something else", WHOLE.replace("  func.func @other_7", "  } func.func @other_7")),
        ("one whose name is a string", WHOLE.replace("@other_7", '@"other 7"')),
        ("a brace too many", WHOLE.replace("  }\n  func.func @other_7", "  }}\n  func.func @other_7")),
        ("a brace that is missing in it", WHOLE.replace("@other_7() {", "@other_7()")),
        ("a carriage return alone", WHOLE.replace("\n  func.func @other_7", "\r  func.func @other_7")),
        ("resources in front", "{-#\n#-}\n" + WHOLE),
        ("a named sequence", WHOLE + "transform.named_sequence @x() { }\n"),
        ("a problem of reading in view", WHOLE.replace("@helper(%a, %b)", "@helper(%a, %nothing)")),
        ("a problem in what is called", WHOLE.replace("dealloc %a", "dealloc %nothing")),
        ("what is said once", WHOLE.replace("return", "memref.strange %a : memref<4xf32>\n    return")),
    ],
)  # fmt: skip
def test_nothing_is_said_where_all_has_to_be_read(what: str, text: str) -> None:
    assert seen(WHOLE, WHOLE.index("@seen")) is not None
    assert seen(text, text.index("@seen")) is None, what


def test_nothing_is_said_of_what_is_no_function_and_where_much_is_needed() -> None:
    assert seen(WHOLE, 0) is None
    assert seen(f"{PROGRAM}}}\n", WHOLE.index("@seen")) is None
    assert glimpse(WHOLE, Span(0, len(WHOLE)), Checker(), CONFIG) is None


def test_what_was_found_out_first_is_not_found_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[str] = []

    def noted(program: Program, flow: FunctionFlow, recall: Recall | None = None) -> FunctionFacts:
        analysed.append(flow.name)
        return analyse(program, flow, recall)

    monkeypatch.setattr(checked_section, "analyse", noted)
    checker = Checker()
    found = seen(WHOLE, WHOLE.index("@seen"), checker)
    assert found is not None
    assert analysed == ["seen"]
    document = Document(WHOLE, CONFIG.models, known=found.pieces())
    same = [piece for piece in document.pieces if piece in found.document.pieces]
    assert sum(piece.sort is Sort.FUNCTION for piece in same) == 2
    checker.results(document, CONFIG)
    assert sorted(analysed) == sorted({*analysed})


@pytest.fixture
def any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts are long."""
    monkeypatch.setattr(snapshot, "MIN_PARTIAL_TEXT", 0)


def opened(source: str, view: Span | None, shown: list[tuple[Finding, ...]]) -> File:
    """A document that was opened, of which `shown` gets what is found first."""
    file = File("file:///w/a.mlir", 1, (source,), CONFIG)
    file.view.span, file.show = view, shown.append
    return file


@pytest.mark.usefixtures("any_length")
def test_what_is_in_view_is_shown_before_the_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Finding, ...]] = []
    place = WHOLE.index("@other_7")
    before: list[int] = []
    read = File._read  # pyright: ignore[reportPrivateUsage] -- when it happens is what is tested
    monkeypatch.setattr(File, "_read", lambda file: (before.append(len(shown)), read(file))[1])  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] -- as above
    file = opened(WHOLE, Span(place, place), shown)
    assert said(file.parts.findings) == said(check(WHOLE, CONFIG).findings)
    assert before == [1]
    assert [one.function for one in shown[0]] == ["other_7"]
    file.look(Span(place, place))
    assert len(shown) == 1, "all is known"


@pytest.mark.slow
@pytest.mark.usefixtures("any_length")
def test_who_has_not_said_what_is_seen_is_shown_it_on_saying_so(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Finding, ...]] = []
    function = "func.func @f{}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n"
    source = "".join(function.format(number) for number in range(100))
    read = File._read  # pyright: ignore[reportPrivateUsage] -- when somebody looks is what is tested

    def looking(file: File) -> Document:
        assert shown == []
        file.look(Span(len(source) // 2, len(source) // 2))
        assert shown == [], "that is not what was looked at"
        file.look(Span(0, 1000))
        assert len(shown) == 1
        return read(file)

    monkeypatch.setattr(File, "_read", looking)
    file = opened(source, None, shown)
    assert said(file.parts.findings) == said(check(source, CONFIG).findings)


@pytest.mark.usefixtures("any_length")
def test_an_edit_while_somebody_looks_is_shown_nothing_of_the_text_before(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Finding, ...]] = []
    later: list[tuple[Finding, ...]] = []
    place = WHOLE.index("@other_7")
    file = opened(WHOLE, Span(place, place), shown)
    after = file.edited(2, (f"// new\n{WHOLE}",), CONFIG, (Edit(Span(0, 0), "// new\n"),))

    def typed(source: str, view: Span, checker: Checker, config: Config) -> Glimpse | None:
        after.show = later.append
        return glimpse(source, view, checker, config)

    monkeypatch.setattr("memlane.query.viewport_first.glimpse", typed)
    assert file.parts.findings
    assert (len(shown), later) == (1, []), "its places are those of the text it was found in"


@pytest.mark.usefixtures("any_length")
def test_a_version_that_was_edited_before_any_was_read_is_shown_as_well() -> None:
    shown: list[tuple[Finding, ...]] = []
    place = WHOLE.index("@other_7")
    edited = WHOLE[:place] + "@other_x" + WHOLE[place + len("@other_7") :]
    file = opened(WHOLE, Span(place, place), shown)
    after = file.edited(2, (edited,), CONFIG, (Edit(Span(place, place + len("@other_7")), "@other_x"),))
    after.show = shown.append
    assert said(after.parts.findings) == said(check(edited, CONFIG).findings)
    assert [one.function for one in shown[0]] == ["other_x"]


def test_of_a_short_text_all_is_shown_at_once() -> None:
    shown: list[tuple[Finding, ...]] = []
    assert opened(WHOLE, Span(0, len(PROGRAM) // 2), shown).parts.findings
    assert shown == []


def test_who_is_called_internal_or_private_is_not_for_that() -> None:
    """What is in view needs no callers for calling functions of such names."""
    called = "".join(
        f"func.func @{name}_{n}() {{\n  return\n}}\n" for n in range(40) for name in ("internal", "private")
    )
    seen = (
        "func.func @seen() {\n  func.call @internal_1() : () -> ()\n  func.call @private_2() : () -> ()\n  return\n}\n"
    )
    callers = "".join(f"func.func @caller_{n}() {{\n  func.call @seen() : () -> ()\n  return\n}}\n" for n in range(40))
    found = excerpt.excerpt(called + seen + callers, Span(len(called) + 30, len(called) + 40))
    assert found is not None
    assert "@seen()" in found.text
    assert "@internal_1()" in found.text
    assert "@caller_" not in found.text
    private = called + seen.replace("func.func @", "llvm.func internal @").replace("func.func", "llvm.func") + callers
    found = excerpt.excerpt(private.replace("func.func", "llvm.func"), Span(len(called) + 40, len(called) + 50))
    assert found is None or "@caller_1()" in found.text
