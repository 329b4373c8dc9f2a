"""How text looks on a terminal: colours and widths. Nothing here knows what the text says."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple, TextIO

from memlane.findings import Severity

CODES = {
    "bold": "1",
    "error": "1;31",
    "warning": "1;33",
    "information": "1;36",
    "hint": "1;32",
    "rail": "1;34",
    "dim": "2",
}
"""SGR parameters by role. The sixteen basic colours: the user's theme decides what they look like."""

UNBOUND = 160
"""Columns of text that goes to a file or a pipe: generated IR has lines of megabytes."""


class Style(NamedTuple):
    """Whether to colour, how many columns there are, and whether a terminal shows it."""

    colour: bool = False
    columns: int = UNBOUND
    terminal: bool = False

    def paint(self, role: str, text: str) -> str:
        """`text` in the colour of `role`, a key of `CODES`."""
        return f"\x1b[{CODES[role]}m{text}\x1b[0m" if self.colour and text else text

    def severity(self, severity: Severity, text: str) -> str:
        """`text` in the colour of a severity."""
        return self.paint(severity.value, text)


def style_for(stream: TextIO, colour: str = "auto") -> Style:
    """The style for text that goes to `stream`; `colour` is `auto`, `always` or `never`."""
    terminal = stream.isatty()
    wanted = colour == "always" or (colour == "auto" and _wanted(terminal))
    return Style(wanted, max(60, shutil.get_terminal_size().columns) if terminal else UNBOUND, terminal)


def _wanted(terminal: bool) -> bool:
    """What the environment says: https://no-color.org and https://force-color.org, then the kind of terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """`text` safe to print in one line: tabs as blanks, control characters as pictures of them."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _picture(character) for character in text)


def _picture(character: str) -> str:
    if character == "\t":
        return "    "
    return chr(0x2400 + ord(character)) if character < " " else "\N{REPLACEMENT CHARACTER}"


def width(text: str) -> int:
    """Columns that `text`, already `visible`, takes on a terminal."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # 20 ms of tables, for those who write 数 or ×

    return max(0, wcswidth(text))
