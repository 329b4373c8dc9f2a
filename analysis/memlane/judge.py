"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, Program
from memlane.rules import modules


def judge(facts: FunctionFacts, program: Program, config: Config) -> Iterator[Finding]:
    """The findings of one function, rule by rule. A rule that is off does no work."""
    for module, measures in active(config):
        poll()
        reports: Iterator[Report] = module.measure(facts, program, config) if measures else module.check(facts)
        for report in reports:
            poll()
            yield finding(module.RULE, report, facts.flow.name, config)


_active: tuple[Config | None, tuple[tuple[ModuleType, bool], ...]] = (None, ())


def active(config: Config) -> tuple[tuple[ModuleType, bool], ...]:
    """The rules about functions that are on, each with whether it measures; of the last configuration asked for,
    remembered: what a pattern selects is no question to ask for each function."""
    global _active
    known = _active  # read once: other threads replace it
    if known[0] is not config:
        on = [module for module in modules().values() if config.severity(module.RULE) is not Severity.OFF]
        known = _active = (
            config,
            tuple((m, not hasattr(m, "check")) for m in on if hasattr(m, "check") or hasattr(m, "measure")),
        )
    return known[1]


def finding(rule: Rule, report: Report, function: str | None, config: Config) -> Finding:
    """A report of a rule that is on, as a finding."""
    severity = config.severity(rule)
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    return Finding(rule, severity, report, function)
