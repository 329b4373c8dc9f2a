"""The dumps of a pass log to one row each: what the functions take, and what changed since the version before."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memlane.compare import FindingPlace, Measure, Measurer, difference
from memlane.dumps import Dump
from memlane.flow.peak.peak import Amounts
from memlane.flow.symbolic.amounts import maximal
from memlane.format import known

_GENERATIONS = 20_000, 10, 1_000
"""Thresholds of the garbage collector while a dump is measured."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The peak of a function before and after a pass, in bytes; `before` is less."""

    function: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PassRow:
    """One dump, measured.

    Args:
        over: the functions it shows, `module` where that is all of them; "" where it shows none.
        grown: the functions whose peak is higher than in the version before.
        first: findings of functions that no dump before has shown, by `rule: what it is about`.
        new, gone: findings that the version before does not have, and those it had; None: no such version.
        places: a line of the log for each new or first one, or of `file`, where the dump is one of a folder, and its
            names.
        peak_line: the line of the log, or of `file`, where the largest peak is.
        position: bytes read so far.
    """

    title: str
    argument: str
    failed: bool
    line: int
    over: str
    peak: Amounts
    ideal: Amounts
    exact: bool
    sites: int
    leaks: int
    late: int
    grown: tuple[Growth, ...]
    first: Counter[str]
    new: Counter[str] | None
    gone: Counter[str] | None
    places: dict[str, FindingPlace]
    file: str
    peak_line: int
    position: int

    @property
    def name(self) -> str:
        """The title without `After`: most logs are printed after passes."""
        return self.title.removeprefix("After ")


class History:
    """The versions of a program, each compared with the one before it, function by function.

    Attributes:
        latest: the last measure of each function, without those that a later dump of the module no longer shows.
    """

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer
        self.latest: dict[str, Measure] = {}

    def rows(self, found: Iterable[Dump]) -> Iterator[PassRow]:
        """A row for each dump."""
        for dump in found:
            with _collected():
                measures = self._measurer.measure(dump.text)
            yield _row(dump, measures, self.latest)
            if _whole(dump):
                self.latest.clear()
            self.latest.update((measure.function, measure) for measure in measures)


@contextmanager
def _collected() -> Generator[None, None, None]:
    """Collect garbage at the end only. Most of it is trees, which refer to themselves: without the collection at the
    end, several dumps would be held at once."""
    before = gc.get_threshold()
    gc.set_threshold(*_GENERATIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.collect()


def _whole(dump: Dump) -> bool:
    """Whether a dump shows the module: functions that are missing are gone."""
    return any(line.lstrip().startswith(("module", '"builtin.module"')) for line in dump.text.split("\n", 64)[:64])


def _row(dump: Dump, measures: list[Measure], before: dict[str, Measure]) -> PassRow:
    changes = [_change(dump, measure, before.get(measure.function)) for measure in measures]
    comparable = any(measure.function in before for measure in measures)
    places = {key: place for change in changes for key, place in change.places.items()}
    return PassRow(
        dump.title,
        dump.argument,
        dump.failed,
        dump.line,
        _over(dump, measures),
        maximal(amount for measure in measures for amount in measure.peak),
        maximal(amount for measure in measures for amount in measure.ideal),
        all(measure.exact for measure in measures),
        sum(measure.sites for measure in measures),
        sum(measure.leaks for measure in measures),
        sum(measure.late for measure in measures),
        tuple(change.grown for change in changes if change.grown is not None),
        _sum(change.first for change in changes),
        _sum(change.new for change in changes) if comparable else None,
        _sum(change.gone for change in changes) if comparable else None,
        places,
        dump.file,
        _peak_line(dump, measures),
        dump.position,
    )


def _peak_line(dump: Dump, measures: list[Measure]) -> int:
    most = max(measures, key=lambda measure: known(measure.peak) or 0, default=None)
    return dump.line if most is None else dump.line + 1 + most.line + most.peak_line


@dataclass(frozen=True, slots=True)
class _FunctionChange:
    """What a pass did to one function; see `PassRow`."""

    grown: Growth | None
    first: Counter[str]
    new: Counter[str]
    gone: Counter[str]
    places: dict[str, FindingPlace]


def _change(dump: Dump, measure: Measure, old: Measure | None) -> _FunctionChange:
    fresh, gone = difference(old.findings, measure.findings) if old is not None else (measure.findings, Counter[str]())
    named = Counter({f"@{measure.function} {key}": count for key, count in fresh.items()})
    places: dict[str, FindingPlace] = {}
    for key in fresh:
        line, names = measure.places[key]
        places[f"@{measure.function} {key}"] = FindingPlace(dump.line + 1 + measure.line + line, names)
    first, new = (named, Counter[str]()) if old is None else (Counter[str](), named)
    return _FunctionChange(_growth(measure, old), first, new, gone, places)


def _growth(measure: Measure, old: Measure | None) -> Growth | None:
    before, after = known(old.peak) if old is not None else None, known(measure.peak)
    if before is None or after is None or after <= before:
        return None
    return Growth(measure.function, before, after)


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total = Counter[str]()
    for one in counts:
        total.update(one)
    return total


def _over(dump: Dump, measures: list[Measure]) -> str:
    if not measures:
        return ""
    if _whole(dump):
        return "module"
    names = [f"@{measure.function}" for measure in measures]
    return names[0] if len(names) == 1 else f"{len(names)} functions"
