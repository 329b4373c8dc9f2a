"""Comments that silence findings: what they reach under edits, what is reported about them, how they are put in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.checking import Checked, check
from memlane.cli import main
from memlane.config import Config, load_config
from memlane.findings import Edit, Span
from memlane.fixes import apply, fix_all
from memlane.query import Checker
from memlane.suppressions import RULE, comments, ignoring
from memlane.syntax import Document

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = sorted((ROOT / "examples").glob("*.mlir")) + sorted((ROOT / "tests" / "rules").glob("*.mlir"))
LEAK = """\
func.func @f(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
"""


def said(checked: Checked) -> list[tuple[int, str]]:
    """Line (1-based) and rule of each finding."""
    return [(checked.text.position(f.report.span.start).line + 1, f.rule.name) for f in checked.findings]


def test_what_is_silenced_is_kept_with_the_reason() -> None:
    checked = check(LEAK.replace("memref<4xf32>\n", "memref<4xf32>  // memlane: ignore[leak]  why not \n", 1))
    assert said(checked) == []
    assert [(s.finding.rule.name, s.reason) for s in checked.suppressed] == [("leak", "why not")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    source = LEAK.replace("  %a", "  // memlane: ignore[leak]\n  %a").replace("\n", end)
    assert said(check(source)) == []
    source = LEAK.replace("memref<4xf32>\n", "memref<4xf32> // memlane: ignore[leak]\n", 1).replace("\n", end)
    assert said(check(source)) == []


def test_rules_that_are_off_are_not_judged() -> None:
    source = LEAK.replace("return", "return  // memlane: ignore[leak, late-free]")
    rules = ['select=["late-free", "unused-suppression"]', 'select=["unused-suppression"]', 'select=["leak"]']
    configs = [load_config(None, [rule])[0] for rule in rules]
    found = [said(check(source, config)) for config in configs]
    assert found == [[(4, RULE)], [], [(2, "leak")]]


def test_nothing_is_judged_where_the_text_cannot_be_read() -> None:
    source = LEAK.replace("return", "return  // memlane: ignore[late-free]")
    assert (4, RULE) in said(check(source))
    broken = "func.func @g() {\n  %c = arith.constant : :\n  return\n}\n"
    assert RULE not in [rule for _, rule in said(check(source + broken))]


UNUSED = """\
// memlane: ignore-file[use-after-free]
func.func @f(%x: f32, %i: index) {
  // memlane: off[late-free, double-free]
  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak, double-free] reason
  memref.store %x, %a[%i] : memref<4xf32>  // memlane: ignore[late-free]
  // memlane: on
  // memlane: on
  return  // words // memlane: ignore[leak, late-free] // more
}
"""
CLEANED = """\
func.func @f(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak] reason
  memref.store %x, %a[%i] : memref<4xf32>
  return  // words // more
}
"""


def test_the_fix_takes_out_what_is_not_needed() -> None:
    fixed = fix_all(UNUSED)
    assert fixed == CLEANED
    assert said(check(fixed)) == []
    assert fix_all(UNUSED.replace("\n", "\r\n")) == CLEANED.replace("\n", "\r\n")


def test_each_fix_alone_repairs_its_finding() -> None:
    checked = check(UNUSED)
    about = [finding for finding in checked.findings if finding.rule.name == RULE]
    assert len(about) == 6
    for finding in about:
        assert finding.report.fix is not None
        after = check(apply(UNUSED, finding.report.fix.edits))
        assert len(after.findings) == len(checked.findings) - 1


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_added_comments_silence_everything_and_change_nothing_else(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    config, _ = load_config(None, ['ignore=["unused-suppression"]'])
    before = check(source, config)
    after = check(apply(source, ignoring(before.text, before.findings, "known")), config)
    assert [f for f in after.findings if f.rule.name != "syntax"] == []
    assert len(after.suppressed) + len(after.findings) == len(before.suppressed) + len(before.findings)


COMMENTS = (
    *("// memlane: ignore[leak]", "// memlane: ignore[late-free] x", "// memlane: ignore-file[leak]"),
    *("// memlane: off[leak]", "// memlane: on[leak]", "// memlane: on", "// words", "", '"', "// -----"),
)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 14), st.booleans(), st.sampled_from(COMMENTS)), min_size=1, max_size=8))
def test_incremental_equals_from_scratch(steps: list[tuple[int, bool, str]]) -> None:
    config, checker = Config(), Checker()
    document = Document(LEAK + LEAK.replace("@f", "@g") + LEAK.replace("@f", "@h"), config.models)
    checker.results(document, config)
    for line, behind, comment in steps:
        lines = document.source.split("\n")
        at = sum(len(one) + 1 for one in lines[:line]) + (len(lines[line]) if behind else 0)
        document = document.edit([Edit(Span(at, at), f"  {comment}" if behind else f"{comment}\n")])
        results, scratch = checker.results(document, config), check(document.source, config)
        assert (results.findings, results.suppressed) == (scratch.findings, scratch.suppressed)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leak.mlir"
    file.write_text(LEAK, encoding="utf-8")
    assert main(["check", "--isolated", "--add-ignore", "--diff", str(file)]) == 1
    assert "+  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak]\n" in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == LEAK
    assert main(["check", "--isolated", "--add-ignore", "--reason", "not ours", str(file)]) == 0
    assert capsys.readouterr().out == "No findings in 1 file; 1 is silenced by comments.\n"
    assert file.read_text(encoding="utf-8") == LEAK.replace(
        "memref<4xf32>\n", "memref<4xf32>  // memlane: ignore[leak] not ours\n", 1
    )
    assert main(["check", "--isolated", "--output-format", "sarif", str(file)]) == 0
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert (result["ruleId"], result["suppressions"]) == ("leak", [{"kind": "inSource", "justification": "not ours"}])


def test_a_comment_of_somebody_else_is_left_alone() -> None:
    source = LEAK.replace("memref<4xf32>\n", "memref<4xf32>  // CHECK: alloc\n", 1)
    checked = check(source)
    after = apply(source, ignoring(checked.text, checked.findings))
    assert after == source.replace("  %a", "  // memlane: ignore[leak]\n  %a", 1)


def test_rules_join_the_comment_that_is_there() -> None:
    source = LEAK.replace("memref<4xf32>\n", "memref<4xf32>  // memlane: ignore[late-free] why\n", 1)
    checked = check(source)
    wanted = [finding for finding in checked.findings if finding.rule.name == "leak"]
    assert "// memlane: ignore[late-free, leak] why\n" in apply(source, ignoring(checked.text, wanted))


READ: dict[str, list[str]] = {
    "// memlane: ignore[leak]": ["ignore leak|"],
    "x // memlane: ignore [ leak , late-free ]  a  b  ": ["ignore leak late-free|a  b"],
    "// see https://x.y // memlane: off[leak] https://x.y // z": ["off leak|https://x.y"],
    "//memlane:ignore[leak]//memlane:on": ["ignore leak|", "on|"],
    '"// memlane: ignore[leak]"': [],
    '"a" "\\" // memlane: ignore[leak]" // memlane: on': ["on|"],
    "// memlane: assume %n = 3": [],
    "// memlane: looks right": [],
    "/ / memlane: ignore[leak]": [],
}
"""Lines, and the comments in them: word and rules, reason."""


@pytest.mark.parametrize("line", READ)
def test_what_is_a_comment(line: str) -> None:
    read = [
        " ".join([comment.word.value, *(entry.pattern for entry in comment.entries)]) + f"|{comment.reason}"
        for comment in comments(f"first\n  {line}\nlast")
        if comment.word is not None
    ]
    assert read == READ[line]


def test_what_is_off_is_off() -> None:
    source = "// memlane: off[leak]\n// memlane: off[leak]\n" + LEAK + "// memlane: on\n// memlane: on\n"
    assert said(check(source)) == [(2, RULE), (9, RULE)]
    assert fix_all(source) == "// memlane: off[leak]\n" + LEAK + "// memlane: on\n"
