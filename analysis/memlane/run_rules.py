"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Incident, Program
from memlane.placement.unreachable_code import never_runs
from memlane.rules import modules


def judge(
    facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config, memo: ReportMemo | None = None
) -> Iterator[Finding]:
    """The findings of one function, rule by rule: none in code that never runs. A rule that is off does no work.

    Args:
        facts: of `flow`.
        memo: has the reports of the previous version, and receives those of this one, at their places then.
    """
    each, others = _active_of(config)
    for fact in facts.incidents:
        active = each.get((fact.kind, fact.certainty))
        if active is not None:
            found = _tell(active, fact, flow.name, memo)
            if not _never_runs(flow, found.report, active.module.RULE):
                yield found
    for active in others:
        poll()
        module = active.module
        reports: Iterator[Report]
        reports = module.measure(facts, flow, program, config) if active.measures else module.check(facts, flow)
        for report in reports:
            poll()
            if not _never_runs(flow, report, module.RULE):
                yield _finding(module.RULE, report, flow.name, active.severity)


def _never_runs(flow: FunctionFlow, report: Report, rule: Rule) -> bool:
    """Whether what a report is about never runs. For rules about errors, which are rare, more is looked at, whatever
    severity the configuration gives them."""
    graph, place = flow.graph, report.span
    return never_runs(graph, place) or (rule.severity is Severity.ERROR and never_runs(graph, place, closely=True))


def _tell(active: _Active, fact: Incident, function: str, memo: ReportMemo | None) -> Finding:
    """What a rule says of one fact, or has said."""
    known = memo.of(fact) if memo is not None else None
    if known is None:
        poll()
        known = _finding(active.module.RULE, active.module.tell(fact), function, active.severity)
        if memo is not None:
            memo.keep(fact, known)
    return known


class ReportMemo:
    """Memoised reports of the facts of a function that rules report one by one: a fact that is the same object, as it
    is where the ops of its function are kept over an edit that does not reach it, has the same report.

    Args:
        stands: the identities of the findings of the version before whose text is what it was.
    """

    def __init__(self, stands: Collection[int]) -> None:
        self._stands = stands
        self._new: list[tuple[Incident, Finding]] = []

    def of(self, fact: Incident) -> Finding | None:
        """What was said of a fact, where that stands."""
        known = _said.get(fact)
        return known if known is not None and id(known) in self._stands else None

    def keep(self, fact: Incident, finding: Finding) -> None:
        """Something is said of a fact."""
        self._new.append((fact, finding))

    def end(self, same: Mapping[int, Finding]) -> None:
        """All has been said. `same`: what is kept in place of a finding, by the identity of that."""
        _said.update({fact: same.get(id(finding), finding) for fact, finding in self._new})


_said: WeakKeyDictionary[Incident, Finding] = WeakKeyDictionary()
"""The reports of facts, for as long as these are there."""


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
