"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.flow.scalars.unreachable_code import never_runs
from memlane.rules import modules


def judge(facts: FunctionFacts, program: Program, config: Config, told: ReportMemo | None = None) -> Iterator[Finding]:
    """The findings of one function, rule by rule: none in code that never runs. A rule that is off does no work.

    Args:
        told: has the reports of the previous version, and receives those of this one, at their places then.
    """
    each, others = _active_of(config)
    name = facts.flow.name
    for fact in facts.incidents:
        active = each.get((fact.kind, fact.certainty))
        if active is not None:
            found = _tell(active, fact, name, told)
            if not never_runs(facts.flow.graph, found.report.span):
                yield found
    for active in others:
        poll()
        module = active.module
        reports: Iterator[Report] = module.measure(facts, program, config) if active.measures else module.check(facts)
        for report in reports:
            poll()
            if never_runs(facts.flow.graph, report.span):
                continue
            yield _finding(module.RULE, report, name, active.severity)


def _tell(active: _Active, fact: object, function: str, told: ReportMemo | None) -> Finding:
    """What a rule says of one fact, or has said."""
    known = told.of(fact) if told is not None else None
    if known is None:
        poll()
        known = _finding(active.module.RULE, active.module.tell(fact), function, active.severity)
        if told is not None:
            told.keep(fact, known)
    return known


class ReportMemo:
    """Memoised reports of the facts of a function that rules report one by one: a fact that is the same object has the
    same report.

    Args:
        flow: the function.
        stands: the identities of the findings of the version before whose text is what it was.
    """

    def __init__(self, flow: FunctionFlow, stands: Collection[int]) -> None:
        self._flow = flow
        self._stands = stands
        self._now: dict[int, tuple[object, Finding]] = {}

    def of(self, fact: object) -> Finding | None:
        """What was said of a fact, where that stands."""
        standing = self._flow.standing
        known = standing.said.get(id(fact)) if standing is not None else None
        if known is None or id(known[1]) not in self._stands:
            return None
        self._now[id(fact)] = known
        return known[1]

    def keep(self, fact: object, finding: Finding) -> None:
        """Something is said of a fact."""
        self._now[id(fact)] = fact, finding

    def end(self, same: Mapping[int, Finding]) -> None:
        """All has been said. `same`: what is kept in place of a finding, by the identity of that."""
        if self._flow.standing is not None:
            said = self._now.items()
            self._flow.standing.said = {key: (fact, same.get(id(one), one)) for key, (fact, one) in said}


class _Active(NamedTuple):
    """A rule about functions that is on. `measures`: it asks what they need, not what they do."""

    module: ModuleType
    measures: bool
    severity: Severity


_Rules = tuple[Mapping[object, _Active], tuple[_Active, ...]]
"""The rules that tell facts one by one, by which they tell; and the others."""
_active: tuple[Config | None, _Rules] = None, ({}, ())


def _active_of(config: Config) -> _Rules:
    """The rules about functions that are on; of the last configuration asked for, remembered: what a pattern selects is
    no question to ask for each function, nor for each finding."""
    global _active
    known = _active  # read once: other threads replace it
    if known[0] is not config:
        rules = [module for module in modules().values() if _FUNCTIONS.intersection(vars(module))]
        every = [_Active(one, hasattr(one, "measure"), config.severity(one.RULE)) for one in rules]
        some = [one for one in every if one.severity is not Severity.OFF]
        each = {one.module.ABOUT: one for one in some if hasattr(one.module, "tell")}
        known = _active = config, (each, tuple([one for one in some if not hasattr(one.module, "tell")]))
    return known[1]


_FUNCTIONS = {"check", "measure", "tell"}


def finding(rule: Rule, report: Report, function: str | None, config: Config) -> Finding:
    """A report of a rule that is on, as a finding."""
    return _finding(rule, report, function, config.severity(rule))


def _finding(rule: Rule, report: Report, function: str | None, severity: Severity) -> Finding:
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    if report.doubt and severity is not Severity.OFF:
        severity, report = Severity.HINT, _doubted(report)
    return Finding(rule, severity, report, function)


def _doubted(report: Report) -> Report:
    """A report that says what it rests on."""
    message = f"{report.message}, as far as known: the control flow of {report.doubt} is not declared"
    return replace(report, message=message)
