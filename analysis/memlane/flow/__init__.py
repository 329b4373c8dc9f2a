"""Facts of functions: control flow, aliases, ownership, last uses, sizes."""

from memlane.flow.alias.liveness import LateFree
from memlane.flow.alias.origin import Origin, OriginKind, allocated
from memlane.flow.calls.program import FunctionFlow, Program
from memlane.flow.ownership import FunctionFacts, StackGrowth, analyse
from memlane.flow.paths.followed import Incident
from memlane.flow.scalars.sizes import Size
from memlane.flow.states.events import EventKind

__all__ = [
    "EventKind",
    "FunctionFacts",
    "FunctionFlow",
    "Incident",
    "LateFree",
    "Origin",
    "OriginKind",
    "Program",
    "Size",
    "StackGrowth",
    "allocated",
    "analyse",
]
