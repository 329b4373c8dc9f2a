"""The memory of a file by the lines of the program that it was made from: `loc("model.py":12:5)` behind allocations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from memlane.flow.symbolic.amounts import Amount, total
from memlane.format import expression, known, shown
from memlane.memory_report import Usage
from memlane.source_frames import SourceFrame
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class SourceSite:
    """A buffer: the function that makes it, its name and where that is."""

    function: str
    name: str
    start: int
    size: Amount | None


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """What one line of a source makes.

    Args:
        frame: the line; None: no location says.
        buffers: so many allocations.
        size: of those whose sizes are known; `unknown`: how many others there are.
        at_peak: of the buffers that live at the peak of their function.
        late: how many are freed late.
        sites: the buffers.
    """

    frame: SourceFrame | None
    buffers: int
    size: Amount
    unknown: int
    at_peak: Amount
    late: int
    sites: tuple[SourceSite, ...]

    @property
    def name(self) -> str:
        """`model.py:12`; `-` where no location says."""
        return str(self.frame) if self.frame is not None else "-"


def by_source(usages: Iterable[Usage], text: Text) -> list[SourceMemory]:
    """The memory of functions by source line, what takes most at the peaks first."""
    groups: dict[str, list[_Made]] = {}
    for one in usages:
        peaks = {origin.value: size for origin, size in one.peak.buffers}
        for site in one.sites:
            value = site.life.origin.value
            buffer = SourceSite(one.flow.name, value.name, value.span.start, site.size)
            made = _Made(text.frames.of_statement(value.span.start), buffer, peaks.get(value), bool(site.late))
            groups.setdefault(str(made.frame), []).append(made)
    found = [_together(group) for group in groups.values()]
    return sorted(found, key=lambda one: (-_bytes(one.at_peak), -_bytes(one.size), one.name))


def source_table(found: Iterable[SourceMemory], text: Text, sites: bool) -> Iterator[str]:
    """The rows of a table, with its head; `sites`: below each line of the source its buffers."""
    rows = [("source line", "at the peak", "in all", "buffers", "late")]
    for one in found:
        unknown = f" + {one.unknown} of unknown size" if one.unknown else ""
        late = str(one.late) if one.late else ""
        rows.append((one.name, shown((one.at_peak,)), f"{shown((one.size,))}{unknown}", str(one.buffers), late))
        for site in one.sites if sites else ():
            size = "?" if site.size is None else shown((site.size,))
            rows.append(
                (f"  @{site.function} {site.name}, line {text.position(site.start).line + 1}", "", size, "", "")
            )
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        said = "  ".join(f"{cell:>{size}}" for cell, size in zip(cells, width[1:], strict=True))
        yield f"  {name:{width[0]}}  {said}".rstrip()


def source_record(name: str, one: SourceMemory, text: Text) -> dict[str, Any]:
    """A source line of the file `name` as JSON."""
    frame = one.frame
    place = {"file": frame.path, "row": frame.line, "column": frame.column} if frame is not None else None
    return {
        "filename": name,
        "source": place,
        "buffers": one.buffers,
        "late": one.late,
        "bytes": known((one.size,)),
        "bytes_expr": expression((one.size,)),
        "unknown": one.unknown,
        "at_peak_bytes": known((one.at_peak,)),
        "at_peak_expr": expression((one.at_peak,)),
        "sites": [_site(site, text) for site in one.sites],
    }


def _site(site: SourceSite, text: Text) -> dict[str, Any]:
    line, column = text.position(site.start)
    size = (site.size,) if site.size is not None else None
    return {
        "function": site.function,
        "name": site.name,
        "location": {"row": line + 1, "column": column + 1},
        "bytes": known(size) if size is not None else None,
        "bytes_expr": expression(size) if size is not None else None,
    }


@dataclass(frozen=True, slots=True)
class _Made:
    frame: SourceFrame | None
    site: SourceSite
    at_peak: Amount | None
    late: bool


def _together(group: list[_Made]) -> SourceMemory:
    sizes = [made.site.size for made in group if made.site.size is not None]
    peaks = [made.at_peak for made in group if made.at_peak is not None]
    late = sum(made.late for made in group)
    unknown, sites = len(group) - len(sizes), tuple(made.site for made in group)
    return SourceMemory(group[0].frame, len(group), total(sizes), unknown, total(peaks), late, sites)


def _bytes(amount: Amount) -> int:
    """Sorts sizes; what depends on dimensions counts most."""
    return amount.bytes if amount.bytes is not None else 1 << 63
