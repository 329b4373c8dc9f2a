"""The worker: jobs are shared, stopped when unwanted, and outlive neither their worker's death nor the server.

Through the client of raw bytes where the server is killed."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from client import PATIENCE, REAL, Client

from memlane.cancellation import Cancelled, Flag, cancellable, poll
from memlane.config import Config, load_config
from memlane.ide.profile_cache import Order, order_of
from memlane.ide.profile_cache import known as known_lanes
from memlane.ide.snapshot import File
from memlane_server import memory_limit
from memlane_server.limits import MIN_LIMIT
from memlane_server.rss import resident
from memlane_server.size_limit import MEGABYTE
from memlane_server.worker_client import Heavy, TooLarge, WorkerFailed

T = TypeVar("T")

SOURCE = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"


IMPORTING = (
    sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\nfrom memlane_server.worker import main; main()"
)  # fmt: skip
"""Starts a worker that finds this module, and so the classes below."""


@dataclass(frozen=True)
class Held:
    """Work that lasts until there is a file `opened` or nobody wants it; `began` has a file for each process at it."""

    began: Path
    opened: Path

    def run(self, _: Config) -> object:
        """Wait."""
        (self.began / str(os.getpid())).touch()
        while not self.opened.exists():
            poll()
            time.sleep(0.01)
        return "done"

    async def under_way(self) -> None:
        """Wait until a worker is at it."""
        while not any(self.began.iterdir()):
            await asyncio.sleep(0.01)


@dataclass(frozen=True)
class Growing:
    """Work that takes so many megabytes, and lasts until it is stopped, or where that is none is done at once."""

    megabytes: int

    def run(self, _: Config) -> int:
        """The process that does it."""
        blocks = [bytearray(b"x" * 1_000_000) for _ in range(self.megabytes)]
        while blocks:
            poll()
            time.sleep(0.01)
        return os.getpid()


@dataclass(frozen=True)
class Used:
    """Work that tells how much memory its process has."""

    def run(self, _: Config) -> int:
        """Bytes."""
        return resident()


@pytest.fixture
def held(tmp_path: Path) -> Held:
    (tmp_path / "began").mkdir()
    return Held(tmp_path / "began", tmp_path / "opened")


def ordered(source: str, config: Config | None = None) -> tuple[File, Order]:
    file = File("file:///a.mlir", 1, (source,), config or Config())
    return file, order_of(file, file.functions[0])


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


def peak(file: File, order: Order) -> int | None:
    known = known_lanes(file, order)
    assert known is not None
    assert known[0] is not None
    return known[0].peak.number


@pytest.mark.slow
def test_what_the_worker_finds_is_kept() -> None:
    async def work() -> None:
        finished: list[bool] = []
        heavy = Heavy(lambda: finished.append(True))
        file, order = ordered(SOURCE)
        await asyncio.gather(*(heavy.measure(file, order) for _ in range(3)))
        await heavy.measure(file, order)
        assert (peak(file, order), finished) == (16, [True])
        heavy.close()

    run(work())


UNKNOWN = 'func.func @f() {\n  %a = "npu.get"() : () -> memref<4xf32>\n  return\n}\n'


def described(folder: Path) -> Config:
    """A configuration that knows the operation in it."""
    path = folder / "memlane.toml"
    path.write_text('[op."npu.get"]\nalloc = [{ result = 0, resource = "heap" }]\n')
    return load_config(path)[0]


@pytest.mark.slow
def test_each_job_has_its_configuration(tmp_path: Path) -> None:
    async def work() -> None:
        heavy = Heavy()
        for config, wanted in ((Config(), 0), (described(tmp_path), 16), (Config(), 0)):
            file, order = ordered(UNKNOWN, config)
            await heavy.measure(file, order)
            assert peak(file, order) == wanted
        heavy.close()

    run(work())


@pytest.mark.slow
def test_who_asks_the_same_under_several_configurations_at_once_is_answered(tmp_path: Path) -> None:
    async def work() -> None:
        heavy = Heavy()
        asked = [ordered(UNKNOWN, config) for config in (Config(), described(tmp_path)) * 2]
        await asyncio.gather(*(heavy.measure(file, order) for file, order in asked))
        assert [peak(file, order) for file, order in asked] == [0, 16, 0, 16]
        heavy.close()

    run(work())


def dying(mark: Path, lives: int) -> tuple[str, ...]:
    """What starts a worker that ends at once, as often as `lives` says; the next one works."""
    program = (
        f"import pathlib, sys; mark = pathlib.Path({str(mark)!r})\n"
        "tries = len(mark.read_text()) if mark.exists() else 0\n"
        f"if tries < {lives}: mark.write_text('x' * (tries + 1)); sys.exit(3)\n"
        "from memlane_server.worker import main; main()"
    )
    return sys.executable, "-c", program


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Whoever waits for it does not notice."""

    async def work() -> None:
        heavy = Heavy(command=dying(tmp_path / "tried", 1))
        file, order = ordered(SOURCE)
        await heavy.measure(file, order)
        assert peak(file, order) == 16
        heavy.close()

    run(work())


@pytest.mark.slow
def test_work_that_kills_its_worker_again_fails(tmp_path: Path) -> None:
    async def work() -> None:
        heavy = Heavy(command=dying(tmp_path / "tried", 2))
        file, order = ordered(SOURCE)
        with pytest.raises(WorkerFailed, match="ended with 3"):
            await heavy.measure(file, order)
        await heavy.measure(file, order)
        assert peak(file, order) == 16
        heavy.close()

    run(work())


@pytest.mark.slow
def test_nothing_is_lost_when_the_worker_is_killed_in_the_middle(held: Held) -> None:
    async def work() -> None:
        heavy = Heavy(command=IMPORTING)
        others = [ordered(SOURCE.replace("4xf32", f"{4 * number}xf32")) for number in range(1, 4)]
        waiting = [asyncio.create_task(heavy.run(held, Config()))]
        waiting += [asyncio.create_task(heavy.measure(*one)) for one in others]
        await held.under_way()
        assert not any(task.done() for task in waiting)
        heavy.kill()
        held.opened.touch()
        found, *_ = await asyncio.gather(*waiting)
        assert found == "done"
        assert [peak(*one) for one in others] == [16, 32, 48]
        assert len(list(held.began.iterdir())) == 2
        heavy.close()

    run(work())


def test_a_worker_that_cannot_be_started() -> None:
    async def work() -> None:
        with pytest.raises(WorkerFailed, match="cannot be started"):
            await Heavy(command=("/nonexistent/python",)).measure(*ordered(SOURCE))

    run(work())


@pytest.mark.slow
def test_a_job_that_nobody_wants_gives_way(held: Held) -> None:
    async def work() -> None:
        heavy = Heavy(command=IMPORTING)
        waiting = asyncio.create_task(heavy.run(held, Config()))
        await held.under_way()
        waiting.cancel()
        file, order = ordered(SOURCE)
        await heavy.measure(file, order)  # it never comes to that unless the other is stopped
        assert peak(file, order) == 16
        assert len(list(held.began.iterdir())) == 1
        heavy.close()

    run(work())


class Patience(Flag):
    """A flag that is set at the hundredth look at it."""

    looks = 0

    def heed(self) -> None:
        """Count."""
        self.looks += 1
        if self.looks == 100:
            raise Cancelled


def test_measuring_can_be_stopped() -> None:
    allocs = "".join(f"  %b{n} = memref.alloc() : memref<{n + 1}xf32>\n" for n in range(60))
    frees = "".join(f"    memref.dealloc %b{n} : memref<{n + 1}xf32>\n" for n in range(60))
    _, order = ordered(f"func.func @slow(%c: i1) {{\n{allocs}  scf.if %c {{\n{frees}  }}\n  return\n}}\n")
    flag = Patience()
    flag.alert = True
    with pytest.raises(Cancelled), cancellable(flag):
        order.task.run(Config())


@pytest.mark.slow
def test_a_job_goes_on_while_no_other_is_wanted() -> None:
    async def work() -> None:
        finished = asyncio.Event()
        heavy = Heavy(finished.set)
        file, order = ordered(SOURCE)
        waiting = asyncio.create_task(heavy.measure(file, order))
        await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        waiting.cancel()
        await finished.wait()
        assert peak(file, order) == 16
        heavy.close()

    run(work())


@pytest.mark.slow
def test_who_gives_up_while_the_worker_starts_harms_nobody() -> None:
    """A keystroke does, and so does the end of the session, which waits for all that is under way.

    At whatever turn of the event loop: asyncio's own start of a process hung where it was given up at some of them.
    """

    async def work(turns: int) -> None:
        heavy = Heavy()
        file, order = ordered(SOURCE)
        waiting = asyncio.create_task(heavy.measure(file, order))
        for _ in range(turns):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        if turns == 1:
            await heavy.measure(file, order)
            assert peak(file, order) == 16
        heavy.close()

    for turns in range(1, 12):
        run(work(turns))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="no /proc to look for processes in")
def test_the_worker_ends_with_a_server_that_is_killed() -> None:
    with pytest.raises(_Killed), Client(REAL) as client:
        uri = "file:///w/a.mlir"
        client.open(uri, SOURCE)
        client.request("memlane/lanes", {"textDocument": {"uri": uri}})
        tasks = Path(f"/proc/{client.process.pid}/task").glob("*/children")
        [worker] = [int(number) for task in tasks for number in task.read_text().split()]
        client.process.kill()
        deadline = time.monotonic() + PATIENCE
        while _runs(worker):
            assert time.monotonic() < deadline, "the worker is still there"
            time.sleep(0.05)
        raise _Killed  # the client would ask the server to shut down


class _Killed(Exception):
    """The server is gone, as the test wants it."""


def _runs(process: int) -> bool:
    """Whether a process is there and not only waits for its parent to look at it."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # the second where it ends between opening and reading
        return False


@dataclass(frozen=True)
class Fails:
    """Work that raises."""

    def run(self, _: Config) -> object:
        """Raise."""
        raise LookupError("for a test")


@pytest.mark.slow
def test_where_work_failed_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        heavy = Heavy(command=IMPORTING)
        with pytest.raises(WorkerFailed, match="LookupError: for a test"):
            await heavy.run(Fails(), Config())
        heavy.close()

    with caplog.at_level("DEBUG", "memlane_server.worker_client"):
        run(work())
    assert 'raise LookupError("for a test")' in caplog.text


needs_reading = pytest.mark.skipif(not resident(), reason="this system does not tell how much memory a process has")


@pytest.mark.slow
@needs_reading
def test_work_that_takes_too_much_memory_is_stopped_and_its_memory_is_free() -> None:
    async def work() -> None:
        heavy = Heavy(command=IMPORTING, room=lambda: 250_000_000)
        worker = await heavy.run(Growing(0), Config())
        with pytest.raises(TooLarge):
            await heavy.run(Growing(300), Config())
        assert await heavy.run(Growing(0), Config()) == worker
        assert await heavy.run(Used(), Config()) < 250_000_000
        heavy.close()

    run(work())


@pytest.mark.slow
@needs_reading
def test_what_took_too_much_memory_is_tried_again_where_there_is_more() -> None:
    rooms = [250_000_000]

    async def again(heavy: Heavy, megabytes: int) -> object:
        result = heavy._result  # pyright: ignore[reportPrivateUsage] -- the work of `measure` takes little
        return await result(b"key", Growing(megabytes), Config(), lambda _: None)

    async def work() -> None:
        heavy = Heavy(command=IMPORTING, room=lambda: rooms[-1])
        with pytest.raises(TooLarge):
            await again(heavy, 300)
        with pytest.raises(TooLarge):
            await again(heavy, 0)  # nobody looks at what it would take now
        rooms.append(300_000_000)
        assert await again(heavy, 0)
        heavy.close()

    run(work())


def test_where_there_is_no_ceiling_nothing_is_stopped() -> None:
    assert memory_limit.room(0) == 0
    assert memory_limit.room(1000, lambda: 300 * MEGABYTE) == 700 * MEGABYTE
    assert memory_limit.room(1000, lambda: 2000 * MEGABYTE) == MIN_LIMIT
