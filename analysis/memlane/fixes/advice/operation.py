"""`redundant-dealloc-check` and `mismatched-free`: a deallocation is written as it should be, where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from memlane.findings import Edit, Fix
from memlane.fixes import printer
from memlane.fixes.advice.subject import OfOperation
from memlane.fixes.edit_writer import Writer
from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.effects.effects import FreeOf
from memlane.flow.effects.written_effects import written_frees
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.expressions import scalar_of
from memlane.placement.mentions import is_whole
from memlane.syntax.tree.tree import Op, Value

_SEGMENTS = "operandSegmentSizes"


def right_free(subject: OfOperation) -> Iterator[Fix]:
    """The operation that belongs to the buffer's resource, in place of the other."""
    op = subject.op
    frees = effects_at(subject.graph, op).frees
    if len(frees) != 1 or frees[0].condition is not None or op.results or op.regions or op.successors:
        return
    cluster = subject.program.aliases(subject.flow).cluster_of(frees[0].value)
    owned = [origin for origin in cluster.origins if origin.owned] if cluster is not None else []
    lines = printer.free(frees[0].value, owned, subject.graph.models)
    if lines is not None:
        edits = (Edit(op.span, lines[0]),)
        yield subject.fix(f"Free {frees[0].value.name} with {lines[0].split()[0]}", edits)


def simplified(subject: OfOperation) -> Iterator[Fix]:
    """A conditional deallocation without the conditions, buffers and retained values whose part in it is known."""
    op, aliases = subject.op, subject.program.aliases(subject.flow)
    frees = written_frees(subject.graph, op)
    if not frees or set(op.attributes) - {_SEGMENTS}:
        return
    known = [(free, _constant(subject, free)) for free in frees]
    live = [(free, truth) for free, truth in known if truth is not False]
    named = Counter(map(aliases.cluster_of, (*(free.value for free, _ in live), *frees[0].retained)))
    plain, rest = list[FreeOf](), list[FreeOf]()
    for free, truth in live:
        (plain if truth and _by_itself(subject, free, named, aliases) else rest).append(free)
    others = {aliases.cluster_of(free.value) for free in rest}
    retained = tuple(v for v in frees[0].retained if _may_be(aliases.cluster_of(v), others))
    if retained != frees[0].retained and retained and any(result.uses for result in op.results):
        retained = frees[0].retained  # results go by position
    lines = [_free(subject, free, aliases) for free in plain]
    lines += [_written(subject, rest, retained)] if rest else []
    writer = Writer(subject.text)
    if None in lines:
        return
    head = _results(op, retained if rest else (), writer)
    written = [line for line in lines if line is not None]
    if head is not None and head.endswith("="):
        written[-1] = f"{head} {written[-1]}"
    elif head is not None:
        written.append(head)
    writer.instead(op, written)
    names = ", ".join(free.value.name for free in frees)
    yield subject.fix(f"Simplify the deallocation of {names}", writer.edits())


def _constant(subject: OfOperation, free: FreeOf) -> bool | None:
    if free.condition is None:
        return None
    known = scalar_of(subject.graph, free.condition)
    return bool(known[1]) if known[0] == "const" else None


def _by_itself(subject: OfOperation, free: FreeOf, named: Counter[Cluster | None], aliases: Aliases) -> bool:
    """Whether nothing else freed or retained here can be the buffer, and its name stands for all of it.

    Args:
        named: how often each cluster is freed or retained here; None: what may be of any.
    """
    cluster = aliases.cluster_of(free.value)
    if cluster is None or named[cluster] > 1 or named[None]:
        return False
    return _origin(subject, free, cluster) is not None


def _origin(subject: OfOperation, free: FreeOf, cluster: Cluster) -> Origin | None:
    """Where the buffer is from that a name surely is all of."""
    if not is_whole(subject.graph, free.value, cluster.root):
        return None
    return next((origin for origin in cluster.origins if origin.value is cluster.root[free.value]), None)


def _may_be(cluster: Cluster | None, others: Set[Cluster | None]) -> bool:
    """Whether a buffer of a cluster may be one of the others, of those clusters; None: of any."""
    return bool(others) and (cluster is None or cluster in others or None in others)


def _free(subject: OfOperation, free: FreeOf, aliases: Aliases) -> str | None:
    cluster = aliases.cluster_of(free.value)
    origin = _origin(subject, free, cluster) if cluster is not None else None
    lines = printer.free(free.value, [origin], subject.graph.models) if origin is not None else None
    return lines[0] if lines is not None else None


def _written(subject: OfOperation, frees: list[FreeOf], retained: tuple[Value, ...]) -> str | None:
    """The operation with fewer operands."""
    values = [free.value for free in frees]
    conditions = [free.condition for free in frees if free.condition is not None]
    if any(value.type is None for value in (*values, *retained)) or len(conditions) != len(values):
        return None
    flags = ", ".join(condition.name for condition in conditions)
    kept = f" retain ({_typed(retained)})" if retained else ""
    return f"{subject.op.name} ({_typed(values)}) if ({flags}){kept}"


def _typed(values: list[Value] | tuple[Value, ...]) -> str:
    return f"{', '.join(v.name for v in values)} : {', '.join(v.type or '' for v in values)}"


def _results(op: Op, retained: tuple[Value, ...], writer: Writer) -> str | None:
    """What names the results: the head of the operation where it has them still, else a constant where one is used."""
    if not op.results:
        return None
    name = op.results[0].name.partition("#")[0]
    if retained:
        return f"{name} =" if len(retained) == 1 else f"{name}:{len(retained)} ="
    if not any(result.uses for result in op.results):
        return None
    for result in op.results if len(op.results) > 1 else ():
        writer.rename(result, name)
    return f"{name} = arith.constant false"
