"""Whose a buffer is that a function gives which is declared only.

Of memrefs the rules for function boundaries say that: results are the caller's. Of a bare pointer nobody says it: what
a library gives may be a part of something of its own. So that nobody frees it is wrong perhaps, and no more.
"""

from __future__ import annotations

from dataclasses import replace

from memlane.findings import Certainty
from memlane.flow.alias.alias import Origin, OriginKind
from memlane.flow.calls.function import FunctionFlow
from memlane.flow.control.fields import Field
from memlane.flow.paths.followed import Incident
from memlane.flow.scalars.types import is_pointer
from memlane.flow.states.events import EventKind


def unsettled(flow: FunctionFlow, origin: Origin) -> bool:
    """Whether nobody says that a buffer in `flow` is the caller's of the function that gives it."""
    value = origin.value
    bare = is_pointer(value.type) and not isinstance(value, Field)
    return origin.kind is OriginKind.CALL and bare and value.op not in flow.calls


def as_known(flow: FunctionFlow, incident: Incident) -> Incident:
    """An incident, no more certain than it is whose the buffer is. Who frees it on some path says it is theirs."""
    certain = incident.kind is EventKind.LEAK and incident.certainty is Certainty.ALWAYS
    if not certain or not unsettled(flow, incident.origin):
        return incident
    return replace(incident, certainty=Certainty.SOME, unsettled=True)
