"""An editor in a terminal, as a person sees it and types into it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from editor_bench import Bench

ESCAPES = re.compile(r"\x1b(?:\[[?\d;:>]*[A-Za-z]|[()][A-Z0-9]|[=>])")


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

    def until(self, wanted: str, again: str = "") -> str:
        """What is drawn until `wanted` is, blanks run together.

        Args:
            again: keys that are typed from time to time till then: at first a program may take no notice of them.
        """
        drawn, deadline = "", time.monotonic() + 600
        while wanted not in (shown := re.sub(r"\s+", " ", ESCAPES.sub(" ", drawn))):
            assert time.monotonic() < deadline, f"{wanted!r} not in {shown[-2000:]!r}"
            ready, _, _ = select.select([self.descriptor], [], [], 5 if again else 1)
            if again and not ready:
                self.send(again)
            if ready:
                drawn += os.read(self.descriptor, 65536).decode("utf-8", "replace")
        return shown

    def close(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)
