"""From a finding to its fix: candidates are made, applied to a copy, and checked again before one is handed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memlane.check import Checked, check
from memlane.config import Config
from memlane.findings import Applicability, Edit, Finding, Fix, Severity, Span
from memlane.fixes.flagged import with_flags
from memlane.fixes.plan import Plan, movable, plan
from memlane.fixes.writing import apply
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias import Cluster
from memlane.syntax.tree import Chunk, Op

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

_GRAVE = (Severity.ERROR, Severity.WARNING)
Key = tuple[str, "str | None", "str | None"]
Place = tuple[Program, FunctionFlow, Cluster]


class Fixer:
    """The fixes of one checked text, each computed when it is asked for.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
    """

    def __init__(self, checked: Checked, config: Config) -> None:
        self.checked = checked
        self._config = config
        self._programs: dict[int, Program] = {}
        self._clusters: dict[int, dict[Span, Place]] = {}
        self._about: dict[Span, list[Finding]] = {}
        for finding in checked.findings:
            if finding.report.buffer is not None:
                self._about.setdefault(finding.report.buffer.span, []).append(finding)
        self._readable: dict[FunctionFlow, bool] = {}
        self._flagged: dict[int, Plan | None] = {}
        self._plans: dict[tuple[int, frozenset[Op]], Plan | None] = {}

    def fix(self, finding: Finding) -> Fix | None:
        """The best fix that makes `finding` go away and brings nothing new; None: there is none."""
        if finding.report.fix is not None:
            return finding.report.fix  # what the rule itself proposes
        for candidate in self.candidates(finding):
            if self.holds(candidate.edits, [finding]):
                return candidate
        return None

    def candidates(self, finding: Finding) -> Iterator[Fix]:
        """Fixes that have not been tried yet, best first."""
        place = self.cluster(finding)
        if place is None or finding.rule.name not in RULES:
            return
        program, flow, cluster = place
        if finding.rule.name == "argument-free" and not flow.entry:
            return
        named = self._named(cluster)
        everything = movable(program, flow, cluster)
        keep = frozenset(op for op in everything if op.name_span not in named)
        plans = [self._plan(program, flow, cluster, kept) for kept in dict.fromkeys((keep, frozenset[Op]()))]
        for found in plans:
            if found is not None and found.edits:
                yield Fix(_message(finding, found), found.edits, self._grade(flow, found))
        if not any(plans):
            key = id(cluster)
            if key not in self._flagged:
                self._flagged[key] = with_flags(self.checked, self._config.models, flow, cluster)
            flagged = self._flagged[key]
            if flagged is not None:
                message = f"{_message(finding, flagged)}, with a flag that says who owns it"
                yield Fix(message, flagged.edits, self._grade(flow, flagged))

    def holds(self, edits: tuple[Edit, ...], findings: list[Finding]) -> bool:
        """Whether the edits make all `findings` go away and bring nothing new."""
        chunk = self._chunk(findings[0].report.span)
        part = chunk.span if all(_within(edit.span, chunk.span) for edit in edits) else Span(0, len(self._source))
        moved = tuple(Edit(Span(e.span.start - part.start, e.span.end - part.start), e.content) for e in edits)
        after = check(apply(self._source[part.start : part.end], moved), self._config)
        before = Counter(_key(f) for f in self.checked.findings if _within(f.report.span, part) and _counts(f))
        now = Counter(_key(f) for f in after.findings if _counts(f))
        wanted = Counter(_key(f) for f in findings)
        return all(now[key] <= before[key] for key in now) and all(now[key] < before[key] for key in wanted)

    def cluster(self, finding: Finding) -> Place | None:
        """What the finding is about: the buffers that may be the one it names."""
        buffer = finding.report.buffer
        if buffer is None:
            return None
        chunk = self._chunk(finding.report.span)
        found = self._clusters.get(id(chunk))
        if found is None:
            found = self._clusters[id(chunk)] = dict(self._origins(chunk))
        return found.get(buffer.span)

    def _origins(self, chunk: Chunk) -> Iterator[tuple[Span, Place]]:
        """The buffers of a chunk, by the place of their first name."""
        program = self._program(chunk)
        for flow in program.functions.values():
            for cluster in program.aliases(flow).clusters.values():
                yield from ((origin.value.span, (program, flow, cluster)) for origin in cluster.origins)

    @property
    def _source(self) -> str:
        return self.checked.text.source

    def _grade(self, flow: FunctionFlow, found: Plan) -> Applicability:
        """Safe where everything that may use the buffers has been read and is described."""
        if flow not in self._readable:
            self._readable[flow] = not any(
                _within(problem.span, flow.op.span) for problem in self.checked.tree.problems
            )
        return Applicability.SAFE if self._readable[flow] and not found.unsure else Applicability.UNSAFE

    def _named(self, cluster: Cluster) -> set[Span]:
        """The places that findings about the cluster speak of."""
        found: set[Span] = set()
        for finding in (f for origin in cluster.origins for f in self._about.get(origin.value.span, ())):
            found.add(finding.report.span)
            found.update(note.span for note in finding.report.notes)
        return found

    def _plan(self, program: Program, flow: FunctionFlow, cluster: Cluster, keep: frozenset[Op]) -> Plan | None:
        key = id(cluster), keep
        if key not in self._plans:
            self._plans[key] = plan(program, flow, cluster, self.checked.text, keep)
        return self._plans[key]

    def _chunk(self, span: Span) -> Chunk:
        chunks = self.checked.tree.chunks
        return next((chunk for chunk in chunks if _within(span, chunk.span)), chunks[0])

    def _program(self, chunk: Chunk) -> Program:
        found = self._programs.get(id(chunk))
        if found is None:
            found = self._programs[id(chunk)] = Program(chunk.ops, self._config.models, self._source)
        return found


def _within(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end


def _counts(finding: Finding) -> bool:
    return finding.severity in _GRAVE


def _key(finding: Finding) -> Key:
    buffer = finding.report.buffer
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
