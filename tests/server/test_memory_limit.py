"""The ceiling of memory: looked at while work is under way. Caches go first, then the largest piece of work.

Through the client of raw bytes: requests wait while the server runs out of memory, and says on stderr what it does."""

from __future__ import annotations

import asyncio
import gc
import os
import struct
import sys
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from ctypes import Array, c_char
from pathlib import Path
from typing import Any

import pytest
from client import HERE, REAL, Client, Json
from lsprotocol import types

from memlane_server import memory_limit, rss
from memlane_server.limits import MAX_KEPT_TEXT
from memlane_server.memory_limit import Watch
from memlane_server.session import Session
from memlane_server.settings import Settings
from memlane_server.size_limit import MEGABYTE

URI = "file:///w/a.mlir"
OTHER = "file:///w/b.mlir"
LEAK = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
LARGE = LEAK + "// " + "x" * 1_200_000 + "\n"
SMALLER = LEAK + "// " + "x" * 1_050_000 + "\n"
TINY = {"initializationOptions": {"memlane": {"memoryLimit": 1}}}
SAID = "not analysed: that takes more memory than the 1 MB of the setting `memoryLimit`"
FAR = 10**12

needs_reading = pytest.mark.skipif(sys.platform != "linux", reason="needs the memory that a process has now")


def codes(client: Client, uri: str, version: int) -> list[str]:
    return [one["code"] for one in client.diagnostics(uri, version)]


def hovered(client: Client) -> object:
    return client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 3}})


@pytest.mark.slow
@needs_reading
def test_what_takes_too_much_is_not_analysed_until_it_shrinks_or_the_limit_changes() -> None:
    """It is told of once; other documents live on."""
    with Client(REAL, **TINY) as client:
        client.open(URI, LARGE)
        (note,) = client.diagnostics(URI, 1)
        assert (note["code"], note["message"], note["severity"]) == ("analysis-limit", SAID, 3)
        client.open(OTHER, LEAK)
        assert codes(client, OTHER, 1) == ["leak"]
        at = {"line": 3, "character": 1}
        client.write(client.change(URI, 2, {"range": {"start": at, "end": at}, "text": " "}))
        assert hovered(client) is None
        assert [one["params"]["message"] for one in client.notifications("window/showMessage")] == [f"a.mlir: {SAID}"]
        assert len(client.published(URI)) == 1
        client.write(client.change(URI, 3, {"text": LEAK}))
        assert codes(client, URI, 3) == ["leak"]
        assert hovered(client) is not None
        client.write(client.change(URI, 4, {"text": LARGE}))
        assert codes(client, URI, 4) == ["analysis-limit"]
        client.notify("workspace/didChangeConfiguration", {"settings": {"memlane": {"memoryLimit": 0}}})
        client.wait("findings", lambda: client.published(URI)[-1]["diagnostics"][0]["code"] == "leak")


@pytest.mark.slow
@needs_reading
def test_clients_that_ask_are_told() -> None:
    with Client(REAL, **TINY) as client:
        client.open(URI, LARGE)
        report = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert [one["message"] for one in report["items"]] == [SAID]


def metered(reading: Path, more: str = "") -> list[str]:
    """The fake server, which reads from a file how many bytes of memory it uses. `more`: what it does first."""
    code = (
        "import pathlib, runpy; import memlane_server.rss as resident\n"
        f"resident.resident = lambda: int(pathlib.Path({str(reading)!r}).read_text())\n{more}"
        f"runpy.run_path({str(HERE / 'fake_server.py')!r}, run_name='__main__')"
    )
    return [sys.executable, "-c", code]


def write(reading: Path, used: int) -> None:
    """Say how much is used; in one step."""
    fresh = reading.with_suffix(".new")
    fresh.write_text(str(used))
    os.replace(fresh, reading)


@contextmanager
def analysing(reading: Path, more: str = "") -> Generator[Client, None, None]:
    """A server in the middle of the analysis of a large document; there is room for it, by the file `reading`."""
    write(reading, MEGABYTE)
    with Client(metered(reading, more)) as client:
        client.open(URI, "HOLD " + LARGE)
        client.await_stderr("began")
        yield client


@pytest.mark.slow
def test_work_under_way_is_given_up(tmp_path: Path) -> None:
    """A request that waits for it is answered, and so are those about others."""
    with analysing(tmp_path / "reading") as client:
        range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        asked: Json = {"textDocument": {"uri": URI}, "range": range_, "context": {"diagnostics": []}}
        waiting = client.send("textDocument/codeAction", asked)
        write(tmp_path / "reading", FAR)
        client.await_stderr("stopped")
        (note,) = client.diagnostics(URI, 1)
        assert note["message"] == SAID.replace(" 1 MB", " 2,000 MB")
        client.reply(waiting)
        client.open(OTHER, "LEAK")
        assert codes(client, OTHER, 1) == ["leak"]
        client.write(client.change(URI, 2, {"text": "LEAK"}))
        assert codes(client, URI, 2) == ["leak"]
        assert "not analysed: that takes more memory" in client.stderr()


@pytest.mark.slow
def test_a_request_under_way_does_not_begin_the_work_again(tmp_path: Path) -> None:
    """It notes what is seen while the document is given up: nobody would stop what it began then."""
    looked = tmp_path / "looked"
    slow = (
        "import sys, time; import memlane_server.client_view as viewing\n"
        "def look(*_):\n    print('looks', file=sys.stderr, flush=True)\n"
        f"    while not pathlib.Path({str(looked)!r}).exists(): time.sleep(0.01)\n"
        "viewing.look = look\n"
    )
    with analysing(tmp_path / "reading", slow) as client:
        range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        asked: Json = {"textDocument": {"uri": URI}, "range": range_, "context": {"diagnostics": []}}
        waiting = client.send("textDocument/codeAction", asked)
        client.await_stderr("looks")
        write(tmp_path / "reading", FAR)
        client.await_stderr("stopped")
        looked.touch()
        assert client.reply(waiting)["error"]["code"] == types.LSPErrorCodes.ContentModified.value
        assert client.stderr().count("began") == 1


@pytest.mark.slow
def test_clients_that_ask_ask_again(tmp_path: Path) -> None:
    with analysing(tmp_path / "reading") as client:
        waiting = client.send("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        client.await_stderr("began", 2)  # for the request: the server's own check is stopped, as the client asks
        write(tmp_path / "reading", FAR)
        client.await_stderr("stopped", 2)
        assert client.reply(waiting)["error"]["data"] == {"retriggerRequest": True}
        report = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert [one["code"] for one in report["items"]] == ["analysis-limit"]


@pytest.mark.slow
def test_what_is_being_worked_out_is_not_forgotten(tmp_path: Path) -> None:
    """Room is made while a small document is checked: of others. Its findings are published all the same."""
    reading, opened = tmp_path / "reading", tmp_path / "opened"
    write(reading, FAR)
    with Client([*metered(reading), "--log-level", "info"]) as client:
        client.open(OTHER, "LEAK")
        client.diagnostics(OTHER, 1)
        client.open(URI, f"HOLD<{opened}> LEAK")
        client.await_stderr("began")
        before = client.stderr().count("evicted")
        client.request("textDocument/foldingRange", {"textDocument": {"uri": OTHER}})  # has it read where it was not
        client.await_stderr("evicted", before + 1)
        opened.touch()
        assert codes(client, URI, 1) == ["leak"]


class Machine:
    """A server without one: documents of some sizes (in characters), and how much is used, as the test says."""

    def __init__(self, **sizes: int) -> None:
        self.session = Session(settings=Settings(memory_limit=100))
        for name, size in sizes.items():
            self.session.open(name, 1, LEAK + "/" * (size - len(LEAK)))
        self.at_work: set[str] = set()
        self.stopping: set[str] = set()
        self.stopped: list[str] = []
        self.used = 0
        self.watch = Watch(self.session, self, self.give_up, lambda: self.used * MEGABYTE)

    def give_up(self, uri: str) -> None:
        self.stopped.append(uri)
        self.session.give_up(uri)

    def known(self) -> set[str]:
        return {file.uri for file in self.session.files() if not file.blank}


@pytest.mark.slow
def test_the_largest_is_given_up_first_and_waited_for() -> None:
    machine = Machine(a=MAX_KEPT_TEXT + 10, b=MAX_KEPT_TEXT + 20, c=MAX_KEPT_TEXT)
    machine.at_work, machine.used = {"a", "b", "c"}, 101
    machine.watch.look()
    machine.watch.look()
    assert machine.stopped == ["b"]  # which goes on until its next poll
    machine.at_work.discard("b")
    looks = ticks(machine, 3)
    assert next(looks) == ["b", "a"]
    machine.at_work.discard("a")
    assert next(looks) == ["b", "a"]  # what is left is too small to be given up
    machine.used = 50
    assert next(looks) == ["b", "a"]


@pytest.mark.slow
def test_what_is_analysed_again_is_given_up_again_once_the_work_before_has_stopped() -> None:
    machine = Machine(a=3 * MAX_KEPT_TEXT)
    machine.at_work, machine.used = {"a"}, 101
    machine.watch.look()
    machine.session.change("a", 2, [types.TextDocumentContentChangeWholeDocument("/" * 2 * MAX_KEPT_TEXT)])
    machine.stopping = {"a"}
    machine.watch.look()
    assert machine.stopped == ["a"]
    machine.stopping = set()
    machine.watch.look()
    assert machine.stopped == ["a", "a"]


def ticks(machine: Machine, count: int) -> Iterator[list[str]]:
    """What has been given up after each of some looks."""

    async def tick() -> None:
        machine.watch._rung()  # pyright: ignore[reportPrivateUsage] -- what the timer calls

    for _ in range(count):
        asyncio.run(tick())
        yield list(machine.stopped)


@pytest.mark.slow
def test_near_the_ceiling_others_are_forgotten_and_nothing_is_given_up() -> None:
    machine = Machine(idle=100, busy=2 * MAX_KEPT_TEXT)
    for file in machine.session.files():
        _ = file.document
    machine.at_work, machine.used = {"busy"}, 91
    machine.watch.look()
    assert machine.known() == {"busy"}
    assert not machine.stopped


@pytest.mark.slow
def test_a_document_that_comes_is_begun_anew_before_it_is_given_up() -> None:
    """What is known of its versions before may be what takes the memory."""
    machine = Machine(a=2 * MAX_KEPT_TEXT)
    _ = [file.document for file in machine.session.files()]
    readings = iter([101] * 5 + [50] * 5)
    machine.watch = Watch(machine.session, machine, machine.give_up, lambda: next(readings) * MEGABYTE)
    machine.watch.look("a")
    assert not machine.known()
    assert not machine.stopped
    machine.watch = Watch(machine.session, machine, machine.give_up, lambda: FAR)
    machine.watch.look("a")
    assert machine.stopped == ["a"]


def test_garbage_is_looked_for_again_as_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each look: what was not garbage a moment ago is none now."""
    machine = Machine(a=MAX_KEPT_TEXT)
    machine.at_work, machine.used = {"a"}, 101
    collected: list[int] = []
    monkeypatch.setattr(memory_limit, "collect", lambda: collected.append(machine.used))
    for used in (101, 105, 110, 112, 120, 121):
        machine.used = used
        machine.watch.look()
    assert collected == [101, 112]
    machine.at_work = set()
    _ = [*ticks(machine, 1)]
    machine.at_work = {"a"}
    machine.watch.look()
    assert collected == [101, 112, 121]


@pytest.mark.slow
def test_what_is_forgotten_is_free_also_where_it_was_there_for_long() -> None:
    machine = Machine(a=100)
    (known,) = [weakref.ref(file.document) for file in machine.session.files()]
    gc.collect()
    gc.freeze()
    assert memory_limit.make_room(machine.session, 1, lambda: FAR) == 1
    assert known() is None


@needs_reading
def test_memory_is_what_the_process_has_now() -> None:
    before = rss.resident()
    block = bytearray(b"x" * 50_000_000)
    during = rss.resident()
    assert during - before > 40_000_000 < len(block)
    del block
    assert during - rss.resident() > 40_000_000


class Handle:
    """GetCurrentProcess of kernel32."""

    restype: Any = None

    def __call__(self) -> int:
        """The process itself."""
        return -1


class MemoryInfo:
    """K32GetProcessMemoryInfo of kernel32."""

    argtypes: Any = None

    def __init__(self, told: bool) -> None:
        self._told = told

    def __call__(self, process: int, info: Array[c_char], size: int) -> int:
        """Fill the structure: numbers of 32 and of 64 bits."""
        assert (process, size) == (-1, 72)
        struct.pack_into("<IIQQ", info, 0, 72, 5, 333_000, 222_000)
        return int(self._told)


class System:
    """Libraries of other systems, as their headers describe them."""

    def __init__(self, told: bool = True) -> None:
        self.GetCurrentProcess = Handle()
        self.K32GetProcessMemoryInfo = MemoryInfo(told)
        self._told = told

    def proc_pidinfo(self, process: int, flavour: int, argument: object, info: Array[c_char], size: int) -> int:
        """Of macOS' libproc: how many bytes it wrote."""
        assert (process, flavour, size) == (os.getpid(), 4, 96)
        struct.pack_into("<QQ", info, 0, 333_000, 222_000)
        return size if self._told else 0


@pytest.mark.skipif(sys.maxsize < 2**32 or sys.byteorder == "big", reason="the layout is that of common machines")
def test_other_systems_are_asked_as_their_headers_say() -> None:
    """They are not here: this holds the layout, not that they answer."""
    assert rss.of_macos(System()) == rss.of_windows(System()) == 222_000
    assert rss.of_macos(System(told=False)) == rss.of_windows(System(told=False)) == 0
