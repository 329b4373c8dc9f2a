"""Versions of a program, measured and compared: what `memlane diff` and `memlane passes` speak of.

A `Measure` holds numbers and words only, so that versions may be kept while their trees are gone. Findings are
identified by rule and buffer, never by names of values or by lines, which every pass changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from memlane.cancellation import poll
from memlane.config import Config
from memlane.digest import blake2b
from memlane.findings import Finding, Severity
from memlane.flow import FunctionFlow, Program, analyse
from memlane.flow.cfg.scc import components
from memlane.flow.peak.footprint import MAX_PRODUCT_NODES, Ledger
from memlane.flow.peak.peak import Amounts, peak_of
from memlane.flow.symbolic.amounts import number
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.flow.symbolic.scalar import Expr
from memlane.format import in_bytes
from memlane.lazy import regex
from memlane.limits import MAX_CHANGES, MAX_NODES
from memlane.run_rules import judge
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text

_NAME = regex(r"%[\w$.#-]+")
_HELD = regex(r" over \d+ operations?")
_BYTES = r"(?:\S+(?: \+ \S+)* bytes?|[\d.]+ [KMGTPE]iB)"
_SIZE = regex(rf" of {_BYTES}(?!\w)| \({_BYTES}\)")
_LATE = "late-free"
_KINDS = {"sinkable-free": _LATE}
"""Rules that report the same of a buffer, depending on where its deallocation is."""
_LEAKS = ("leak", "possible-leak")


class FindingPlace(NamedTuple):
    """Where findings about the same are: the `line` of the first, and the `names` that it speaks of."""

    line: int
    names: tuple[str, ...]

    def told(self, key: str) -> str:
        """What the first is about, in the names of its version."""
        names = iter(self.names)
        return re.sub("%_", lambda blank: next(names, blank[0]), key)


@dataclass(frozen=True, slots=True)
class Measure:
    """One function of one version.

    Args:
        exact: see `Peak`.
        sites: how many places make buffers that have to be freed.
        findings: how many there are of each, by `rule: what it is about`.
        line: where it begins in its version, 0-based.
        places: a line for each of them, 0-based, from there, and its names.
        peak_line: where its peak is, 0-based, from there.
    """

    function: str
    peak: Amounts
    ideal: Amounts
    exact: bool
    sites: int
    findings: Mapping[str, int]
    line: int
    places: Mapping[str, FindingPlace]
    peak_line: int = 0

    @property
    def leaks(self) -> int:
        """Buffers that are never freed, or not on some path."""
        return self._count(_LEAKS)

    @property
    def late(self) -> int:
        """Deallocations that come late."""
        return self._count((_LATE,))

    def _count(self, rules: tuple[str, ...]) -> int:
        return sum(count for key, count in self.findings.items() if key.partition(":")[0] in rules)


class Measurer:
    """Measures versions of a program; functions that did not change are measured once.

    Args:
        config, assumed: as for `usage`.
        hasty: peaks are bounded where it takes longer to know them.
    """

    def __init__(self, config: Config, assumed: Assumptions, hasty: bool = False) -> None:
        self._config = config
        self._assumed = assumed
        self._hasty = hasty
        self._known: dict[bytes, Measure] = {}
        self._last: tuple[str, list[Measure]] = "", []

    def measure(self, source: str) -> list[Measure]:
        """The functions of `source`, in text order. Keeps what it knows of these, and of few others."""
        if source != self._last[0]:  # many passes change nothing
            self._last = source, self._measured(source)
        return self._last[1]

    def _measured(self, source: str) -> list[Measure]:
        text = Text(source)
        found: list[Measure] = []
        kept: dict[bytes, Measure] = {}
        for chunk in parse(source, self._config.models).chunks:
            program = Program(chunk.ops, self._config.models, source)
            ledger = Ledger(
                program, self._assumed, budget=MAX_NODES if self._hasty else MAX_PRODUCT_NODES, hasty=self._hasty
            )
            keys = _Keys(program, source)
            for flow in program.functions.values():
                poll()
                key = keys.of(flow)
                measure = self._known.get(key) or kept.get(key)
                if measure is None:
                    measure = self._measure(ledger, flow, text)
                kept[key] = measure
                found.append(replace(measure, line=text.position(flow.op.span.start).line))
        self._known.update(kept)
        if len(self._known) > 4 * len(kept) + 64:
            self._known = kept
        return found

    def _measure(self, ledger: Ledger, flow: FunctionFlow, text: Text) -> Measure:
        peak = peak_of(ledger, flow)
        ledger.bases.clear()
        findings: Counter[str] = Counter()
        places: dict[str, FindingPlace] = {}
        start = text.position(flow.op.span.start).line
        for finding in judge(analyse(ledger.program, flow), flow, ledger.program, self._config):
            if finding.severity in (Severity.ERROR, Severity.WARNING):
                key = _about(finding)
                findings[key] += 1
                places.setdefault(
                    key, FindingPlace(text.position(finding.report.span.start).line - start, _names(finding))
                )
        clusters = ledger.program.aliases(flow).clusters.values()
        sites = sum(origin.owned for cluster in clusters for origin in cluster.origins)
        taken, ideal = _timeless(flow, peak.peak, peak.ideal)
        where = text.position(peak.where.name_span.start).line - start if peak.where is not None else 0
        return Measure(flow.name, taken, ideal, peak.exact, sites, findings, start, places, where)


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands for a value in the sizes of every version: an argument by its position, a result by its computation.

    Args:
        key: equal for values that versions have in common, and for no two of one version.
        name: of the value in its own version.
    """

    key: tuple[object, ...]
    name: str = field(compare=False)


def _timeless(flow: FunctionFlow, *every: Amounts) -> tuple[Amounts, ...]:
    """Amounts without values, which belong to one version's tree. Those computed alike are distinguished by their
    order: two loads may give two numbers."""
    sizes = (expr for amounts in every for amount in amounts for monomial, _ in amount.terms for expr in monomial)
    values = {value for expr in sizes for value in _values(expr)}
    alike = Counter[tuple[object, ...]]()
    stands: dict[Value, Stand] = {}
    for value in sorted(values, key=lambda value: (value.span, value.index)):
        key = _computation(flow, value)
        stands[value] = Stand((*key, alike[key]), value.name)
        alike[key] += 1
    return tuple([tuple([amount.change(lambda expr: _named(expr, stands)) for amount in one]) for one in every])


def _values(expr: Expr) -> Iterator[Value]:
    """All that an expression is about, buffers whose dimensions it asks for among them."""
    for part in expr:
        if isinstance(part, tuple):
            yield from _values(cast("Expr", part))
        elif isinstance(part, Value):
            yield part


def _named(expr: Expr, stands: Mapping[Value, Stand]) -> Expr:
    parts: list[object] = []
    for part in expr:
        if isinstance(part, tuple):
            parts.append(_named(cast("Expr", part), stands))
        else:
            parts.append(stands[part] if isinstance(part, Value) else part)
    return tuple(parts)


def _computation(flow: FunctionFlow, value: Value, depth: int = 0) -> tuple[object, ...]:
    """How a value is computed; names, which passes change, do not count. Deep ones are identified by their last
    steps."""
    op, block = value.op, value.block
    if op is None:
        if block is None or block is flow.graph.entry:
            return ("argument", value.index)
        return ("argument", value.index, block.region.op.name, block.index)
    if depth == MAX_CHANGES:
        return (op.name,)
    operands = tuple([_computation(flow, use.value, depth + 1) for use in op.operands if use.value is not None])
    return (op.name, value.index, op.literal, *sorted(op.attributes.items()), operands)


class _Keys:
    """Keys of the functions of one program: the same for those that are sure to be measured alike.

    They are made of their text, what they call, and who calls them.
    """

    def __init__(self, program: Program, source: str) -> None:
        self._program = program
        self._source = source
        self._known: dict[Op, bytes] = {}
        for members in components(program.functions.values(), lambda flow: flow.callees):
            inner = {one.op for one in members}
            parts = [self._text(one.op) for one in members]
            called = [self._known[c.op] for one in members for c in one.callees if c.op not in inner]
            together = _digest("\0".join(parts).encode("utf-8", "surrogatepass"), *called)
            self._known.update((op, together) for op in inner)

    def of(self, flow: FunctionFlow) -> bytes:
        """The key of one function."""
        holders = dict.fromkeys(_holder(self._program, call) for call in flow.callers) if not flow.entry else ()
        parts = [self._text(flow.op), *map(self._text, holders), str(flow.addressed)]
        return _digest("\0".join(parts).encode("utf-8", "surrogatepass"), self._known[flow.op])

    def _text(self, op: Op) -> str:
        return self._source[op.span.start : op.span.end]


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=16).digest()


def _holder(program: Program, op: Op) -> Op:
    """The function around a call."""
    while op not in program.functions and op.parent is not None:
        op = op.parent.region.op
    return op


def _about(finding: Finding) -> str:
    """A finding without names that passes change."""
    buffer = finding.report.buffer
    message = _HELD.sub("", _NAME.sub("%_", finding.report.message))
    size = f" ({in_bytes(number(buffer.size))})" if buffer is not None and buffer.size is not None else ""
    return f"{finding.rule.name}: {message}{size if size.strip(' ()') not in message else ''}"


def _names(finding: Finding) -> tuple[str, ...]:
    """The names that `_about` leaves out."""
    return tuple(_NAME.findall(finding.report.message))


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """What became of one function. `None`: it is not there.

    Args:
        new, gone: findings, by `rule: what it is about`, and how many.
    """

    function: str
    before: Measure | None
    after: Measure | None
    new: Mapping[str, int]
    gone: Mapping[str, int]


def compare(before: list[Measure], after: list[Measure]) -> list[FunctionChange]:
    """The functions of both versions, in the order of the later one; those that are gone last."""
    old = {measure.function: measure for measure in before}
    new = {measure.function: measure for measure in after}
    names = [*new, *(name for name in old if name not in new)]
    return [_change(name, old.get(name), new.get(name)) for name in names]


def _change(name: str, before: Measure | None, after: Measure | None) -> FunctionChange:
    had, has = (one.findings if one is not None else Counter[str]() for one in (before, after))
    return FunctionChange(name, before, after, *difference(had, has))


def difference(had: Mapping[str, int], has: Mapping[str, int]) -> tuple[Counter[str], Counter[str]]:
    """The findings that are new, and those that are gone.

    A finding that changes its form is neither: lowering adds room for alignment to a size, a dimension becomes a
    constant, a certain leak becomes a possible one, a late deallocation moves into a branch.
    """
    new, gone = Counter(has) - Counter(had), Counter(had) - Counter(has)
    for form in (_without_size, _kind_and_size, _kind):
        _match(new, gone, form)
    return +new, +gone


def _match(new: Counter[str], gone: Counter[str], form: Callable[[str], str]) -> None:
    """Take out of both what is the same in a form."""
    alike: dict[str, list[str]] = {}
    for key in gone.elements():
        alike.setdefault(form(key), []).append(key)
    for key in [*new.elements()]:
        if left := alike.get(form(key)):
            new[key] -= 1
            gone[left.pop()] -= 1


def _without_size(key: str) -> str:
    return _SIZE.sub("", key)


def _kind_and_size(key: str) -> str:
    return f"{_kind(key)} {_SIZE.findall(key)}"


def _kind(key: str) -> str:
    """The rule of a finding, whether it holds always or on some path."""
    rule = key.partition(":")[0].removeprefix("possible-")
    return _KINDS.get(rule, rule)
