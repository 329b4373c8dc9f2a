"""Rows of a pass log to text for people: first the passes to look at, then a line with a bar for each dump."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memlane.cli.limits import MAX_PASSES_NAMED
from memlane.cli.pass_rows import Growth, PassRow
from memlane.compare import Measure
from memlane.flow.peak.peak import Amounts
from memlane.format import known, shown, words

_BAR_COLUMNS = 16
_IDEAL, _ABOVE = "█", "░"
_HEAD = (
    f"{'pass':38} {'of':12} {'peak':>12} {'ideal':>12}  {'█ ideal ░ peak':{_BAR_COLUMNS}} "
    f"{'buffers':>8} {'leaks':>6} {'late':>6}"
)


def summary(rows: Sequence[PassRow], latest: Mapping[str, Measure]) -> list[str]:
    """The passes that made the peak grow, then where each kind of finding comes from, and how many are left at the end.

    Args:
        latest: the functions as the last dumps show them.
    """
    return [*_peaks(rows), *_kinds(rows, latest.values())]


class _Cause(NamedTuple):
    """What one pass did, for a line of the summary: `amount` orders it among others."""

    amount: int
    words: str


def _peaks(rows: Sequence[PassRow]) -> Iterator[str]:
    causes = [_grown(row, growth) for row in rows for growth in row.grown]
    if causes:
        yield f"peak: {_largest(causes)}"
    elif (most := max((known(row.peak) or 0 for row in rows), default=0)) > 0:
        yield f"peak: no pass made it grow; {words(most)} at most"


def _grown(row: PassRow, growth: Growth) -> _Cause:
    return _Cause(
        growth.after - growth.before,
        f"@{growth.function} grows from {words(growth.before)} to {words(growth.after)} in {_where(row)}",
    )


def _kinds(rows: Sequence[PassRow], latest: Iterable[Measure]) -> Iterator[str]:
    left = Counter[str]()
    for measure in latest:
        for key, count in measure.findings.items():
            left[_rule(key)] += count
    causes: dict[str, list[_Cause]] = {}
    for row in rows:
        for counts, verb in ((row.first, "in the first dump, "), (row.new or {}, "introduced by ")):
            for rule, (count, line) in sorted(_by_rule(counts, row).items()):
                causes.setdefault(rule, []).append(_Cause(count, f"{count} {verb}{_pass(row, line)}"))
    for rule, found in causes.items():
        yield f"{rule}: {_largest(found)}; {left[rule] or 'none'} left in the last dump"


def _by_rule(counts: Mapping[str, int], row: PassRow) -> dict[str, tuple[int, int]]:
    """For each rule how many there are, and the first line."""
    found: dict[str, tuple[int, int]] = {}
    for key, count in counts.items():
        rule = _rule(key.partition(" ")[2])
        before, line = found.get(rule, (0, row.places[key].line))
        found[rule] = before + count, min(line, row.places[key].line)
    return found


def _rule(key: str) -> str:
    return key.partition(":")[0]


def _largest(causes: Sequence[_Cause]) -> str:
    chosen = sorted(causes, key=lambda cause: -cause.amount)[:MAX_PASSES_NAMED]
    more = len(causes) - len(chosen)
    return ", ".join(cause.words for cause in chosen) + (f" and {more} more" if more else "")


def _where(row: PassRow) -> str:
    return _pass(row, row.line)


def _pass(row: PassRow, line: int) -> str:
    return f"{row.name} ({place(row, line)})"


def table(rows: Sequence[PassRow]) -> Iterator[str]:
    """A head, and for each dump a line, then what its pass introduced and repaired."""
    most = max((known(row.peak) or 0 for row in rows), default=0)
    yield _HEAD
    for row in rows:
        yield _line(row, most)
        yield from (f"    {mark}" for mark in marks(row))


def _line(row: PassRow, most: int) -> str:
    title = row.name + (" FAILED" if row.failed else "")
    taken = f"{peak_words(row):>12} {shown(row.ideal):>12}  {_bar(row.peak, row.ideal, most):{_BAR_COLUMNS}}"
    return f"{title[:38]:38} {row.over[:12]:12} {taken} {row.sites:8} {row.leaks:6} {row.late:6}".rstrip()


def _bar(peak: Amounts, ideal: Amounts, most: int) -> str:
    """The peak as a part of the largest one in the log; of it, what the ideal takes is solid."""
    taken, least = known(peak), known(ideal)
    if taken is None:
        return "?"
    if not most or not taken:
        return ""
    width = max(1, round(_BAR_COLUMNS * taken / most))
    solid = min(width, max(1, round(_BAR_COLUMNS * least / most))) if least else 0
    return _IDEAL * solid + _ABOVE * (width - solid)


def peak_words(row: PassRow) -> str:
    """The peak, as a bound where it is one."""
    return ("" if row.exact else "<= ") + shown(row.peak)


def marks(row: PassRow) -> list[str]:
    """What the pass introduced, and how much it repaired."""
    introduced = [_introduced(row, key, count) for key, count in sorted((row.new or {}).items())]
    gone = sum((row.gone or {}).values())
    return [*introduced, f"- {gone} finding{'' if gone == 1 else 's'} gone"] if gone else introduced


def _introduced(row: PassRow, key: str, count: int) -> str:
    where = place(row, row.places[key].line)
    times, first = (f"{count} x ", "first at ") if count > 1 else ("", "")
    return f"+ {times}{row.places[key].told(key)}, {first}{where}"


def place(row: PassRow, line: int) -> str:
    """A line of the log, or of the file that holds the dump."""
    return f"{row.file}:{line}" if row.file else f"line {line} of the log"
