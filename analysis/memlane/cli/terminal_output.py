"""What commands say. Names of files and what stands in them may come from anybody: no terminal obeys them."""

from __future__ import annotations

import json
import sys

from memlane.cli.render.style import visible
from memlane.lazy import regex

_OBEYED = regex("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON leaves as it is but terminals obey, and halves of characters, which are no text."""


def tell(message: str) -> None:
    """Say something on stderr, in one line."""
    print(f"memlane: {visible(message)}", file=sys.stderr, flush=True)


def json_text(value: object, indent: int | None = None) -> str:
    """`value` as JSON that may go to a terminal: letters of all scripts as they are, what is not shown escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _OBEYED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def lines_visible(text: str) -> str:
    """`text`, each line of it safe to print."""
    return "\n".join(map(visible, text.split("\n")))
