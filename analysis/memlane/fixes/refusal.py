"""Why a finding has no fix, or none that is safe: what an editor shows beside it, and `memlane check --fix` counts."""

from __future__ import annotations

from memlane.dialects import builtin_models
from memlane.findings import Applicability, Finding
from memlane.fixes.counting import FREED_WRONGLY
from memlane.fixes.custom_free import takes_no_more, written_type
from memlane.fixes.fixer import IN_BACKGROUND, Fixer
from memlane.fixes.movable import kept_in_memory
from memlane.fixes.returned_flags import unclear
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.interproc.out_of_sight import may_go_on

A_LOOK = "its fix is unsafe"
NO_KIND = "no fix is known for findings of this kind"
NO_BUFFER = "it is unknown which buffers the value may be"
NO_FREE = "no operation is known that frees this kind of buffer"
CALLERS = (
    "the caller owns the result of {callee} on some paths only, and not all callers can take a flag that says so, or "
    "too many functions would have to return one"
)
MORE = "the operation that frees this kind of buffer is declared with more operands or results than the buffer"
NO_TYPE = "the type of the buffer is not in the text"
NO_PATHS = "no place decides on which paths the buffer is to be freed, or there are too many paths"
_IN_MEMORY = "the buffer is kept in memory, where it may be used without being named here: "
KEPT = f"{_IN_MEMORY}its deallocations stay where they are"
KEPT_LEAK = f"{_IN_MEMORY}no place is known behind all uses"
NOT_DESCRIBED = "the control flow of {op} is not declared"
NOT_PLAIN = "the buffer is used in more ways than the repair can follow"
NOT_TOGETHER = "its fix cannot be combined with those of other findings there"
NOT_TRIED = "no fix was looked for: the limit of attempts for this file is reached"
ADDS = "its fix adds to the configuration, which only an editor can apply"
NOT_CLEAN = "each fix that was tried leaves the finding or causes another"


_NEVER_FREED = ("leak", "possible-leak")


def refusal(fixer: Fixer, finding: Finding, unsafe: bool = False) -> str:
    """Why `finding` has no safe fix, as words that can follow `because`; "" where it has one.

    Args:
        unsafe: one that needs a look will do.
    """
    fix = fixer.fix(finding)
    if fix is not None and unsafe:
        return ADDS if fix.additions else ""
    if fix is not None and fix.applicability is Applicability.UNSAFE:
        return f"{A_LOOK}: {fix.reason}" if fix.reason else A_LOOK
    if fix is not None:
        return ""
    if finding.report.doubt:
        return NOT_DESCRIBED.format(op=finding.report.doubt)
    if any(True for _ in fixer.candidates(finding)):
        return NOT_CLEAN
    if not fixer.repairs(finding):
        return NO_KIND
    place = fixer.cluster(finding)
    if place is None:
        return NO_BUFFER
    if finding.rule.name not in FREED_WRONGLY:
        return NOT_PLAIN
    reason = fixer.once(_unplaced, place)
    return KEPT_LEAK if reason == KEPT and finding.rule.name in _NEVER_FREED else reason


def _unplaced(program: Program, flow: FunctionFlow, cluster: Cluster) -> str:
    resources = {origin.resource for origin in cluster.origins if origin.owned}
    known, builtin = flow.graph.models.resources, builtin_models().ops
    if any(name not in known or known[name].free is None for name in resources):
        return NO_FREE
    if kept_in_memory(program, flow, cluster):
        return KEPT
    if may_go_on(program, flow, cluster.root):
        return IN_BACKGROUND
    frees = [known[name].free or "" for name in resources]
    if not all(" " in name or name in builtin or takes_no_more(name, flow.graph.models) for name in frees):
        return MORE
    if any(written_type(origin.value) is None for origin in cluster.origins if origin.owned):
        return NO_TYPE
    callee = next((callee for callee, _ in unclear(program, cluster)), None)
    return CALLERS.format(callee=f"@{callee.name}") if callee is not None else NO_PATHS
