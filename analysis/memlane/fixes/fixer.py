"""From a finding to its fix: candidates are made, applied to a copy, and checked again before one is handed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from memlane.checking import Checked, check
from memlane.config import Config
from memlane.findings import Applicability, Edit, Finding, Fix, Severity, Span
from memlane.fixes.advice import CANNOT_READ, OF_BUFFER, OF_OPERATION
from memlane.fixes.flagged import with_flags
from memlane.fixes.ground import Ground, Place, within
from memlane.fixes.plan import Plan, movable, plan
from memlane.fixes.stub import stub, with_stub
from memlane.fixes.writing import apply
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias import Cluster
from memlane.syntax.tree import Op

RULES = frozenset(
    {
        "argument-free",
        "double-free",
        "invalid-free",
        "late-free",
        "leak",
        "mismatched-free",
        "possible-double-free",
        "possible-leak",
        "possible-use-after-free",
        "sinkable-free",
        "use-after-free",
        "free-before-wait",
    }
)
"""The rules whose findings are repaired by freeing a buffer elsewhere, more or less often."""

UNKNOWN = "unknown-effects"
"""The rule about operations that nobody described."""

GRAVE = (Severity.ERROR, Severity.WARNING)
"""Findings that say that something is wrong; the others are advice."""
_MAY_KEEP = "an operation that nobody described had the buffer: it may keep it"
Key = tuple[str, "str | None", "str | None"]


class Fixer:
    """The fixes of one checked text, each computed when it is asked for.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
    """

    def __init__(self, checked: Checked, config: Config) -> None:
        self.checked = checked
        self._config = config
        self._ground = Ground(checked, config)
        self._flagged: dict[int, Plan | None] = {}
        self._plans: dict[tuple[int, frozenset[Op]], Plan | None] = {}

    def fix(self, finding: Finding) -> Fix | None:
        """The best fix that makes `finding` go away and brings nothing new; None: there is none."""
        if finding.report.fix is not None:
            return finding.report.fix  # what the rule itself proposes
        for candidate in self.candidates(finding):
            if self._describes(candidate, finding) if candidate.additions else self.holds(candidate.edits, [finding]):
                return candidate
        return None

    def candidates(self, finding: Finding) -> Iterator[Fix]:
        """Fixes that have not been tried yet, best first."""
        rule = finding.rule.name
        of_operation = self._ground.operation(finding) if rule in OF_OPERATION or rule == UNKNOWN else None
        if of_operation is not None and rule == UNKNOWN:
            yield stub(of_operation.op, self._config)
        elif of_operation is not None:
            yield from OF_OPERATION[rule](of_operation)
        of_buffer = self._ground.buffer(finding) if rule in OF_BUFFER else None
        if of_buffer is not None:
            yield from OF_BUFFER[rule](of_buffer)
        place = self.cluster(finding)
        if place is not None and rule in RULES and (rule != "argument-free" or place[1].entry):
            yield from self._placed(finding, *place)

    def _placed(self, finding: Finding, program: Program, flow: FunctionFlow, cluster: Cluster) -> Iterator[Fix]:
        """Fixes that free the buffers of a cluster elsewhere."""
        named = self._ground.named(cluster)
        everything = movable(program, flow, cluster)
        keep = frozenset(op for op in everything if op.name_span not in named)
        plans = [self._plan(program, flow, cluster, kept) for kept in dict.fromkeys((keep, frozenset[Op]()))]
        for found in plans:
            if found is not None and found.edits:
                yield self._fix(_message(finding, found), flow, found)
        if not any(plans):
            key = id(cluster)
            if key not in self._flagged:
                self._flagged[key] = with_flags(self.checked, self._config.models, flow, cluster)
            flagged = self._flagged[key]
            if flagged is not None:
                yield self._fix(f"{_message(finding, flagged)}, with a flag that says who owns it", flow, flagged)

    def holds(self, edits: tuple[Edit, ...], findings: list[Finding]) -> bool:
        """Whether the edits make all `findings` go away and bring nothing new.

        After repairs of errors and warnings further advice may come, after advice was taken nothing at all.
        """
        chunk = self._ground.chunk(findings[0].report.span)
        source = self.checked.text.source
        part = chunk.span if all(within(edit.span, chunk.span) for edit in edits) else Span(0, len(source))
        moved = tuple(Edit(Span(e.span.start - part.start, e.span.end - part.start), e.content) for e in edits)
        after = check(apply(source[part.start : part.end], moved), self._config)
        advice = not all(_grave(finding) for finding in findings)
        here = [f for f in self.checked.findings if within(f.report.span, part)]
        before, now = (Counter(_key(f) for f in found if advice or _grave(f)) for found in (here, after.findings))
        wanted = Counter(_key(f) for f in findings)
        return all(now[key] <= before[key] - wanted[key] for key in chain(now, wanted))

    def _describes(self, fix: Fix, finding: Finding) -> bool:
        """Whether with what `fix` adds to the configuration the finding is gone. What is known then may be anything."""
        after = check(self.checked.text.source, with_stub(self._config, fix))
        return all((f.rule, f.report.message) != (finding.rule, finding.report.message) for f in after.findings)

    def cluster(self, finding: Finding) -> Place | None:
        """What the finding is about: the buffers that may be the one it names."""
        return self._ground.cluster(finding)

    def _fix(self, message: str, flow: FunctionFlow, found: Plan) -> Fix:
        """Safe where everything that may use the buffers has been read and is described."""
        reasons = [_MAY_KEEP] if found.unsure else []
        reasons += [] if self._ground.readable(flow) else [CANNOT_READ]
        grade = Applicability.UNSAFE if reasons else Applicability.SAFE
        return Fix(message, found.edits, grade, "; ".join(reasons))

    def _plan(self, program: Program, flow: FunctionFlow, cluster: Cluster, keep: frozenset[Op]) -> Plan | None:
        key = id(cluster), keep
        if key not in self._plans:
            self._plans[key] = plan(program, flow, cluster, self.checked.text, keep)
        return self._plans[key]


def _grave(finding: Finding) -> bool:
    return finding.severity in GRAVE


def _key(finding: Finding) -> Key:
    """Findings that are counted together. Advice on one buffer may become that on another."""
    buffer = finding.report.buffer if _grave(finding) else None
    return finding.rule.name, finding.function, buffer.name if buffer is not None else None


def _message(finding: Finding, found: Plan) -> str:
    """What the fix does, in words."""
    name = finding.report.buffer.name if finding.report.buffer is not None else "the buffer"
    if not found.placed:
        count = len(found.removed)
        return f"Remove the deallocation of {name}" if count == 1 else f"Remove {count} deallocations of {name}"
    somewhere = len(found.placed) > 1 or any(site.edge is not None or site.tree.size for site in found.placed)
    if not found.removed:
        return f"Free {name} after its last use" + (" on each path" if somewhere else "")
    return f"Free {name} right after its last use" + (" on each path" if somewhere else "")
