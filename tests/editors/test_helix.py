"""Helix, in a terminal, from a fresh profile with the configuration of docs/editors/helix.md and nothing else."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import termios
import time

import pytest
from editor_bench import Bench, documented, newer

from memlane.checking import check

ESCAPES = re.compile(r"\x1b(?:\[[?\d;:>]*[A-Za-z]|[()][A-Z0-9]|[=>])")


def helix(bench: Bench) -> list[str]:
    """How to start Helix; the test is skipped where there is none."""
    for name in ("hx", "helix"):
        path = shutil.which(name)
        if path is not None:
            return [path]
    return newer("hx")


class Screen:
    """A terminal of 40 rows and 160 columns with a program in it."""

    def __init__(self, command: list[str], bench: Bench) -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(bench.home)
            os.execve(command[0], command, {**bench.environment, "TERM": "xterm-256color"})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))

    def send(self, keys: str) -> None:
        """Type."""
        os.write(self.descriptor, keys.encode())

    def until(self, wanted: str) -> str:
        """What is drawn until `wanted` is, blanks run together."""
        drawn, deadline = "", time.monotonic() + 600
        while wanted not in (shown := re.sub(r"\s+", " ", ESCAPES.sub(" ", drawn))):
            assert time.monotonic() < deadline, f"{wanted!r} not in {shown[-2000:]!r}"
            ready, _, _ = select.select([self.descriptor], [], [], 1)
            if ready:
                drawn += os.read(self.descriptor, 65536).decode("utf-8", "replace")
        return shown


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
