"""What can be done to a buffer that no finding asks for: the repairs of advice, whether or not a rule gives it.

The rules find what there is to do, with their limits wide open; their repairs do it. Where a rule is silent because of
what the program does, `obstacles` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from memlane.config import Config
from memlane.findings import Applicability, Finding, Fix, Report, Span
from memlane.fixes.fix_context import Place
from memlane.fixes.fixer import Fixer
from memlane.fixes.obstacles import NOT_ALONE, Obstacles
from memlane.flow import FunctionFacts, Origin, analyse
from memlane.flow.memory.effects_at import effects_at
from memlane.format import words
from memlane.rules import modules
from memlane.run_rules import finding
from memlane.syntax.tree.tree import Op

TITLES = {
    "loop-invariant-alloc": "Allocate {} before the loop, and free it after",
    "early-alloc": "Allocate {} right before its first use",
    "reusable-buffer": "Let {} use the memory of an earlier buffer",
    "stack-promotable": "Put {} on the stack",
    "late-free": "Free {} right after its last use",
    "sinkable-free": "Free {} right after its last use on each path",
}
"""By rule: what is refused."""
MOVES = frozenset(TITLES) - {"reusable-buffer", "stack-promotable"}
"""The rules whose repairs only move statements."""
_STACK, _STACK_LIMIT = "stack-promotable", "limits.stack-promotion"
_OPEN = {_STACK_LIMIT: 1 << 62, "limits.late-operations": 1, "limits.late-bytes": 0}
_LARGE = "the buffer takes {}, and `limits.stack-promotion` is {}"


@dataclass(frozen=True, slots=True)
class Refactoring:
    """One.

    Args:
        rule: whose repair it is.
        fix: None where it is refused: `reason` says why.
    """

    rule: str
    title: str
    fix: Fix | None
    reason: str = ""


def refactorings(fixer: Fixer, config: Config, ops: Iterable[Op]) -> Iterator[Refactoring]:
    """The refactorings of the buffers that some operations allocate or free, in text order, but for those that are
    offered as repairs of findings.

    Args:
        config: what the text was checked under.
    """
    seen, facts_of = set[Origin](), dict[Op, FunctionFacts]()
    for op in ops:
        for place, origin in _buffers(fixer, op):
            program, flow, _ = place
            if origin not in seen:
                seen.add(origin)
                facts = facts_of.get(flow.op) or facts_of.setdefault(flow.op, analyse(program, flow))
                yield from _of(fixer, config, place, origin, facts)


def _buffers(fixer: Fixer, op: Op) -> Iterator[tuple[Place, Origin]]:
    """The buffers that an operation certainly allocates or frees."""
    flow, _ = fixer.ground.op(op.name_span) or (None, None)
    if flow is None:
        return
    program, effects = fixer.ground.program(fixer.ground.chunk(op.name_span)), effects_at(flow.graph, op)
    for value in dict.fromkeys((*(value for value, _ in effects.allocs), *(one.value for one in effects.frees))):
        cluster = program.aliases(flow).cluster_of(value)
        if cluster is not None and len(cluster.origins) == 1 and cluster.origins[0].owned:
            origin = cluster.origins[0]
            if origin.value.op is not None and effects_at(flow.graph, origin.value.op).allocs:
                yield (program, flow, cluster), origin


def _of(fixer: Fixer, config: Config, place: Place, origin: Origin, facts: FunctionFacts) -> Iterator[Refactoring]:
    program, flow, cluster = place
    obstacles = Obstacles(facts, flow, cluster, origin)
    wide = replace(config, values={**config.values, **_OPEN})
    known = {(one.rule.name, _named(one.report)) for one in fixer.checked.findings}
    for rule, title in TITLES.items():
        if (rule, (origin.value.span, origin.value.name)) in known:
            continue
        module = modules()[rule]
        measures = hasattr(module, "measure")
        every = module.measure(facts, flow, program, wide) if measures else module.check(facts, flow)
        reports = [report for report in every if _named(report) == (origin.value.span, origin.value.name)]
        for report in reports:
            one = finding(module.RULE, report, flow.name, wide)
            yield _tried(fixer, config, one, title.format(origin.value.name), origin)
        reason = obstacles.of(rule) if not reports else ""
        if reason:
            yield Refactoring(rule, title.format(origin.value.name), None, reason)


def _named(report: Report) -> tuple[Span, str] | None:
    return (report.buffer.span, report.buffer.name) if report.buffer is not None else None


def _tried(fixer: Fixer, config: Config, one: Finding, title: str, origin: Origin) -> Refactoring:
    rule, reason = one.rule.name, NOT_ALONE
    for fix in fixer.candidates(one):
        brought = fixer.trials.brings(fix.edits)
        if not brought:
            return Refactoring(rule, fix.message, _as_large(fix, config, origin) if rule == _STACK else fix)
        reason = f"it would bring a finding of {brought[0]}"
    return Refactoring(rule, title, None, reason)


def _as_large(fix: Fix, config: Config, origin: Origin) -> Fix:
    """A fix that puts a buffer on the stack, which needs a look where that is larger than the rule would allow."""
    size, limit = origin.size.bytes if origin.size is not None else None, config.values[_STACK_LIMIT]
    if size is None or size <= limit:
        return fix
    reason = "; ".join(filter(None, (_LARGE.format(words(size), words(limit)), fix.reason)))
    return replace(fix, applicability=Applicability.UNSAFE, reason=reason)
