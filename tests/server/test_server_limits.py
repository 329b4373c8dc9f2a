"""Where the server ends to take in, to look for and to remember: the last number of each, and what comes of more."""

from __future__ import annotations

import asyncio
import logging
import os
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from lsprotocol import types

from memlane.config import Config
from memlane_server import worker_client
from memlane_server.client_view import is_small
from memlane_server.server import MemlaneServer
from memlane_server.settings import Settings, parse_settings
from memlane_server.symbols import search
from memlane_server.transport import Frames, NoMessage, StrictFrames
from memlane_server.worker import Job, Reply
from memlane_server.worker_client import Heavy, TooLarge
from memlane_server.workspace import files

MESSAGE = b"Content-Length: 2\r\n\r\n{}"


@pytest.mark.parametrize(("lines", "seen"), [(0, True), (300, True), (301, False), (100_000, False)])
def test_a_request_for_many_lines_does_not_tell_what_is_in_view(lines: int, seen: bool) -> None:
    asked = types.Range(types.Position(10, 3), types.Position(10 + lines, 0))
    assert is_small(asked) == seen
    assert is_small(asked.start)


@pytest.mark.parametrize(("number", "taken"), [(2**31 - 1, True), (2**31, False)])
def test_the_largest_number_of_a_setting(number: int, taken: bool) -> None:
    said = [] if taken else [f"memlane.memoryLimit: expected an integer from 0 to 2147483647, found {number}"]
    assert parse_settings({"memoryLimit": number}) == (Settings(memory_limit=number) if taken else Settings(), said)


@pytest.mark.parametrize("transport", [Frames, StrictFrames])
def test_messages_follow_what_is_none(transport: type[Frames] | type[StrictFrames]) -> None:
    assert transport().feed(MESSAGE * 3) == [b"{}"] * 3


@pytest.mark.parametrize("count", [0, 32_767, 65_536, 65_537, 100_000, 5_000_000])
@pytest.mark.parametrize("cut", [1, 9, 16])
def test_a_line_that_never_ends_is_let_go_of(count: int, cut: int, caplog: pytest.LogCaptureFixture) -> None:
    """A header may begin at the end of one: it is read wherever it is cut, and nothing else is kept for long."""
    frames = Frames()
    tracemalloc.start()
    try:
        for start in range(0, count, 10_000):
            assert frames.feed(b"x" * min(10_000, count - start)) == []
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert max(held, most) < 400_000
    with caplog.at_level(logging.ERROR):
        assert [*frames.feed(MESSAGE[:cut]), *frames.feed(MESSAGE[cut:] + MESSAGE)] == [b"{}"] * 2
    assert [one.getMessage() for one in caplog.records] == [f"skipped {count} bytes that are no message"] * bool(count)


@pytest.mark.parametrize(("size", "read"), [(1024, True), (1025, False), (100_000, False)])
def test_a_header_is_seen_to_be_one_within_a_thousand_bytes(size: int, read: bool) -> None:
    rest = b"\r\nContent-Length: 2\r\n\r\n"
    data = b"Content-Type: ".ljust(size - len(rest), b"x") + rest + b"{}"
    if read:
        assert StrictFrames().feed(data) == [b"{}"]
        return
    with pytest.raises(NoMessage):
        StrictFrames().feed(data)
    frames = StrictFrames()
    assert frames.feed(data[:1023]) == []
    with pytest.raises(NoMessage):
        frames.feed(data[1023:1024])


@pytest.mark.parametrize(("waiting", "waits"), [([0], 0), ([32 << 20], 0), ([(32 << 20) + 1, 40 << 20, 32 << 20], 2)])
def test_a_client_that_does_not_read_is_waited_for(
    waiting: list[int], waits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    wire = MemlaneServer().wire
    unsent = iter(waiting)
    wire.unsent = lambda: next(unsent)
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        asyncio.run(wire.room())
    assert len(slept) == waits
    assert next(unsent, None) is None


def linked(folder: Path, count: int, text: str) -> None:
    """So many files of that text, in the order of their names."""
    first = folder / "0000000.mlir"
    first.write_text(text)
    for number in range(1, count):
        os.link(first, folder / f"{number:07}.mlir")


def found(folder: Path) -> list[str]:
    return [one.name for one in search("", [], [folder], "utf-16")]


@pytest.mark.parametrize(("before", "names"), [(4_999, ["@last"]), (5_000, [])])
def test_the_files_of_a_folder_that_are_searched_and_checked(before: int, names: list[str], tmp_path: Path) -> None:
    linked(tmp_path, before, "// nothing\n")
    (tmp_path / "last.mlir").write_text("func.func @last() {\n  return\n}\n")
    assert found(tmp_path) == names
    checked = [path.name for path, _ in files([tmp_path], set())]
    assert len(checked) == 5_000
    assert ("last.mlir" in checked) == bool(names)


@pytest.mark.parametrize(
    ("sizes", "names"),
    [
        ([10_000_000, 9_999_000, 900], ["@f0", "@f1", "@f2"]),
        ([10_000_000, 10_000_001, 900], ["@f0", "@f2"]),  # what is too large for the rest is left out
        ([10_000_000, 10_000_000, 900], ["@f0", "@f1"]),  # then nothing is left
        ([20_000_001, 900], ["@f1"]),
    ],
)
def test_the_text_of_a_folder_that_is_searched(sizes: list[int], names: list[str], tmp_path: Path) -> None:
    for number, size in enumerate(sizes):
        (tmp_path / f"{number}.mlir").write_text(f"func.func @f{number}() {{\n  return\n}}\n// ".ljust(size, "x"))
    assert found(tmp_path) == names


@pytest.mark.parametrize(("count", "shown"), [(1_000, 1_000), (1_001, 1_000), (3_000, 1_000)])
def test_the_symbols_of_an_answer(count: int, shown: int, tmp_path: Path) -> None:
    for name in "ab":
        symbols = "".join(f"func.func @{name}{number}() {{ return }}\n" for number in range(count // 2))
        (tmp_path / f"{name}.mlir").write_text(symbols + "func.func @odd() { return }\n" * (name == "b" and count % 2))
    assert len(found(tmp_path)) == shown


class Refusing:
    """Stands for a process in which all work takes too much memory. `asked` has the numbers of the jobs."""

    asked: list[int]

    def __init__(self, _: Sequence[str], received: Callable[[object], None], ended: Callable[[int], None]) -> None:
        self._received = received
        self.ended = ended

    def send(self, message: object) -> None:
        """Answer at once."""
        if isinstance(message, Job):
            self.asked.append(message.number)
            asyncio.get_running_loop().call_soon(self._received, Reply(message.number, too_large=True))


@pytest.mark.parametrize(("others", "again"), [(999, 0), (1_000, 1)])
def test_work_that_took_too_much_memory_is_not_tried_again(
    others: int, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until a thousand others did as well."""
    Refusing.asked = []
    monkeypatch.setattr(worker_client, "WorkerProcess", Refusing)

    async def work() -> None:
        heavy, config = Heavy(room=lambda: 250_000_000), Config()
        result = heavy._result  # pyright: ignore[reportPrivateUsage] -- the keys of `measure` are made of programs
        for number in (*range(others + 1), 0):
            with pytest.raises(TooLarge):
                await result(str(number).encode(), Work(), config, lambda _: None)

    asyncio.run(work())
    assert len(Refusing.asked) == others + 1 + again


class Work:
    """Nothing to do."""

    def run(self, _: Config) -> object:
        return None
