"""Facts of functions: control flow, aliases, ownership, last uses, sizes."""

from memlane.flow.alias.origin import Origin, OriginKind, allocated
from memlane.flow.dataflow.events import EventKind
from memlane.flow.function_facts import FunctionFacts, StackGrowth, analyse
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.symbolic.sizes import Size
from memlane.flow.typestate.cluster_result import Incident

__all__ = [
    "EventKind",
    "FunctionFacts",
    "FunctionFlow",
    "Incident",
    "Origin",
    "OriginKind",
    "Program",
    "Size",
    "StackGrowth",
    "allocated",
    "analyse",
]
