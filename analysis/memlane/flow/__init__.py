"""Facts of functions: control flow, aliases, ownership, last uses, sizes."""

from memlane.flow.alias import Origin, OriginKind
from memlane.flow.events import EventKind
from memlane.flow.followed import Incident
from memlane.flow.liveness import LateFree
from memlane.flow.ownership import FunctionFacts, StackGrowth, analyse
from memlane.flow.program import FunctionFlow, Program
from memlane.flow.sizes import Size, size_of

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
    "analyse",
    "size_of",
]
