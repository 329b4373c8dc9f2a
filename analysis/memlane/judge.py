"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, Program
from memlane.rules import modules


def judge(facts: FunctionFacts, program: Program, config: Config) -> Iterator[Finding]:
    """The findings of one function, rule by rule. A rule that is off does no work."""
    for active in _active_of(config):
        poll()
        module = active.module
        reports: Iterator[Report] = module.measure(facts, program, config) if active.measures else module.check(facts)
        for report in reports:
            poll()
            yield _finding(module.RULE, report, facts.flow.name, active.severity)


class _Active(NamedTuple):
    """A rule about functions that is on. `measures`: it asks what they need, not what they do."""

    module: ModuleType
    measures: bool
    severity: Severity


_active: tuple[Config | None, tuple[_Active, ...]] = (None, ())


def _active_of(config: Config) -> tuple[_Active, ...]:
    """The rules about functions that are on; of the last configuration asked for, remembered: what a pattern selects is
    no question to ask for each function, nor for each finding."""
    global _active
    known = _active  # read once: other threads replace it
    if known[0] is not config:
        rules = [module for module in modules().values() if hasattr(module, "check") or hasattr(module, "measure")]
        some = [_Active(one, not hasattr(one, "check"), config.severity(one.RULE)) for one in rules]
        known = _active = config, tuple([one for one in some if one.severity is not Severity.OFF])
    return known[1]


def finding(rule: Rule, report: Report, function: str | None, config: Config) -> Finding:
    """A report of a rule that is on, as a finding."""
    return _finding(rule, report, function, config.severity(rule))


def _finding(rule: Rule, report: Report, function: str | None, severity: Severity) -> Finding:
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    return Finding(rule, severity, report, function)
