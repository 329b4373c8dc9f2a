"""Real programs that were run under a counting allocator: what leaked, what a dropped or a doubled free did."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from memlane.checking import check
from tests.upstream.pipeline import CORPUS

TRUTH = CORPUS / "truth"
pytestmark = pytest.mark.skipif(not TRUTH.is_dir(), reason=f"the corpus is not at {CORPUS}")


def facts(name: str) -> list[dict[str, Any]]:
    return json.loads((TRUTH / f"{name}.json").read_text()) if TRUTH.is_dir() else []


@cache
def rules(source: str) -> Counter[str]:
    return Counter(finding.rule.name for finding in check(source).findings)


def text(path: str) -> str:
    return (CORPUS / path).read_text(encoding="utf-8", errors="replace")


RUN = [fact for fact in facts("dynamic_functions") if not fact["after_bufferization"] and fact["allocated"]]
"""Functions that allocated something; the others lost their allocations to canonicalization before they ran."""


@pytest.mark.slow
@pytest.mark.parametrize("fact", RUN, ids=lambda fact: f"{fact['path'].rpartition('/')[2]}-{fact['func']}")
def test_what_leaked_is_found(fact: dict[str, Any]) -> None:
    found = rules(text(fact["path"]))
    if fact["leaked"]:
        assert found["leak"] + found["possible-leak"]


@pytest.mark.slow
@pytest.mark.parametrize("fact", RUN, ids=lambda fact: f"{fact['path'].rpartition('/')[2]}-{fact['func']}")
def test_what_did_not_leak_is_not_reported(fact: dict[str, Any]) -> None:
    checked = check(text(fact["path"]))
    always = [
        finding
        for finding in checked.findings
        if finding.rule.name == "leak"
        and finding.function == fact["func"]
        and not fact["leaked"]
        # A file may hold several functions of the name, in chunks of their own.
        and fact["line"] <= checked.text.position(finding.report.span.start).line + 1 < fact["line"] + 10
    ]
    assert always == []


MUTANTS = [fact for fact in facts("mutants") if fact["leaked"] or fact["double_free"]]
"""Without those in functions that the program's entry does not reach."""


@pytest.mark.slow
@pytest.mark.parametrize("fact", MUTANTS, ids=lambda f: f"{f['path'].rpartition('/')[2]}-{f['line']}-{f['kind']}")
def test_planted_faults_are_found(fact: dict[str, Any]) -> None:
    source = text(fact["path"])
    lines = source.split("\n")
    at = fact["line"] - 1
    dropped = fact["kind"] == "drop"
    mutant = lines[:at] + lines[at + 1 :] if dropped else [*lines[: at + 1], *lines[at:]]
    new = rules("\n".join(mutant)) - rules(source)
    kind = "leak" if dropped else "double-free"
    assert new
    assert set(new) <= {kind, f"possible-{kind}"}


def test_there_was_something_to_compare() -> None:
    assert (len(RUN), len(MUTANTS)) > (150, 100)
