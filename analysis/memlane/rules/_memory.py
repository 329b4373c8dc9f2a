"""What the rules about memory share: from an incident or a late deallocation to a report with its path."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.config import Config
from memlane.findings import Buffer, Certainty, Note, Report, Severity, Span
from memlane.flow import EventKind, FunctionFacts, Incident, Origin, OriginKind
from memlane.flow.dataflow.call_outcomes import OpPlace
from memlane.flow.symbolic.amounts import number
from memlane.format import in_bytes
from memlane.syntax.tree.tree import Op


def incidents(facts: FunctionFacts, kind: EventKind, certainty: Certainty | None = None) -> Iterator[Incident]:
    """The incidents of a kind, of one certainty where it matters."""
    for incident in facts.incidents:
        if incident.kind is kind and certainty in (None, incident.certainty):
            yield incident


def report(message: str, incident: Incident, notes: tuple[Note, ...] = (), severity: Severity | None = None) -> Report:
    """The report of an incident with its notes in the order of time: where the buffer is from, the choices on the way,
    and `notes`, of which the first may be about its cause.

    `severity`: where it differs from its rule's.
    """
    origin = incident.origin
    path = [Note(step.choice, step.op.name_span) for step in incident.path]
    if incident.caused is not None and notes and _is_at(incident.cause, notes[0]):
        path.insert(incident.caused, notes[0])
        notes = notes[1:]
    if origin.value.op is not incident.place:
        path[incident.made : incident.made] = [Note(made(origin), where(origin)), *_passed_twice(incident)]
    return Report(
        message=message,
        span=incident.place.name_span,
        certainty=incident.certainty,
        buffer=buffer(origin) if origin.value.name else None,
        notes=(*path, *notes),
        severity=severity,
        doubt=incident.doubt,
    )


def _is_at(op: Op | None, note: Note) -> bool:
    return op is not None and op.name_span == note.span


def _passed_twice(incident: Incident) -> Iterator[Note]:
    """The note on arguments that are one buffer because a call passes it as each of them, where that is why."""
    own = incident.value is None or incident.value is incident.origin.value
    if len(incident.same) > 1 and not (own and incident.cause is None):
        *others, last = (value.name for value in incident.same)
        who = f"@{incident.caller}" if incident.caller else "a call"
        yield Note(f"{who} passes one buffer as {', '.join(others)} and {last}", incident.same[-1].span)


def buffer(origin: Origin) -> Buffer:
    """The buffer as findings name it."""
    size = (origin.size or origin.asked) if origin.kind is not OriginKind.ARGUMENT else None
    expression = None if size is None or size.bytes is not None else str(size)
    return Buffer(origin.value.name, origin.value.span, None if size is None else size.bytes, expression)


def is_late(origin: Origin, operations: int, config: Config) -> bool:
    """Whether a buffer is large enough, and held for long enough, to be reported as late. One of 0 bytes never is."""
    known = buffer(origin).size
    if known is not None and known < max(1, config.values["limits.late-bytes"]):
        return False
    return operations >= config.values["limits.late-operations"]


def grows(origin: Origin, iterations: int | None, config: Config) -> bool:
    """Whether a buffer on the stack that is made in each iteration of a loop takes enough in all to be reported. One of
    0 bytes never does; where it is not known how often the loop runs, any other does."""
    known = buffer(origin).size
    if known == 0 or (iterations is not None and iterations < 2):
        return False
    return known is None or iterations is None or known * iterations >= config.values["limits.stack-growth"]


def in_loops(origin: Origin, iterations: int | None) -> str:
    """What a buffer takes that each iteration of a loop makes: `4 KiB more in each of 8 iterations, 32 KiB in all`. The
    total is given for sizes that are numbers: others may differ from one iteration to the next."""
    size = origin.told
    more = "more" if size is None else f"{in_bytes(size)} more"
    if iterations is None:
        return f"{more} in each iteration"
    known = size.bytes if size is not None else None
    whole = "" if known is None else f", {in_bytes(number(known * iterations))} in all"
    return f"{more} in each of {iterations} iterations{whole}"


def named(origin: Origin) -> str:
    """Its name; of what an operation makes whose results have none, that."""
    return origin.value.name or "without a name"


def amount(origin: Origin) -> str:
    """The size in words: ` of 1024 bytes`, or nothing where it is unknown."""
    size = origin.told
    return f" of {in_bytes(size)}" if size is not None else ""


def made(origin: Origin) -> str:
    """How the buffer came to be, in words."""
    words = {
        OriginKind.ARGUMENT: "is an argument of the function",
        OriginKind.CALL: "is returned by this call",
        OriginKind.ALLOCATION: "is allocated here",
        OriginKind.VALUE: "is defined here",
    }
    return f"{origin.value.name} {words[origin.kind]}"


def where(origin: Origin) -> Span:
    """Where it came to be: the op's name token, or the argument."""
    return origin.value.op.name_span if origin.value.op is not None else origin.value.span


def known_as(incident: Incident) -> str:
    """The name by which the place knows the buffer."""
    return incident.value.name if incident.value is not None else incident.origin.value.name


def freed(op: Op | None, words: str = "freed here") -> tuple[Note, ...]:
    """The note at the op that freed the buffer."""
    return () if op is None else (Note(words, op.name_span),)


def inside(op: OpPlace | None, words: str) -> tuple[Note, ...]:
    """The note in the callee, when it does it."""
    return () if op is None else (Note(words, op.name_span),)


def within_call(incident: Incident) -> bool:
    """Whether a call does all of it, to a buffer that it passes twice."""
    return incident.cause is None and incident.inside is not None
