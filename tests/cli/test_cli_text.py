"""Output for people: full, concise, grouped, statistics, the summary; colours, widths, hostile text."""

from __future__ import annotations

import io

import pytest
from findings_by_hand import hint, late, leak, outcome

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render import render
from memlane.cli.render.source_excerpt import Mark, excerpt
from memlane.cli.render.statistics import render_statistics
from memlane.cli.render.style import Style, style_for
from memlane.cli.render.summary import summary
from memlane.findings import Finding, Note, Report, Rule, Severity, Span
from memlane.text import Text

FULL = """\
warning[late-free]: buffer %a is held over 2 operations
 --> dir/f.mlir:6:3 in @f
  |
2 |   %a = memref.alloc(%n) : memref<?x5xf32>
  |        ------------ %a is allocated here
3 |   "use"(%a) : (memref<?x5xf32>) -> ()
  |   ----- last use
...
6 |   memref.dealloc %a : memref<?x5xf32>
  |   ^^^^^^^^^^^^^^
  |
  = fix: free it after its last use
  = help: https://memlane.readthedocs.io/en/latest/rules/late-free/

error[possible-leak]: buffer %数 is lost
 --> dir/f.mlir:7:8 in @f
  |
7 |   %数 = memref.alloc() : memref<256xf32>
  |         ^^^^^^^^^^^^
  |
  = help: https://memlane.readthedocs.io/en/latest/rules/possible-leak/

"""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_full() -> None:
    assert render("full", outcome(late(), leak()), Style()) == FULL


def test_concise() -> None:
    assert render("concise", outcome(late(), leak()), Style()) == (
        "dir/f.mlir:6:3: warning[late-free]: buffer %a is held over 2 operations\n"
        "dir/f.mlir:7:8: error[possible-leak]: buffer %数 is lost\n"
    )


def test_grouped() -> None:
    assert render("grouped", outcome(late(), leak()), Style()) == (
        "dir/f.mlir:\n"
        "  6:3 warning[late-free]: buffer %a is held over 2 operations\n"
        "  7:8 error[possible-leak]: buffer %数 is lost\n\n"
    )


def test_nothing_found_is_no_text() -> None:
    assert [render(form, outcome(), Style()) for form in ("full", "concise", "grouped", "json-lines")] == [""] * 4


def test_statistics() -> None:
    text = render_statistics(outcome(leak(), late(), late()), "full")
    assert text.splitlines() == [
        "2  late-free      a buffer is freed later than it could be",
        "1  possible-leak  a buffer is never freed on some path",
    ]


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([], "No findings in 1 file."),
        ([late()], "Found 1 warning in 1 file."),
        ([late(), late(), leak(), hint()], "Found 1 error, 2 warnings and 1 hint in 1 file."),
    ],
)
def test_summary(findings: list[Finding], said: str) -> None:
    assert summary(outcome(*findings), Style()) == said


@pytest.mark.parametrize(
    ("environment", "colour", "wanted"),
    [
        ({}, "auto", True),
        ({"NO_COLOR": "1"}, "auto", False),
        ({"NO_COLOR": ""}, "auto", True),
        ({"TERM": "dumb"}, "auto", False),
        ({"NO_COLOR": "1"}, "always", True),
        ({"FORCE_COLOR": "1"}, "never", False),
    ],
)
def test_colour_on_a_terminal(
    environment: dict[str, str], colour: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _environment(environment, monkeypatch)
    assert style_for(Terminal(), colour).colour is wanted


@pytest.mark.parametrize(("environment", "wanted"), [({}, False), ({"FORCE_COLOR": "1"}, True)])
def test_colour_in_a_pipe(environment: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    _environment(environment, monkeypatch)
    assert style_for(io.StringIO()).colour is wanted


def _environment(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def test_colour_changes_nothing_but_colour() -> None:
    import re

    coloured = render("full", outcome(late(), leak()), Style(colour=True))
    assert "\x1b[1;31merror[possible-leak]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == FULL


def drawn(source: str, *marks: Mark, columns: int = 60) -> list[str]:
    return excerpt(Text(source), marks, Style(columns=columns))


def test_long_lines_are_cut_around_the_mark() -> None:
    source = "x" * 1000 + "HERE" + "y" * 1_000_000
    lines = drawn(source, Mark(Span(1000, 1004), "", Severity.ERROR))
    assert all(len(line) <= 60 for line in lines)
    start = lines[2].index("^")
    assert lines[1][start : start + 4] == "HERE"
    assert lines[2].strip(" |") == "^^^^"
    assert lines[1].count("…") == 2


def test_marks_outside_the_cut_are_still_told() -> None:
    source = "a" * 500 + "b" * 500
    lines = drawn(source, Mark(Span(0, 3), "", Severity.ERROR), Mark(Span(900, 903), "far away"))
    assert lines[3].endswith("- far away")


def test_a_place_of_several_lines_is_marked_in_its_first() -> None:
    lines = drawn("op {\n  inner\n}\n", Mark(Span(0, 14), "", Severity.ERROR))
    assert lines == ["  |", "1 | op {", "  | ^^^^", "  |"]


def test_a_place_at_the_end_of_the_text() -> None:
    assert drawn("op", Mark(Span(2, 2), "here", Severity.ERROR)) == ["  |", "1 | op", "  |   ^ here", "  |"]
    assert drawn("", Mark(Span(0, 0), "here", Severity.ERROR)) == ["  |", "1 |", "  | ^ here", "  |"]


def test_text_cannot_command_the_terminal() -> None:
    lines = drawn("\t\x1b[31mop\x07\u202e", Mark(Span(6, 8), "\x1b]0;x\x07", Severity.ERROR))
    assert "\x1b" not in "".join(lines)
    assert lines[1] == "1 |     ␛[31mop␇\N{REPLACEMENT CHARACTER}"
    assert lines[2].startswith("  |          ^^ ␛]0;x␇")


def test_lines_between_are_left_out() -> None:
    source = "a\nb\nc\nd\ne\nf\n"
    lines = drawn(source, Mark(Span(0, 1), ""), Mark(Span(4, 5), ""), Mark(Span(10, 11), "", Severity.ERROR))
    assert [line for line in lines if "-" not in line and "^" not in line and not line.endswith("|")] == [
        "1 | a",
        "2 | b",
        "3 | c",
        "...",
        "6 | f",
    ]


def test_steps_that_go_back_are_numbered() -> None:
    text = Text("a\nb\nc\n")
    rule = Rule("r", Severity.ERROR, "r")
    notes = (Note("last", Span(2, 3)), Note("first", Span(0, 1)))
    finding = Finding(rule, Severity.ERROR, Report("m", Span(4, 5), notes=notes), None)
    shown = render("full", CheckOutcome((CheckedFile("f", text, (finding,)),)), Style())
    assert "- 1. last" in shown
    assert "- 2. first" in shown


def test_a_step_that_repeats_is_shown_once() -> None:
    again, last = Note("again", Span(0, 1)), Note("last", Span(2, 3))
    finding = Finding(
        Rule("r", Severity.ERROR, "r"), Severity.ERROR, Report("m", Span(4, 5), notes=(again, again, again, last)), None
    )
    shown = render("full", CheckOutcome((CheckedFile("f", Text("a\nb\nc\n"), (finding,)),)), Style())
    assert "- 1-3. again\n" in shown
    assert "- 4. last\n" in shown
