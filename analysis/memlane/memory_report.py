"""Text in, memory use out: per function its buffers, their lives and sizes, and the peaks of what lives at once.

`memlane stats`, `lanes`, `diff` and `passes` show these values in different ways; nothing here decides how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Certainty, Span
from memlane.flow import EventKind, FunctionFacts, Origin, Program, analyse
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.scc import components
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.lifetimes import Life, lives
from memlane.flow.peak.peak import Amounts, Peak, most_of, peak_of
from memlane.flow.peak.stack_peak import Stacks
from memlane.flow.symbolic.amounts import ZERO, Amount
from memlane.flow.symbolic.assumptions import Assumptions, comments
from memlane.flow.symbolic.memory_space import memory_space
from memlane.placement.frees import LateDealloc, late_deallocs
from memlane.syntax import parse
from memlane.syntax.tree.tree import Chunk, Op


@dataclass(frozen=True, slots=True)
class Site:
    """One place that makes buffers.

    Args:
        size: bytes of one buffer; None where the type does not tell.
        label: the memory it lies in: a memory space, `default`, `stack`, or another resource.
        leak: whether its buffers are lost: always, on some path; None: never.
        late: its deallocations that come late.
    """

    life: Life
    size: Amount | None
    label: str
    leak: Certainty | None
    late: tuple[LateDealloc, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """One function.

    Args:
        sites: in text order.
        peak: of all buffers that are to be freed.
        ledgers: those of its program.
        labels: the same per memory, where there is more than one; `stack` is a bound.
    """

    flow: FunctionFlow
    facts: FunctionFacts
    sites: tuple[Site, ...]
    peak: Peak
    ledgers: Ledgers
    labels: Mapping[str, Amounts]

    def aligned(self) -> Amounts:
        """The peak where each buffer is filled up to a multiple of its alignment."""
        return most_of(self.ledgers.filled, self.flow) if self.ledgers.pads(self.flow) else self.peak.peak


def assumptions(source: str, config: Config, given: Mapping[str, int] | None = None) -> Assumptions:
    """Numbers for dimensions, from configuration, comments (`// memlane: assume %n = 1024`) and the user, in turn.

    A comment inside a function speaks of that function, others of all.
    """
    default = config.values["assume.dynamic-size"]
    general = {**config.values["assume.sizes"]} | ({} if default is None else {"?": int(default)})
    said = list(comments(source))
    if said:
        functions = [span for chunk in parse(source, config.models).chunks for span in _functions(chunk, config)]
        for offset, name, number in said:
            if not any(span.start <= offset < span.end for span in functions):
                general[name] = number
    return Assumptions(general, given or {})


def _functions(chunk: Chunk, config: Config) -> Iterator[Span]:
    for op in Program(chunk.ops, config.models).functions:
        yield op.span


def usage(source: str, config: Config, assumed: Assumptions, function: str | None = None) -> Iterator[Usage]:
    """The memory use of each function of `source`, in text order.

    Args:
        assumed: see `assumptions`.
        function: those of this name alone, without `@`.
    """
    for ledgers, flow in measurable(source, config, assumed, function):
        poll()
        yield usage_of(ledgers, flow)


def measurable(
    source: str, config: Config, assumed: Assumptions, function: str | None = None
) -> Iterator[tuple[Ledgers, FunctionFlow]]:
    """The same functions, not measured yet, each with the ledgers by which `usage_of` does it."""
    models = config.models
    for chunk in parse(source, models).chunks:
        program = Program(chunk.ops, models, source)
        ledgers = Ledgers(program, assumed)
        yield from ((ledgers, flow) for flow in program.functions.values() if function in (None, flow.name))


class Ledgers:
    """The ledgers of one program: of everything that has to be freed, and of each memory by itself.

    Args:
        aligned: for the memories; see `Extents`. `filled` is of everything, aligned.
    """

    def __init__(self, program: Program, assumed: Assumptions, aligned: bool = False) -> None:
        self.program = program
        self.all = Ledger(program, assumed)
        self.filled = Ledger(program, assumed, aligned=True, like=self.all, brief=True)
        self._aligned = aligned
        self.stacks = Stacks(self.all)
        self._assumed = assumed
        self._labelled: dict[str, Ledger] = {}
        self._pads: dict[Op, bool] = {}
        self._clusters: dict[Op, dict[str, list[Cluster]]] = {}

    def pads(self, flow: FunctionFlow) -> bool:
        """Whether a buffer of a function, or of one it calls, is filled up to its alignment."""
        if flow.op not in self._pads:
            for members in components([flow], lambda one: () if one.op in self._pads else one.callees):
                if members[0].op not in self._pads:
                    inner = any(self._pads.get(callee.op, False) for one in members for callee in one.callees)
                    pads = inner or any(self._filled(one) for one in members)
                    self._pads.update((one.op, pads) for one in members)
        return self._pads[flow.op]

    def _filled(self, flow: FunctionFlow) -> bool:
        return any(
            origin.owned and self.all.size(flow, origin) != self.filled.size(flow, origin)
            for cluster in self.program.aliases(flow).clusters.values()
            for origin in cluster.origins
        )

    def of(self, label: str) -> Ledger:
        """The ledger of one memory; `heap` is the resource, whatever the space."""
        found = self._labelled.get(label)
        if found is None:
            found = self._labelled[label] = Ledger(
                self.program,
                self._assumed,
                lambda origin: origin.owned and label in (label_of(origin), origin.resource),
                aligned=self._aligned,
                like=self.all,
                among=lambda flow: self._by_label(flow).get(label, []),
            )
        return found

    def _by_label(self, flow: FunctionFlow) -> Mapping[str, list[Cluster]]:
        """The clusters of a function with buffers in each memory."""
        found = self._clusters.get(flow.op)
        if found is None:
            found = self._clusters[flow.op] = {}
            for cluster in self.program.aliases(flow).clusters.values():
                owned = [origin for origin in cluster.origins if origin.owned]
                for label in {label for origin in owned for label in (label_of(origin), origin.resource)}:
                    found.setdefault(label, []).append(cluster)
        return found

    def forget(self) -> None:
        """Let go of what is as large as the functions that were measured."""
        self.all.bases.clear()
        self._clusters.clear()


def label_of(origin: Origin) -> str:
    """The memory a buffer lies in; see `Site.label`."""
    return memory_space(origin.value.type or "") or ("default" if origin.resource == "heap" else origin.resource)


def usage_of(ledgers: Ledgers, flow: FunctionFlow) -> Usage:
    """The memory use of one function of the ledgers' program."""
    facts = analyse(ledgers.program, flow)
    peak = peak_of(ledgers.all, flow)
    # By name: the places of an aggregate have one, and are one leak.
    leaks = {(i.place, i.origin.value.name): i.certainty for i in facts.incidents if i.kind is EventKind.LEAK}
    late: dict[Origin, list[LateDealloc]] = {}
    for free in late_deallocs(ledgers.program, flow, facts):
        late.setdefault(free.origin, []).append(free)
    sites = tuple(
        Site(
            life,
            _size(ledgers, flow, peak, life.origin),
            label_of(life.origin),
            leaks.get((life.made, life.origin.value.name)),
            tuple(late.get(life.origin, ())),
        )
        for life in lives(ledgers.program, flow)
    )
    labels = _labels(ledgers, flow, sites, peak)
    ledgers.forget()
    return Usage(flow, facts, sites, peak, ledgers, labels)


def _size(ledgers: Ledgers, flow: FunctionFlow, peak: Peak, origin: Origin) -> Amount | None:
    """Bytes of a buffer: as large as it is on any path, or as the text tells where no path makes it."""
    found = peak.sizes.get(origin) if origin.owned else None
    told = ledgers.all.size(flow, origin)
    if found is None:
        return None if origin.kind is OriginKind.CALL else told
    return None if told is None and found == ZERO else found  # unknown sizes count as 0


def _labels(ledgers: Ledgers, flow: FunctionFlow, sites: tuple[Site, ...], peak: Peak) -> dict[str, Amounts]:
    names = sorted({site.label for site in sites if site.life.origin.owned})
    found = {names[0]: peak.peak} if len(names) == 1 else {}
    if len(names) > 1:
        found = {name: most_of(ledgers.of(name), flow) for name in names}
    stack = ledgers.stacks.of(flow)
    return {**found, "stack": (stack,)} if stack != ZERO else found
