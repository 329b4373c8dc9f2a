"""Show how much memory each function takes: its buffers, its peak and where, and what ideal placement would reach.

Exit code 0: shown; 2: a file could not be read, or there is no such function.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memlane.cli import CLEAN, FAILED
from memlane.cli.command_input import CommandInput, Reader, add_assumptions
from memlane.cli.limits import MAX_BUFFERS_NAMED
from memlane.cli.progress import progress
from memlane.cli.render.style import visible
from memlane.cli.stats_by_source import by_source, source_record, source_table
from memlane.cli.terminal_output import json_text, tell
from memlane.flow.peak.peak import Amounts
from memlane.flow.symbolic.amounts import Amount
from memlane.format import expression, known, shown, times, words
from memlane.memory_report import Site, Usage, measurable, usage_of
from memlane.syntax.tree.tree import Op
from memlane.text import Text

BY_HELP = "a function each, or a line of the program that locations name (default: function)"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files and directories, or - for stdin")
    parser.add_argument("--function", metavar="NAME", help="only this function")
    parser.add_argument("--output-format", choices=("table", "json"), default="table", help="default: table")
    parser.add_argument("--sites", action="store_true", help="list every buffer in the table, too")
    parser.add_argument("--by", choices=("function", "source"), default="function", help=BY_HELP)
    add_assumptions(parser)


def run(options: Namespace) -> int:
    """Print what there is to say about each file."""
    records: list[dict[str, Any]] = []
    code, shown = CLEAN, False
    reader = Reader(options)
    for name in reader.found(options.files):
        reading = reader.read(name)
        if reading is None:
            code = FAILED
            continue
        text = Text(reading.source)
        usages = _usages(reading, options.function)
        shown |= bool(usages)
        if options.by == "source":
            found = by_source(usages, text)
            records += [source_record(name, one, text) for one in found]
            if options.output_format != "json" and usages:
                print("\n".join(map(visible, (name, *source_table(found, text, options.sites)))))
        elif options.output_format == "json":
            records += [record(name, one, text) for one in usages]
        elif usages:
            print("\n".join(map(visible, _table(name, usages, text, options.sites))))
    if options.output_format == "json":
        print(json_text(records, indent=2))
    if options.function is not None and not shown and code == CLEAN:
        tell(f"there is no function @{options.function} in {', '.join(options.files)}")
        return FAILED
    return code


def _usages(reading: CommandInput, function: str | None) -> list[Usage]:
    """What the functions of a file take, or that of one name."""
    found = [*measurable(reading.source, reading.config, reading.assumed, function)]
    return [usage_of(*pair) for pair in progress(found, len(found), sys.stderr, quiet=False, what="functions")]


def record(name: str, one: Usage, text: Text) -> dict[str, Any]:
    """A function as JSON: bytes are numbers where they are known, `..._expr` says the others."""
    peak, aligned = one.peak, one.aligned()
    return {
        "filename": name,
        "function": one.flow.name,
        "location": _location(one.flow.op, text),
        "peak_bytes": known(peak.peak),
        "peak_expr": expression(peak.peak),
        "aligned_peak_bytes": known(aligned),
        "aligned_peak_expr": expression(aligned),
        "peak_at": _location(peak.where, text) if peak.where is not None else None,
        "ideal_peak_bytes": known(peak.ideal),
        "ideal_peak_expr": expression(peak.ideal),
        "without_leaks_bytes": known(peak.closed),
        "lower_bound_bytes": known(peak.floor),
        "lower_bound_expr": expression(peak.floor),
        "distance": _distance(peak.peak, peak.ideal),
        "exact": peak.exact,
        "spaces": {label: _bytes(amounts) for label, amounts in one.labels.items()},
        "top": [
            {"name": origin.value.name, "location": _at(origin.value.span.start, text), **_bytes((size,))}
            for origin, size in peak.buffers[:MAX_BUFFERS_NAMED]
        ],
        "held": [_held(site, text) for site in sorted(one.sites, key=_held_most) if site.late],
        "sites": [_site(site, text) for site in one.sites],
    }


def _distance(peak: Amounts, ideal: Amounts) -> float | None:
    """The peak as a multiple of the ideal one; None where one is not known."""
    most, least = known(peak), known(ideal)
    return round(most / least, 3) if most is not None and least else None


def _bytes(amounts: Amounts) -> dict[str, Any]:
    return {"bytes": known(amounts), "bytes_expr": expression(amounts)}


def _site(site: Site, text: Text) -> dict[str, Any]:
    life = site.life
    return {
        "name": life.origin.value.name,
        "location": _at(life.origin.value.span.start, text),
        "type": life.origin.value.type,
        **(_bytes((site.size,)) if site.size is not None else {"bytes": None, "bytes_expr": None}),
        "resource": life.origin.resource,
        "space": site.label,
        "aliases": life.aliases,
        "live": {
            "start": _location(life.made, text),
            "first_use": _location(life.first_use, text) if life.first_use is not None else None,
            "last_use": _location(life.last_use, text) if life.last_use is not None else None,
            "frees": [_location(op, text) for op in life.frees],
        },
        "handed_out": life.handed,
        "leak": site.leak.value if site.leak is not None else None,
    }


def _held(site: Site, text: Text) -> dict[str, Any]:
    """Bytes that are live but unused, and over how many operations."""
    operations = sum(free.operations for free in site.late)
    size = site.size.bytes if site.size is not None else None
    return {
        "name": site.life.origin.value.name,
        "location": _at(site.life.origin.value.span.start, text),
        "operations": operations,
        "bytes": size,
        "byte_operations": size * operations if size is not None else None,
    }


def _location(op: Op, text: Text) -> dict[str, int]:
    return _at(op.name_span.start, text)


def _at(offset: int, text: Text) -> dict[str, int]:
    line, column = text.position(offset)
    return {"row": line + 1, "column": column + 1}


def _table(name: str, found: Iterable[Usage], text: Text, sites: bool) -> Iterator[str]:
    for one in found:
        peak = one.peak
        row = text.position(one.flow.op.name_span.start).line + 1
        yield f"{name}:{row} @{one.flow.name}"
        if not one.sites and peak.where is None:
            yield "  no buffers of its own"
            continue
        bound = "" if peak.exact else "  (an upper bound: too many paths)"
        where = f" at line {text.position(peak.where.name_span.start).line + 1}" if peak.where is not None else ""
        yield f"  peak        {shown(peak.peak)}{where}{bound}"
        aligned = one.aligned()
        if aligned != peak.peak:
            yield f"  aligned     {shown(aligned)}"
        factor = _distance(peak.peak, peak.ideal)
        gain = f"  {times(factor)}" if factor is not None and factor != 1 else ""
        yield f"  ideal       {shown(peak.ideal)}{gain}"
        yield f"  lower bound {shown(peak.floor)}"
        yield from (f"  in {label:8} {shown(amounts)}" for label, amounts in _several(one.labels).items())
        yield f"  buffers     {len(one.sites)}, {_total(one.sites)}"
        yield from _rows(
            "at the peak",
            [(size, origin.value.name, origin.value.span.start) for origin, size in peak.buffers[:MAX_BUFFERS_NAMED]],
            text,
        )
        yield from _more(len(peak.buffers))
        inside = _inside(one)
        if inside is not None:
            yield f"  {'' if peak.buffers else 'at the peak':12}{inside}"
        yield from _late(one, text)
        if sites:
            yield from _rows(
                "sites", [(s.size, s.life.origin.value.name, s.life.origin.value.span.start) for s in one.sites], text
            )


def _inside(one: Usage) -> str | None:
    """What of the peak lives inside the function that is called there, or was lost on the way."""
    peak = known(one.peak.peak)
    mine = [size.bytes for _, size in one.peak.buffers]
    if peak is None or None in mine:
        return None
    rest = peak - sum(size for size in mine if size is not None)
    where = one.peak.where
    calls = where is not None and one.flow.graph.call(where) is not None
    return f"{words(rest)} {'inside the call' if calls else 'lost before'}" if rest > 0 else None


def _several(labels: Mapping[str, Amounts]) -> Mapping[str, Amounts]:
    return labels if list(labels) != ["default"] else {}


def _total(sites: Iterable[Site]) -> str:
    numbers = [site.size.bytes if site.size is not None else None for site in sites]
    unknown = numbers.count(None)
    said = f"{words(sum(number for number in numbers if number is not None))} in all"
    return f"{said}, {unknown} of unknown size" if unknown else said


def _rows(title: str, entries: list[tuple[Amount | None, str, int]], text: Text) -> Iterator[str]:
    width = max((len(_size(size)) for size, _, _ in entries), default=0)
    for index, (size, buffer, offset) in enumerate(entries):
        head = title if index == 0 else ""
        yield f"  {head:12}{_size(size):>{width}}  {buffer}, line {text.position(offset).line + 1}"


def _size(size: Amount | None) -> str:
    return "?" if size is None else shown((size,))


def _late(one: Usage, text: Text) -> Iterator[str]:
    late = sorted((site for site in one.sites if site.late), key=_held_most)
    for index, site in enumerate(late[:MAX_BUFFERS_NAMED]):
        operations = sum(free.operations for free in site.late)
        head = "held unused" if index == 0 else ""
        line = text.position(site.life.origin.value.span.start).line + 1
        plural = "" if operations == 1 else "s"
        name = site.life.origin.value.name
        yield f"  {head:12}{_size(site.size)} over {operations} operation{plural}  {name}, line {line}"
    yield from _more(len(late))


def _more(count: int) -> Iterator[str]:
    """How many are not listed of some buffers."""
    if count > MAX_BUFFERS_NAMED:
        yield f"  {'':12}and {count - MAX_BUFFERS_NAMED} more"


def _held_most(site: Site) -> tuple[int, int]:
    """Sorts what holds most bytes over most operations first."""
    operations = sum(free.operations for free in site.late)
    size = site.size.bytes if site.size is not None else None
    return -operations * (size or 1), site.life.made.span.start
