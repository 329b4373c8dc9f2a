"""Helix, in a terminal, from a fresh profile with the configuration of docs/editors/helix.md and nothing else."""

from __future__ import annotations

import os
import shutil

import pytest
from editor_bench import Bench, documented, newer
from terminal_screen import Screen

from memlane.checking import check


def helix(bench: Bench) -> list[str]:
    """How to start Helix; the test is skipped where there is none."""
    for name in ("hx", "helix"):
        path = shutil.which(name)
        if path is not None:
            return [path]
    return newer("hx")


@pytest.mark.slow
def test_a_leaking_file_shows_its_finding_until_it_is_repaired(bench: Bench) -> None:
    command = helix(bench)
    (bench.home / "config" / "helix").mkdir(parents=True)
    bench.write("config/helix/languages.toml", documented("helix.md", "languages.toml"))
    screen = Screen([*command, bench.program.name], bench)
    screen.until("●")  # beside the line
    screen.send("]d")
    screen.until("never freed")
    screen.send(" a")
    screen.until("Free %lost")
    screen.send("\r")
    screen.until("dealloc %lost")  # only what changes is drawn
    screen.send(":wq\r")
    os.waitpid(screen.pid, 0)
    os.close(screen.descriptor)
    text = bench.program.read_text()
    assert "memref.dealloc %lost : memref<?xf32>" in text
    assert check(text).findings == ()
