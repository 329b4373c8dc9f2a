"""Signs of progress: on a terminal, in a log, and not at all."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import pytest

from memlane.cli.progress import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def watched(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, seconds: float, quiet: bool = False) -> str:
    """What four items show that take so many seconds each."""
    now = [0.0]

    def work() -> Iterator[int]:
        for item in range(4):
            now[0] += seconds
            yield item

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert list(progress(work(), 4, stream, quiet)) == [0, 1, 2, 3]
    return stream.getvalue()


def test_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = watched(Terminal(), monkeypatch, 0.6)
    assert shown.startswith("\r\x1b[K[############            ] 2 of 4 files")
    assert shown.endswith("\r\x1b[K"), "leaves no trace"


def test_log(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(io.StringIO(), monkeypatch, 6) == "memlane: 2 of 4 files\nmemlane: 4 of 4 files\n"


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(Terminal(), monkeypatch, 0.1) == ""
    assert watched(io.StringIO(), monkeypatch, 1) == ""


def test_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(Terminal(), monkeypatch, 60, quiet=True) == ""


def test_what_there_is_to_do_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, now = Terminal(), iter([0.0, 2.0, 2.0, 2.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    assert list(progress("ab", 2, stream, quiet=False, what="functions")) == ["a", "b"]
    assert "] 1 of 2 functions" in stream.getvalue()
