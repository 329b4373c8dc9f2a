"""The worker: jobs are shared, stopped when unwanted, and outlive neither their worker's death nor the server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from memlane.config import Config, load_config
from memlane.ide.portraits import Order
from memlane.snapshot import File
from memlane_server.heavy import Heavy, WorkerFailed

T = TypeVar("T")

SOURCE = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n"
ALLOCS = "".join(f"  %b{n} = memref.alloc() : memref<{n + 1}xf32>\n" for n in range(900))
FREES = "".join(f"    memref.dealloc %b{n} : memref<{n + 1}xf32>\n" for n in range(900))
SLOW = f"func.func @slow(%c: i1) {{\n{ALLOCS}  scf.if %c {{\n{FREES}  }}\n  return\n}}\n"
"""Takes seconds to measure."""


def ordered(source: str, config: Config | None = None) -> tuple[File, Order]:
    file = File("file:///a.mlir", 1, (source,), config or Config())
    return file, file.portraits.order(file, file.functions[0])


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


def peak(file: File, order: Order) -> int | None:
    known = file.portraits.known(order, file.config)
    assert known is not None
    assert known[0] is not None
    return known[0].peak.number


def test_what_the_worker_finds_is_kept() -> None:
    async def work() -> None:
        finished: list[bool] = []
        heavy = Heavy(lambda: finished.append(True))
        file, order = ordered(SOURCE)
        await asyncio.gather(*(heavy.measure(file, order) for _ in range(3)))
        await heavy.measure(file, order)
        assert (peak(file, order), finished) == (16, [True])
        await heavy.stop()

    run(work())


def test_each_job_has_its_configuration(tmp_path: Path) -> None:
    described = tmp_path / "memlane.toml"
    described.write_text('[op."npu.get"]\nalloc = [{ result = 0, resource = "heap" }]\n')

    async def work() -> None:
        heavy = Heavy()
        source = 'func.func @f() {\n  %a = "npu.get"() : () -> memref<4xf32>\n  return\n}\n'
        for config, wanted in ((Config(), 0), (load_config(described)[0], 16), (Config(), 0)):
            file, order = ordered(source, config)
            await heavy.measure(file, order)
            assert peak(file, order) == wanted
        await heavy.stop()

    run(work())


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """The first one ends at once, the second one works."""
    mark = tmp_path / "tried"
    program = (
        f"import pathlib, sys; mark = pathlib.Path({str(mark)!r})\n"
        "if not mark.exists(): mark.touch(); sys.exit(3)\n"
        "from memlane_server.worker import main; main()"
    )

    async def work() -> None:
        heavy = Heavy(command=(sys.executable, "-c", program))
        file, order = ordered(SOURCE)
        with pytest.raises(WorkerFailed, match="ended with 3"):
            await heavy.measure(file, order)
        await heavy.measure(file, order)
        assert peak(file, order) == 16
        await heavy.stop()

    run(work())


def test_a_job_that_nobody_wants_gives_way() -> None:
    async def work() -> None:
        heavy = Heavy()
        slow, unwanted = ordered(SLOW)
        waiting = asyncio.create_task(heavy.measure(slow, unwanted))
        await asyncio.sleep(0.5)
        waiting.cancel()
        file, order = ordered(SOURCE)
        await heavy.measure(file, order)
        assert peak(file, order) == 16
        assert slow.portraits.known(unwanted, slow.config) is None, "it was not stopped"
        await heavy.stop()

    run(work())


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
        await heavy.stop()

    run(work())
