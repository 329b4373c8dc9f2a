"""Lowering the peak of functions: the safe fixes that pay, in the order in which they do.

Deallocations come first, as what is done later counts on them: where buffers die earlier, allocations may be made
later, buffers may share memory, and so on. The fixes of one step are made together, function by function, and kept
where they lower its peak. Deallocations are kept as well where they only do not raise it: they make room for the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding
from memlane.fixes.all import repaired
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
    config = _advising(config)
    names = {*functions_of(source, config)} if functions is None else {*functions}
    now = source
    for rules in STEPS:
        poll()
        now = _step(now, config, assumed, rules, names)
    if now == source:
        return Reduction(source, ())
    before, after = (_measured(text, config, assumed, names) for text in (source, now))
    kept = {name for name in before if name in after and _lower(before[name].peak, after[name].peak)}
    if kept < names:  # what only made room is taken back where nothing came of it
        return reduction(source, config, assumed, kept) if kept else Reduction(source, ())
    found = (Reduced(name, one.peak, after[name].peak, one.ideal, after[name].stack) for name, one in before.items())
    return Reduction(now, tuple(found))


def _step(source: str, config: Config, assumed: Assumptions, rules: tuple[str, ...], names: Collection[str]) -> str:
    """The text after the fixes of one step, in the functions for which they pay."""
    pays = covers if rules is STEPS[0] else _lower

    def wanted(finding: Finding) -> bool:
        return finding.rule.name in rules and finding.function in names

    after = repaired(source, config, wanted=wanted).checked.text.source
    if after == source:
        return source
    old, new = functions_of(source, config), functions_of(after, config)
    changed = {name for name in old if old[name] != new.get(name)}
    peaks, lowered = (_measured(text, config, assumed, changed) for text in (source, after))
    paid = {name for name in changed if name in lowered and pays(peaks[name].peak, lowered[name].peak)}
    if paid == changed:
        return after
    return _step(source, config, assumed, rules, paid) if paid else source


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
    found: dict[str, str] = {}
    for program in _programs(source, config):
        for flow in program.functions.values():
            start, end = flow.op.span
            found[flow.name] = found.get(flow.name, "") + source[start:end]
    return found


def _measured(source: str, config: Config, assumed: Assumptions, names: Collection[str]) -> dict[str, _Bounds]:
    """Some functions, by name; of functions with one name the largest peak of all."""
    found: dict[str, _Bounds] = {}
    for program in _programs(source, config):
        ledger = Ledger(program, assumed)
        stacks = Stacks(ledger)
        for flow in program.functions.values():
            if flow.name in names:
                poll()
                bounds, other = _Bounds(*bounds_of(ledger, flow), stacks.of(flow)), found.get(flow.name)
                found[flow.name] = bounds if other is None else _larger(bounds, other)
    return found


def _larger(one: _Bounds, other: _Bounds) -> _Bounds:
    peak, ideal = maximal((*one.peak, *other.peak)), maximal((*one.ideal, *other.ideal))
    return _Bounds(peak, ideal, one.stack.join(other.stack))


def _programs(source: str, config: Config) -> Iterator[Program]:
    for chunk in parse(source, config.models).chunks:
        yield Program(chunk.ops, config.models, source)
