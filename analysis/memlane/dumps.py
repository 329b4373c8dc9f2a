"""The dumps in what `mlir-opt --mlir-print-ir-after-all` (and its kin) prints, one at a time.

A log is read line by line and never held: a dump is what stands between two headers, without the diagnostics that
are mixed in. Headers say which pass it was; what is dumped may be a module or any other operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_HEADER = re.compile(
    r"\s*//\s*-----//\s*IR Dump (?P<when>Before|After)\s+(?P<name>\S.*?)(?P<failed>\s+Failed)?\s*//-----\s*//"
)
_ARGUMENT = re.compile(r"^(?P<name>.*?)\s*\((?P<argument>[^()']*)\)\s*(?P<rest>.*)$")
_DIAGNOSTIC = re.compile(
    r"^\S.*:\d+:\d+: (?:error|warning|note|remark): |^<unknown>:0: (?:error|warning|note|remark): "
)
_CARET = re.compile(r"^\s*\^\s*$")
_OUTSIDE = re.compile(r"^(?:Pass Manager with|\s*\.\.\. Pass execution timing|===-{5,}|  Total Execution Time)")


@dataclass(frozen=True, slots=True)
class Dump:
    """One dump.

    Args:
        title: `After Canonicalizer`, `Before CSE`.
        argument: the pass as pipelines name it (`canonicalize`), or empty.
        failed: the pass failed.
        line: of the header, 1-based.
        text: the IR.
        position: bytes of the log read so far.
    """

    title: str
    argument: str
    failed: bool
    line: int
    text: str
    position: int

    @property
    def before(self) -> bool:
        """Whether it shows what a pass was given."""
        return self.title.startswith("Before ")


def dumps(lines: Iterable[bytes]) -> Iterator[Dump]:
    """The dumps of a log. What stands before the first header is none; what does not decode is replaced."""
    header: tuple[str, str, bool, int] | None = None
    body: list[str] = []
    position, skip = 0, 0
    for number, raw in enumerate(lines, 1):
        line = raw.decode("utf-8", "replace")
        match = _HEADER.match(line) if "IR Dump" in line else None
        if match is not None:
            if header is not None:
                yield Dump(*header, "".join(body), position)
            header, body, skip = _header(match, number), [], 0
        elif header is not None:
            skip = _keep(line, body, skip)
        position += len(raw)
    if header is not None:
        yield Dump(*header, "".join(body), position)


def _header(match: re.Match[str], number: int) -> tuple[str, str, bool, int]:
    said = match["name"].strip()
    parts = _ARGUMENT.match(said)
    name, argument = (parts["name"], parts["argument"]) if parts else (said.partition("(")[0].strip(), "")
    return f"{match['when']} {name}", argument, match["failed"] is not None, number


def _keep(line: str, body: list[str], skip: int) -> int:
    """Keep a line unless it is part of a diagnostic: its first line, or the source line and the caret below it."""
    if _DIAGNOSTIC.match(line) or _OUTSIDE.match(line):
        return 2
    if skip == 1 and _CARET.match(line):
        # The line before showed the source: it is no part of the dump.
        body.pop()
        return 0
    body.append(line)
    return max(0, skip - 1)
