"""Lowering the peak of functions: the safe fixes that pay, in the order in which they do.

Deallocations come first, as what is done later counts on them: where buffers die earlier, allocations may be made
later, buffers may share memory, and so on. The fixes of one step are made together, function by function, and kept
where they lower its peak. Deallocations are kept as well where they only do not raise it: they make room for the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding
from memlane.fixes.all import repaired
from memlane.fixes.text_versions import Versions
from memlane.fixes.validate import strict
from memlane.flow import Program
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import Amounts, bounds_of, covers
from memlane.flow.peak.stack_peak import Stacks
from memlane.flow.symbolic.amounts import Amount, maximal
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.syntax import parse

STEPS = (
    ("late-free", "leak", "possible-leak", "sinkable-free"),
    ("early-alloc",),
    ("unused-buffer", "redundant-copy", "duplicate-empty", "reusable-buffer"),
    ("loop-invariant-alloc",),
    ("stack-promotable",),
)
"""The rules whose fixes are made in each step. Some are advice that is off by default."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A function whose peak the fixes lower.

    Args:
        function: its name, without the `@`.
        before, after: its peak in bytes; several amounts where none is known to be the largest.
        ideal: what the peak would be before them if each buffer lived from its first use to its last.
        stack: what the function takes of the stack afterwards, with what it calls.
    """

    function: str
    before: Amounts
    after: Amounts
    ideal: Amounts
    stack: Amount


@dataclass(frozen=True, slots=True)
class Reduction:
    """A text whose peaks are lowered, and the functions that are concerned, in text order."""

    source: str
    functions: tuple[Reduced, ...]


class _Bounds(NamedTuple):
    """`Peak.peak` and `Peak.ideal` of a function, and its stack."""

    peak: Amounts
    ideal: Amounts
    stack: Amount


def reduction(source: str, config: Config, assumed: Assumptions, functions: Collection[str] | None = None) -> Reduction:
    """Lower the peaks of a text by safe fixes alone.

    Args:
        assumed: numbers for dimensions that the text leaves open, see `memlane.memory_report.assumptions`.
        functions: the names of those to change; None: all.
    """
    reducing = _Reducing(_advising(config), assumed)
    return reducing.reduced(source, {*reducing.read(source).texts} if functions is None else {*functions})


class _MeasuredText:
    """A text that has been read.

    Attributes:
        texts: see `functions_of`.
    """

    def __init__(self, source: str, config: Config, assumed: Assumptions) -> None:
        self._programs = [*_programs(source, config)]
        self._assumed = assumed
        self._bounds: dict[str, _Bounds] = {}
        self.texts = _texts(self._programs, source)

    def measured(self, names: Collection[str]) -> dict[str, _Bounds]:
        """Some functions, by name; of functions with one name the largest peak of all."""
        missing = {*names} - self._bounds.keys()
        for program in self._programs if missing else ():
            ledger = Ledger(program, self._assumed)
            stacks = Stacks(ledger)
            for flow in program.functions.values():
                if flow.name in missing:
                    poll()
                    bounds = _Bounds(*bounds_of(ledger, flow), stacks.of(flow))
                    other = self._bounds.get(flow.name)
                    self._bounds[flow.name] = bounds if other is None else _larger(bounds, other)
        return {name: self._bounds[name] for name in self.texts if name in names}


class _Reducing:
    """Lowers the peaks of one text; what is found out about a version of it is found out once."""

    def __init__(self, config: Config, assumed: Assumptions) -> None:
        self._config = config
        self._assumed = assumed
        self._versions = Versions(strict(config))
        self._read: dict[str, _MeasuredText] = {}

    def read(self, source: str) -> _MeasuredText:
        """A version of the text. The first one and the last one are asked for again."""
        if source not in self._read:
            for old in [*self._read][1:-1]:
                del self._read[old]
            self._read[source] = _MeasuredText(source, self._config, self._assumed)
        return self._read[source]

    def reduced(self, source: str, names: Collection[str]) -> Reduction:
        """The text with lower peaks of some functions."""
        now = source
        for rules in STEPS:
            poll()
            now = self._step(now, rules, names)
        if now == source:
            return Reduction(source, ())
        old, new = self.read(source), self.read(now)
        before, after = old.measured(names), new.measured(names)
        kept = {name for name in before if name in after and _lower(before[name].peak, after[name].peak)}
        if not _changed(old, new) <= kept:  # what only made room is taken back where nothing came of it
            return self.reduced(source, kept) if kept else Reduction(source, ())
        pairs = ((name, one, after[name]) for name, one in before.items() if name in kept)
        found = (Reduced(name, one.peak, then.peak, one.ideal, then.stack) for name, one, then in pairs)
        return Reduction(now, tuple(found))

    def _step(self, source: str, rules: tuple[str, ...], names: Collection[str]) -> str:
        """The text after the fixes of one step, in the functions for which they pay."""
        pays = covers if rules is STEPS[0] else _lower

        def wanted(finding: Finding) -> bool:
            return finding.rule.name in rules and finding.function in names

        after = repaired(source, self._config, wanted=wanted, versions=self._versions).checked.text.source
        if after == source:
            return source
        old, new = self.read(source), self.read(after)
        changed = _changed(old, new)
        peaks, lowered = old.measured(changed), new.measured(changed)
        paid = {name for name in changed if name in lowered and pays(peaks[name].peak, lowered[name].peak)}
        if paid == changed:
            return after
        return self._step(source, rules, paid) if paid else source


def _changed(old: _MeasuredText, new: _MeasuredText) -> set[str]:
    """The functions that are not the same in two versions."""
    return {name for name, text in old.texts.items() if text != new.texts.get(name)}


def _lower(before: Amounts, after: Amounts) -> bool:
    """Whether a peak is lower than it was before."""
    return covers(before, after) and not covers(after, before)


def _advising(config: Config) -> Config:
    """A configuration in which the rules of all steps are on, unless they are switched off by name."""
    rules = tuple(rule for rules in STEPS for rule in rules)
    values: Mapping[str, object] = {**config.values, "extend-select": (*config.values["extend-select"], *rules)}
    return replace(config, values=MappingProxyType(dict(values)))


def functions_of(source: str, config: Config) -> dict[str, str]:
    """The text of each function by its name, without the `@`; of functions with one name all of it."""
    return _texts(_programs(source, config), source)


def _texts(programs: Iterable[Program], source: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for program in programs:
        for flow in program.functions.values():
            start, end = flow.op.span
            found[flow.name] = found.get(flow.name, "") + source[start:end]
    return found


def _larger(one: _Bounds, other: _Bounds) -> _Bounds:
    peak, ideal = maximal((*one.peak, *other.peak)), maximal((*one.ideal, *other.ideal))
    return _Bounds(peak, ideal, one.stack.join(other.stack))


def _programs(source: str, config: Config) -> Iterator[Program]:
    for chunk in parse(source, config.models).chunks:
        yield Program(chunk.ops, config.models, source)
