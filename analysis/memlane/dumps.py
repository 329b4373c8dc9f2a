"""The dumps in what `mlir-opt --mlir-print-ir-after-all` (and its kin) prints, one at a time.

A log is read line by line and never held: a dump is what stands between two headers, without the diagnostics that
are mixed in. Headers say which pass it was; what is dumped may be a module or any other operation. With
`--mlir-print-ir-tree-dir` each dump is a file, in a folder of the operation it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memlane.lazy import regex
from memlane.limits import MAX_BYTES_READ
from memlane.read_file import lines, too_large

_HEADER = regex(
    r"\s*//\s*-----//\s*IR Dump (?P<when>Before|After)\s+(?P<name>\S.*?)(?P<failed>\s+Failed)?\s*//-----\s*//"
)
_ARGUMENT = regex(r"^(?P<name>.*?)\s*\((?P<argument>[^()']*)\)\s*(?P<rest>.*)$")
_ANONYMOUS = "(anonymous namespace)::"
_DIAGNOSTIC = regex(r"^\S.*:\d+:\d+: (?:error|warning|note|remark): |^<unknown>:0: (?:error|warning|note|remark): ")
_CARET = regex(r"^\s*\^\s*$")
_NUMBERED = regex(r"(\d+(?:_\d+)*)_")
_OUTSIDE = regex(r"^(?:Pass Manager with|\s*\.\.\. Pass execution timing|===-{5,}|  Total Execution Time)")


class Dump(NamedTuple):
    """One dump.

    Args:
        title: `After Canonicalizer`, `Before CSE`.
        argument: the pass as pipelines name it (`canonicalize`), or empty.
        failed: the pass failed.
        line: of the header, 1-based.
        text: the IR.
        position: bytes read so far.
        file: of those that were printed into a folder, the one in which it is.
    """

    title: str
    argument: str
    failed: bool
    line: int
    text: str
    position: int
    file: str = ""

    @property
    def before(self) -> bool:
        """Whether it shows what a pass was given."""
        return self.title.startswith("Before ")


def files_of(folder: Path) -> list[Path]:
    """The dumps that were printed into a folder, in the order of passes.

    A name begins with the number of its pass among those of the operation, behind those of the operations around it:
    `0_2_cse.mlir` is of the third pass of what the first of a module runs on its functions.
    """
    # Devices and pipes may never end; opening a link that leads nowhere reports that.
    there = (path for path in folder.rglob("*.mlir") if path.is_file() or not path.exists())
    found = ((_NUMBERED.match(path.name), path) for path in there)
    numbered = [(tuple(map(int, match[1].split("_"))), path) for match, path in found if match is not None]
    return [path for _, path in sorted(numbered)]


def dumps_of(files: Iterable[Path]) -> Iterator[Dump]:
    """The dumps of some files, one after the other. Raises `OSError` where one cannot be read."""
    position = 0
    for path in files:
        with path.open("rb") as log:
            for dump in dumps(lines(log)):
                yield dump._replace(position=position + dump.position, file=str(path))
        position += path.stat().st_size


def dump_count(text: str) -> int:
    """How many dumps a text has: several make it the log of a pipeline rather than one program."""
    return sum(_HEADER.match(line) is not None for line in text.split("\n") if "IR Dump" in line)


def dumps(log: Iterable[bytes]) -> Iterator[Dump]:
    """The dumps of a log. Text before the first header is not a dump; bytes that do not decode are replaced.

    Raises:
        OSError: a dump has more than `MAX_BYTES_READ` bytes.
    """
    header: tuple[str, str, bool, int] | None = None
    body: list[str] = []
    position, begun, skip = 0, 0, 0
    for number, raw in enumerate(log, 1):
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")  # a shell may have put a mark there
        match = _HEADER.match(line) if "IR Dump" in line else None
        if match is not None:
            if header is not None:
                yield Dump(*header, "".join(body), position)
            header, body, begun, skip = _header(match, number), [], position, 0
        elif header is not None:
            if position - begun > MAX_BYTES_READ:
                raise too_large(MAX_BYTES_READ)
            skip = _keep(line, body, skip)
        position += len(raw)
    if header is not None:
        yield Dump(*header, "".join(body), position)


def _header(match: re.Match[str], number: int) -> tuple[str, str, bool, int]:
    said = match["name"].strip().replace(_ANONYMOUS, "")
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
