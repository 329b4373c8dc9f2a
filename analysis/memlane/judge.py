"""What the rules say of one function: from its facts to findings with the severity that the configuration gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, LateFree, Program
from memlane.rules import modules


def judge(facts: FunctionFacts, program: Program, config: Config, told: Told | None = None) -> Iterator[Finding]:
    """The findings of one function, rule by rule. A rule that is off does no work.

    Args:
        told: what was said of the version before, and is told what is said now. That stands where it stood then.
    """
    each = _by_kind(facts)
    for active in _active_of(config):
        poll()
        module = active.module
        if active.about is not None:
            for fact in each.get(active.about, ()):
                known = told.of(fact) if told is not None else None
                if known is None:
                    poll()
                    known = _finding(module.RULE, module.tell(fact), facts.flow.name, active.severity)
                    if told is not None:
                        told.keep(fact, known)
                yield known
            continue
        reports: Iterator[Report] = module.measure(facts, program, config) if active.measures else module.check(facts)
        for report in reports:
            poll()
            yield _finding(module.RULE, report, facts.flow.name, active.severity)


class Told:
    """What is said of the facts of a function that rules tell one by one: the same, where it is the same fact.

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


def _by_kind(facts: FunctionFacts) -> Mapping[object, list[object]]:
    """What is told one by one, by what rules say it is they speak about."""
    found: dict[object, list[object]] = {LateFree: [*facts.late]}
    for incident in facts.incidents:
        found.setdefault((incident.kind, incident.certainty), []).append(incident)
    return found


class _Active(NamedTuple):
    """A rule about functions that is on. `measures`: it asks what they need, not what they do. `about`: the facts that
    it tells one by one."""

    module: ModuleType
    measures: bool
    about: object
    severity: Severity


_active: tuple[Config | None, tuple[_Active, ...]] = (None, ())


def _active_of(config: Config) -> tuple[_Active, ...]:
    """The rules about functions that are on; of the last configuration asked for, remembered: what a pattern selects is
    no question to ask for each function, nor for each finding."""
    global _active
    known = _active  # read once: other threads replace it
    if known[0] is not config:
        some = [_of(module, config) for module in modules().values() if _FUNCTIONS.intersection(vars(module))]
        known = _active = config, tuple([one for one in some if one.severity is not Severity.OFF])
    return known[1]


_FUNCTIONS = {"check", "measure", "tell"}


def _of(module: ModuleType, config: Config) -> _Active:
    measures, about = hasattr(module, "measure"), module.ABOUT if hasattr(module, "tell") else None
    return _Active(module, measures, about, config.severity(module.RULE))


def finding(rule: Rule, report: Report, function: str | None, config: Config) -> Finding:
    """A report of a rule that is on, as a finding."""
    return _finding(rule, report, function, config.severity(rule))


def _finding(rule: Rule, report: Report, function: str | None, severity: Severity) -> Finding:
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    return Finding(rule, severity, report, function)
