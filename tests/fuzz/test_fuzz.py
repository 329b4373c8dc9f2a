"""A bounded run with a fixed seed: nothing raises, hangs, or says what makes no sense. Longer with `MEMLANE_FULL=1`."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from memlane.syntax import Document
from memlane.syntax.editing import document
from memlane.syntax.lines.memo import Memo
from tests.effort import FULL
from tests.fuzz.__main__ import SHOWN, Tally
from tests.fuzz.inputs import KINDS, text
from tests.fuzz.run import OTHERS, ROOT, Job, do, jobs
from tests.fuzz.targets import TARGETS

FAST = ("scan", "read", "tree")
QUICK = [*jobs(seed=7, count=12, targets=FAST), *jobs(seed=7, count=2, targets=["solver", *OTHERS])]
COSTLY = ("fixes", "renderers", "editor")
"""Targets that check a text again and again: some ten seconds an input."""
SLOW = [
    *jobs(seed=8, count=60 if FULL else 4, targets=FAST),
    *jobs(seed=8, count=8 if FULL else 1, targets=[name for name in TARGETS if name not in (*FAST, *COSTLY)]),
    *jobs(seed=26, count=8 if FULL else 1, targets=COSTLY),
    *jobs(seed=8, count=25 if FULL else 10, targets=["configuration", "messages"]),
]


def groups(all_jobs: list[Job]) -> list[list[Job]]:
    """The jobs by target and kind: a test each."""
    found: dict[tuple[str, str], list[Job]] = {}
    for job in all_jobs:
        found.setdefault((job.target, job.kind), []).append(job)
    return list(found.values())


def name(group: list[Job]) -> str:
    """What a test is called."""
    return f"{group[0].target}-{group[0].kind}"


@pytest.mark.slow
@pytest.mark.parametrize("group", groups(QUICK), ids=name)
def test_some_inputs(group: list[Job]) -> None:
    logging.disable(logging.CRITICAL)
    try:
        for job in group:
            do(job)
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.slow
@pytest.mark.parametrize("group", groups(SLOW), ids=name)
def test_many_inputs(group: list[Job]) -> None:
    test_some_inputs(group)


def test_inputs_are_the_same_everywhere() -> None:
    """A failure of one machine can be made again on another."""
    for kind in KINDS:
        assert [text(kind, 1, number) for number in range(3)] == [text(kind, 1, number) for number in range(3)]


def test_a_failure_shows_what_is_wrong_before_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    """However long the text is that it is about."""
    try:
        raise AssertionError("this differs", "x" * 100_000)
    except AssertionError as error:
        Tally().failed(Job("tree", "bytes", 1, 2), error)
    out = capsys.readouterr().out
    assert out.startswith("FAILED --again tree bytes 1 2\n")
    assert 'raise AssertionError("this differs"' in out
    assert "AssertionError: ('this differs', 'xxx" in out
    assert len(out) < 2 * SHOWN + 100


def test_what_is_remembered_of_shapes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files were read: a table that is full starts afresh, and nothing depends on it."""
    small = Memo(limit=50)
    monkeypatch.setattr(document, "_memo", small)
    for number in range(40):
        source = text("tokens", 3, number)
        first = [piece.text for piece in Document(source).pieces]
        assert first == [piece.text for piece in Document(source).pieces]
        tables = (small.lines, small.shapes, small.statements, small.templates, small.insides)
        assert all(len(table) <= small.limit + 1 for table in tables)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["read", "tree"])
def test_inputs_guided_by_coverage(target: str) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed (it has no wheel for every system)")
    command = [sys.executable, "-m", "tests.fuzz.coverage", target, "-runs=1500", "-seed=1", "-max_len=300"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0 and "DONE" in done.stderr, done.stderr[-3000:]
