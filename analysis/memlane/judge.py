"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, Program
from memlane.rules import modules


def judge(facts: FunctionFacts, program: Program, config: Config) -> Iterator[Finding]:
    """The findings of one function, rule by rule. A rule that is off does no work."""
    for module in modules().values():
        if config.severity(module.RULE) is not Severity.OFF:
            for report in _reports(module, facts, program, config):
                yield finding(module.RULE, report, facts.flow.name, config)


def _reports(module: ModuleType, facts: FunctionFacts, program: Program, config: Config) -> Iterator[Report]:
    if hasattr(module, "check"):
        yield from module.check(facts)
    elif hasattr(module, "measure"):
        yield from module.measure(facts, program, config)


def finding(rule: Rule, report: Report, function: str | None, config: Config) -> Finding:
    """A report of a rule that is on, as a finding."""
    severity = config.severity(rule)
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    return Finding(rule, severity, report, function)
