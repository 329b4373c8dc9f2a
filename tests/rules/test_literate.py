"""All literate `.mlir` files, and the harness itself: it must fail where it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from literate import mismatches

TESTS = Path(__file__).resolve().parent.parent
FILES = sorted(path for folder in ("rules", "flow") for path in (TESTS / folder).rglob("*.mlir"))

LEAK = """func.func @f() {
  %a = memref.alloc() : memref<4xf32>COMMENT
  return
}
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_file(path: Path) -> None:
    assert mismatches(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "comment",
    [
        "  // expected-warning {{never freed}}",
        "  // expected-warning [leak] {{never freed}}",
        "  // expected-warning [leak] {{%a}} some words",
        "\n  // expected-warning @above {{never freed}}",
        "\n\n  // expected-warning @-2 {{never freed}}",
        "\n  // expected-warning@-1 {{never freed}}",
    ],
)
def test_expected_and_found(comment: str) -> None:
    assert mismatches(LEAK.replace("COMMENT", comment)) == []


def test_expected_below() -> None:
    assert mismatches("// expected-warning @+2 {{never}}\n" + LEAK.replace("COMMENT", "")) == []
    two = LEAK.replace("  %a", "  // expected-warning @below {{never}}\n  %a").replace("COMMENT", "")
    assert mismatches(two) == []


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("", "does not say so"),
        ("", "not expected: warning [leak]"),
        ("  // expected-nothing", "not expected: warning [leak]"),
        ("  // expected-error {{never freed}}", "not found: error"),
        ("  // expected-warning [double-free] {{never freed}}", "not found: warning [double-free]"),
        ("  // expected-warning {{freed twice}}", "not found: warning {{freed twice}}"),
        ("  // expected-warning @below {{never freed}}", "not found"),
        ("  // expected-warning {{never freed}} expected-warning {{never freed}}", "not found"),
        ("  // expected-warning {{never freed}} expected-nothing", "and expects something"),
        ("  // expected-warning {never freed}", "malformed"),
        ("  // expected-warnin {{never freed}}", "malformed"),
        ("  // expected-warning {{}}", "malformed"),
        ("  // expected-warning @over {{never freed}}", "malformed"),
    ],
)
def test_disagreement(comment: str, complaint: str) -> None:
    assert complaint in "\n".join(mismatches(LEAK.replace("COMMENT", comment)))


def test_notes_are_matched_both_ways_once_one_is_expected() -> None:
    both = LEAK.replace("COMMENT", "  // expected-warning {{never}}").replace(
        "return", "return  // expected-note {{lost here}}"
    )
    assert mismatches(both) == []
    wrong = both.replace("lost here", "found again")
    assert len(mismatches(wrong)) == 2


def test_config() -> None:
    assert mismatches('// config: ignore=["leak"]\n// expected-nothing\n' + LEAK.replace("COMMENT", "")) == []
