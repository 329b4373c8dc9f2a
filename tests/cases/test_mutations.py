"""Faults planted into clean programs, one at a time: each is found, at its buffer, and nothing else changes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from memlane.checking import Checked, check
from memlane.findings import Finding
from tests.cases.truth import FOLDER

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the measured programs are not at {FOLDER}")

PROGRAMS = sorted((FOLDER / "clean").glob("*.mlir"))
DEALLOC = re.compile(r"\s*memref\.dealloc (%[\w$.]+)")
ADVICE = ("information", "hint")


def reached_deallocs(path: Path) -> Iterator[tuple[int, str]]:
    """Indices of lines with a deallocation that some path executes, and the name that is freed."""
    facts: list[dict[str, Any]] = json.loads(path.with_suffix(".json").read_text())
    lines = path.read_text().split("\n")
    for fact in facts:
        if fact["kind"] == "dealloc" and fact["op"] == "memref.dealloc" and fact["double_free"] == "never":
            index: int = fact["line"] - 1
            match = DEALLOC.match(lines[index])
            if match is not None and fact["frees_argument"] == "never":
                yield index, match[1]


def findings(checked: Checked) -> Counter[tuple[str, str]]:
    """What is found, by rule and text of the line: lines move, their text does not."""
    return Counter((f.rule.name, _line(checked, f)) for f in checked.findings if f.severity.value not in ADVICE)


def _line(checked: Checked, finding: Finding) -> str:
    return checked.text.line(checked.text.position(finding.report.span.start).line).strip()


def changes(path: Path, mutant: list[str]) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    before, after = findings(check(path.read_text())), findings(check("\n".join(mutant)))
    return after - before, before - after


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_deleted_dealloc_is_a_leak(path: Path) -> None:
    lines = path.read_text().split("\n")
    for index, _ in reached_deallocs(path):
        new, gone = changes(path, lines[:index] + lines[index + 1 :])
        assert new, lines[index]
        assert {rule for rule, _ in new} <= {"leak", "possible-leak"}
        assert {rule for rule, _ in gone} <= {"late-free"}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_doubled_dealloc_is_a_double_free(path: Path) -> None:
    lines = path.read_text().split("\n")
    for index, name in reached_deallocs(path):
        new, gone = changes(path, lines[: index + 1] + lines[index:])
        assert [rule for rule, _ in new.elements()] == ["double-free"], (index, new)
        assert all(f"dealloc {name} " in line for _, line in new)
        assert {rule for rule, _ in gone} <= {"late-free"}  # when it should be freed is another question then


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_dealloc_before_a_use_is_a_use_after_free(path: Path) -> None:
    lines = path.read_text().split("\n")
    for index, name in reached_deallocs(path):
        use = f"memref.copy {name}, {name} : {_type(lines[index])} to {_type(lines[index])}"
        new, gone = changes(path, [*lines[: index + 1], use, *lines[index + 1 :]])
        # The new operation stands between other buffers' last uses and their deallocations, too.
        assert [(rule, line) for rule, line in new.elements() if rule != "late-free"] == [("use-after-free", use)]
        assert {rule for rule, _ in gone} <= {"late-free"}


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_dealloc_after_other_work_is_late(path: Path) -> None:
    lines = path.read_text().split("\n")
    for index, _ in reached_deallocs(path):
        work = ["%before = memref.alloc() : memref<4096xi8>", "memref.dealloc %before : memref<4096xi8>"]
        mutant = [*lines[:index], *work, *lines[index:]]
        new, gone = changes(path, mutant)
        assert ("late-free", lines[index].strip()) in findings(check("\n".join(mutant)))
        # Deallocations that follow directly are as late as this one.
        together = {line.strip() for line in takewhile(DEALLOC.match, lines[index:])}
        assert {rule for rule, _ in new} <= {"late-free"}
        assert {line for _, line in new} <= together
        assert not gone


def _type(dealloc: str) -> str:
    return dealloc.partition(" : ")[2].strip()
