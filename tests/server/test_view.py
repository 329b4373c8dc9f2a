"""What is looked at is analysed first; its findings are told before the others of a long document are known."""

from __future__ import annotations

from memlane.config import Config
from memlane.findings import Span
from memlane.query import Checker
from memlane.query.findings_store import Parts
from memlane.query.limits import MIN_LEFT
from memlane.query.viewport import Viewport
from memlane.syntax import Document

FUNCTION = "func.func @f{}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n"
COUNT = 3 * MIN_LEFT
TEXT = "".join(FUNCTION.format(number) for number in range(COUNT))
HERE = TEXT.index("@f40()")


def told(text: str, view: Viewport) -> list[list[str | None]]:
    """The functions of the findings that are told while a text is checked."""
    found: list[list[str | None]] = []

    def tell(parts: Parts) -> None:
        found.append([finding.function for finding in parts.findings])

    view.tell = tell
    Checker().results(Document(text, Config().models), Config(), view)
    return found


def test_what_is_in_view_is_told_first() -> None:
    end = TEXT.index("@f43()")
    assert told(TEXT, Viewport(Span(HERE, end))) == [["f40", "f41", "f42", "f43"]]


def test_nothing_is_told_where_nothing_is_looked_at_or_little_is_left() -> None:
    assert told(TEXT, Viewport()) == []
    assert told(TEXT, Viewport(Span(0, len(TEXT)))) == []
    assert told(TEXT[: TEXT.index(f"func.func @f{MIN_LEFT}()")], Viewport(Span(0, 0))) == []


def test_a_comment_is_not_called_unused_before_all_is_known() -> None:
    text = TEXT.replace("@f50() {", "@f50() {\n  // memlane: ignore[leak]")
    assert told(text, Viewport(Span(HERE, HERE))) == [["f40"]]
    found = Checker().results(Document(text, Config().models), Config(), Viewport(Span(HERE, HERE))).findings
    assert [finding.rule.name for finding in found] == ["leak"] * (COUNT - 1)


def test_what_is_said_once_is_told_where_it_stays() -> None:
    """Where another function may come first that has not been analysed yet, it is not told; nor after an edit."""
    config, text = Config(), TEXT.replace("  return", '  "my.op"(%a) : (memref<4xf32>) -> ()\n  return')
    names = {number: text.index(f"@f{number}()") for number in (0, 40)}
    document, checker = Document(text, config.models), Checker()
    partly: list[Parts] = []
    final = checker.results(document, config, Viewport(Span(names[40], names[40]), tell=partly.append)).findings
    assert "unknown-effects" in [finding.rule.name for finding in final]
    assert "unknown-effects" not in [finding.rule.name for finding in partly[0].findings]
    partly.clear()
    final = Checker().results(document, config, Viewport(Span(names[0], names[0]), tell=partly.append)).findings
    assert partly[0].findings == final[: len(partly[0].findings)]
    assert "unknown-effects" in [finding.rule.name for finding in partly[0].findings]
    edited = Document(text.replace("my.op", "my.other"), config.models)
    partly.clear()
    checker.results(edited, config, Viewport(Span(names[40], names[40]), tell=partly.append))
    assert "unknown-effects" not in [finding.rule.name for finding in partly[0].findings]


def test_the_order_makes_no_difference_to_what_is_found() -> None:
    document = Document(TEXT, Config().models)
    seen = Checker().results(document, Config(), Viewport(Span(HERE, HERE))).findings
    assert seen == Checker().results(document, Config()).findings


def test_an_edit_of_what_all_call_has_its_function_told_with_what_was_found_in_the_others() -> None:
    calls = TEXT.replace("  return", "  call @f0() : () -> ()\n  return").replace("call @f0", "return // call @f0", 1)
    config = Config()
    document, checker = Document(calls, config.models), Checker()
    checker.results(document, config)
    at = calls.index("  %a")
    edited = Document(calls[:at] + "  %b = memref.alloc() : memref<4xf32>\n" + calls[at:], config.models)
    found = Checker().results(edited, config).findings
    assert checker.results(edited, config, Viewport(Span(at, at))).findings == found
