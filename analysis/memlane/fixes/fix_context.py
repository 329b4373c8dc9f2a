"""What stands behind the findings of one checked text: programs, functions, buffers, operations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice, takewhile

from memlane.checking import Checked
from memlane.config import Config
from memlane.findings import Buffer, Finding, Span
from memlane.fixes.advice import OfBuffer, OfOperation, Plains
from memlane.fixes.limits import MAX_FREED_TOGETHER
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.reachable_aliases import owned_apart
from memlane.placement.frees import WRONGS
from memlane.placement.late import Placement
from memlane.syntax.tree.tree import Chunk, Op, Value

Place = tuple[Program, FunctionFlow, Cluster]
Named = tuple[Span, str]
"""A buffer by its first name: results of a pack stand at one place."""
WRONG = frozenset(f"{often}{kind.value}" for kind in WRONGS for often in ("", "possible-"))
"""The rules about what is wrong with when a buffer is freed."""


class Ground:
    """Looked up when asked for, and remembered.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
    """

    def __init__(self, checked: Checked, config: Config) -> None:
        self._checked = checked
        self._config = config
        self._starts = [chunk.span.start for chunk in checked.tree.chunks]
        self._programs: dict[Chunk, Program] = {}
        self._ops: dict[Chunk, dict[Span, tuple[FunctionFlow, Op]]] = {}
        self._named: dict[Cluster, set[Span]] = {}
        self._in_order: dict[Chunk, list[FunctionFlow]] = {}
        self._clusters: dict[FunctionFlow, dict[Named, Place]] = {}
        self._plains: dict[FunctionFlow, Plains] = {}
        self._placements: dict[FunctionFlow, Placement] = {}
        self._readable: dict[FunctionFlow, bool] = {}
        self._about: dict[Named, list[Finding]] = {}
        for finding in checked.findings:
            if finding.report.buffer is not None:
                self._about.setdefault(_key(finding.report.buffer), []).append(finding)

    def cluster(self, finding: Finding) -> Place | None:
        """What the finding is about: the buffers that may be the one it names."""
        buffer = finding.report.buffer
        if buffer is None:
            return None
        chunk = self.chunk(finding.report.span)
        flow = self._around(chunk, buffer.span.start)
        if flow is None:
            return None
        if flow not in self._clusters:
            self._clusters[flow] = dict(self._origins(self.program(chunk), flow))
        return self._clusters[flow].get(_key(buffer))

    def buffer(self, finding: Finding) -> OfBuffer | None:
        """The plain buffer that the finding is about; None where it is not plain."""
        place = self.cluster(finding)
        if place is None or finding.report.buffer is None:
            return None
        program, flow, _ = place
        plains = self._plains.get(flow)
        if plains is None:
            plains = self._plains[flow] = Plains(program, flow)
        plain = plains.by_name.get(_key(finding.report.buffer))
        if plain is None:
            return None
        return OfBuffer(finding, program, flow, self._checked.text, self.readable(flow), plain, plains)

    def operation(self, finding: Finding) -> OfOperation | None:
        """The operation in a function at whose name the finding is."""
        chunk = self.chunk(finding.report.span)
        found = self.op(finding.report.span)
        if found is None:
            return None
        flow, op = found
        return OfOperation(finding, self.program(chunk), flow, self._checked.text, self.readable(flow), op)

    def op(self, name: Span) -> tuple[FunctionFlow, Op] | None:
        """The operation in a function whose name stands at a place, with the function."""
        chunk = self.chunk(name)
        known = self._ops.get(chunk)
        if known is None:
            known = self._ops[chunk] = {}
            for flow in self.program(chunk).functions.values():
                for op in flow.op.walk():
                    if op is not flow.op:
                        known.setdefault(op.name_span, (flow, op))
        return known.get(name)

    def placement(self, program: Program, flow: FunctionFlow) -> Placement:
        """Where the buffers of a function die, but for those of which something is wrong."""
        found = self._placements.get(flow)
        if found is None:
            wrong = {_key(f.report.buffer) for f in self._checked.findings if f.report.buffer and f.rule.name in WRONG}
            found = self._placements[flow] = Placement(program, flow, lambda origin: _key(origin.value) in wrong)
        return found

    def readable(self, flow: FunctionFlow) -> bool:
        """Whether all of a function could be read."""
        if flow not in self._readable:
            tree, (start, end) = self._checked.tree, flow.op.span
            first = bisect_left(tree.problems, start, key=lambda problem: problem.span.start)
            inside = takewhile(lambda problem: problem.span.start <= end, islice(tree.problems, first, None))
            counted = tree.cut is not None and tree.cut <= end  # perhaps in it
            self._readable[flow] = not counted and not any(within(problem.span, flow.op.span) for problem in inside)
        return self._readable[flow]

    def named(self, cluster: Cluster) -> set[Span]:
        """The places that findings about the cluster speak of."""
        found = self._named.get(cluster)
        if found is not None:
            return found
        found = self._named[cluster] = set()
        for finding in (f for origin in cluster.origins for f in self._about.get(_key(origin.value), ())):
            found.add(finding.report.span)
            found.update(note.span for note in finding.report.notes)
        return found

    def chunk(self, span: Span) -> Chunk:
        """The chunk that a place is in."""
        chunks = self._checked.tree.chunks
        last = bisect_right(self._starts, span.start)
        near = chunks[max(0, last - 2) : last]  # two: what is empty may stand where one ends and the next begins
        return next((chunk for chunk in near if within(span, chunk.span)), chunks[0])

    def program(self, chunk: Chunk) -> Program:
        """The functions of a chunk."""
        found = self._programs.get(chunk)
        if found is None:
            found = self._programs[chunk] = Program(chunk.ops, self._config.models, self._checked.text.source)
        return found

    def _around(self, chunk: Chunk, offset: int) -> FunctionFlow | None:
        """The innermost function of a chunk in whose text a place lies."""
        flows = self._in_order.get(chunk)
        if flows is None:
            flows = self._in_order[chunk] = sorted(self.program(chunk).functions.values(), key=_start)
        number = bisect_right(flows, offset, key=_start)
        return next((flows[at] for at in range(number - 1, -1, -1) if offset < flows[at].op.span.end), None)

    def _origins(self, program: Program, flow: FunctionFlow) -> Iterator[tuple[Named, Place]]:
        """The buffers of a function, by their first names."""
        for whole in program.aliases(flow).clusters.values():
            for cluster in (whole, *freed_together(whole)):  # buffers to be freed are in a later one again
                yield from ((_key(origin.value), (program, flow, cluster)) for origin in cluster.origins)


def _start(flow: FunctionFlow) -> int:
    return flow.op.span.start


def freed_together(cluster: Cluster) -> list[Cluster]:
    """The parts of a cluster whose buffers are freed by one fix: of small ones that is all."""
    return owned_apart(cluster) if len(cluster.origins) > MAX_FREED_TOGETHER else [cluster]


def _key(named: Buffer | Value) -> Named:
    return named.span, named.name


def within(span: Span, around: Span) -> bool:
    """Whether one place lies in another."""
    return around.start <= span.start and span.end <= around.end
