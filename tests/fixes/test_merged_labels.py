"""Fixes that make up the same labels are made together all the same."""

from __future__ import annotations

import pytest

from memlane.checking import Checked, check, check_document
from memlane.config import Config
from memlane.findings import Applicability, Edit, Fix, Span
from memlane.fixes import fix_all, text_versions
from memlane.fixes.merging import merged
from memlane.query import Checker
from memlane.syntax import Document
from memlane.text import Text
from tests.fixes.test_growing import lost_on_one_edge, undeclared
from tests.hostile.test_growth_of_checks import late_or_lost


def _fix(place: int, content: str) -> Fix:
    return Fix("Do it", (Edit(Span(place, place), content),), Applicability.SAFE)


@pytest.mark.parametrize(
    ("first", "second", "renamed"),
    [
        ("^free1:\n", "br ^free1\n^free1:\n", "br ^free2\n^free2:\n"),
        ("^free9:\n", "^free9:\n", "^free1:\n"),
        ("^old %new", "^old %new", "^old %new"),
        ("^free1:\n", "^free10:\n", "^free10:\n"),
    ],
)
def test_labels_that_several_make_up_are_told_apart(first: str, second: str, renamed: str) -> None:
    fixes = [("f", _fix(1, first)), ("f", _fix(2, second))]
    assert [edit.content for edit in merged("^old:", fixes)] == [renamed, first]


def test_labels_of_other_functions_are_others() -> None:
    fixes = [("f", _fix(1, "^free1:\n")), ("g", _fix(2, "^free1:\n"))]
    assert [edit.content for edit in merged("", fixes)] == ["^free1:\n", "^free1:\n"]


def test_a_third_takes_no_name_of_those_before() -> None:
    fixes = [("f", _fix(place, "^free1:\n")) for place in (1, 2, 3)]
    assert [edit.content for edit in merged("^free2:\n", fixes)] == ["^free4:\n", "^free3:\n", "^free1:\n"]


def test_what_several_declare_is_declared_once() -> None:
    declared = check(fix_all(undeclared(3)))
    assert declared.findings == ()
    assert declared.text.source.count("llvm.func @free(!llvm.ptr)\n") == 1


def test_new_blocks_of_one_function_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []

    def counting(text: Text, document: Document, checker: Checker, config: Config) -> Checked:
        checks.append(text.source)
        return check_document(text, document, checker, config)

    monkeypatch.setattr(text_versions, "check_document", counting)
    text = late_or_lost(6)
    repaired = check(fix_all(text))
    assert repaired.findings == ()
    assert checks == [text, repaired.text.source]
    repaired = check(fix_all(lost_on_one_edge(6)))
    assert repaired.findings == ()
    assert repaired.text.source.count("^free") == 2
    assert len(checks) == 4
