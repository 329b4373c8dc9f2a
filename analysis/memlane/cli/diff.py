"""Compare two versions of a program, function by function: peaks, buffers, findings new and gone.

Exit code 0: no peak grew more than --max-growth; 1: one did; 2: a file could not be read.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from typing import Any

from memlane.cli import CLEAN, FAILED, FOUND
from memlane.cli.command_input import Reader, add_assumptions
from memlane.cli.render.style import visible
from memlane.cli.terminal_output import json_text, tell
from memlane.compare import FunctionChange, Measure, Measurer, compare
from memlane.config.options import OptionError, size
from memlane.flow.peak.peak import Amounts, covers
from memlane.format import expression, known, shown, words


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("before", metavar="BEFORE", help="the earlier version")
    parser.add_argument("after", metavar="AFTER", help="the later version")
    parser.add_argument(
        "--max-growth",
        type=_growth,
        default=("bytes", 0),
        metavar="N",
        help='how much a peak may grow: "10%%", "64 KiB"; default: 0',
    )
    parser.add_argument("--output-format", choices=("table", "json"), default="table", help="default: table")
    add_assumptions(parser)


def run(options: Namespace) -> int:
    """Compare and print."""
    if options.before == options.after == "-":  # the second would be what the first leaves: nothing
        tell("standard input can be one of the two versions only")
        return FAILED
    readings = [*map(Reader(options).read, (options.before, options.after))]
    if any(reading is None for reading in readings):
        return FAILED
    before, after = (
        Measurer(reading.config, reading.assumed).measure(reading.source) for reading in readings if reading is not None
    )
    changes = compare(before, after)
    grown = [change for change in changes if _grew(change, options.max_growth)]
    if options.output_format == "json":
        print(json_text([_record(change, change in grown) for change in changes], indent=2))
    else:
        for change in changes:
            print("\n".join(map(visible, _lines(change, change in grown))))
    return FOUND if grown else CLEAN


def _growth(text: str) -> tuple[str, float]:
    percent = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", text)
    if percent is not None:
        return "percent", float(percent[1])
    try:
        return "bytes", size(int(text) if text.strip().isdecimal() else text)
    except OptionError as error:
        raise ArgumentTypeError(f"expected bytes or a percentage: {error}") from None


def _grew(change: FunctionChange, limit: tuple[str, float]) -> bool:
    """Whether the peak of a function, or of a new one, grew too much. Unknown sizes are compared term by term."""
    if change.after is None:
        return False
    old: Amounts = change.before.peak if change.before is not None else ()
    before, after = known(old), known(change.after.peak)
    if before is None or after is None:
        return not covers(old, change.after.peak)
    kind, most = limit
    return after - before > (most if kind == "bytes" else before * most / 100)


def _lines(change: FunctionChange, grown: bool) -> Iterator[str]:
    before, after = change.before, change.after
    if after is None or before is None:
        there = after or before
        peak = shown(there.peak) if there is not None else ""
        what = "gone" if after is None else "new"
        yield f"@{change.function}: {what}, peak {peak}{' - grew too much' if grown else ''}"
        yield from _findings(change)
        return
    same = before.peak == after.peak and before.sites == after.sites and not change.new and not change.gone
    if same:
        yield f"@{change.function}: unchanged, peak {shown(after.peak)}"
        return
    yield f"@{change.function}: peak {shown(before.peak)} -> {shown(after.peak)}{_by(before, after)}" + (
        " - grew too much" if grown else ""
    )
    if before.sites != after.sites:
        yield f"  buffers {before.sites} -> {after.sites}"
    yield from _findings(change)


def _by(before: Measure, after: Measure) -> str:
    old, new = known(before.peak), known(after.peak)
    if old is None or new is None or old == new:
        return ""
    percent = f", {100 * (new - old) / old:+.1f} %" if old else ""
    return f" ({'+' if new > old else ''}{words(new - old)}{percent})"


def _findings(change: FunctionChange) -> Iterator[str]:
    for sign, findings, measure in (("+", change.new, change.after), ("-", change.gone, change.before)):
        for key, count in sorted(findings.items()):
            told = measure.places[key].told(key) if measure is not None else key
            yield f"  {sign} {f'{count} x ' if count > 1 else ''}{told}"


def _record(change: FunctionChange, grown: bool) -> dict[str, Any]:
    return {
        "function": change.function,
        "before": _side(change.before),
        "after": _side(change.after),
        "grew": grown,
        "new": dict(change.new),
        "gone": dict(change.gone),
    }


def _side(measure: Measure | None) -> dict[str, Any] | None:
    if measure is None:
        return None
    return {
        "peak_bytes": known(measure.peak),
        "peak_expr": expression(measure.peak),
        "ideal_peak_bytes": known(measure.ideal),
        "exact": measure.exact,
        "sites": measure.sites,
        "findings": dict(measure.findings),
    }
