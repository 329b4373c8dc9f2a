"""Why a finding has no fix, or none that is safe: what an editor shows beside it, and `memlane check --fix` counts."""

from __future__ import annotations

from memlane.dialects import builtin_models
from memlane.findings import Applicability, Finding
from memlane.fixes.counting import FREED_WRONGLY
from memlane.fixes.fixer import Fixer
from memlane.fixes.own import takes_no_more, written_type
from memlane.fixes.plan import kept_in_memory
from memlane.fixes.returned import unclear
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster

A_LOOK = "its fix needs a look"
NO_KIND = "for findings of this kind there is none"
NO_BUFFER = "it cannot be told which buffers may be meant"
NO_FREE = "no operation is known that frees this kind of buffer"
CALLERS = "what {callee} returns is the caller's on some paths only, and its callers cannot all be told which"
MORE = "what frees this kind of buffer takes or gives more than the buffer, by its description"
NO_TYPE = "the text does not tell the type of the buffer"
NO_PATHS = "there is no place where it is known on which paths the buffer is to be freed, or there are too many paths"
KEPT = (
    "the buffer is kept in memory, where it may be used without being named here: its deallocations stay where they are"
)
NOT_DESCRIBED = "where control goes at {op} is not described"
NOT_PLAIN = "the buffer is used in more ways than the repair can follow"
NOT_TOGETHER = "its fix cannot be made together with what else is wrong there"
NOT_TRIED = "no fix was looked for: too much has been tried for other findings of the text"
ADDS = "its fix adds to the configuration, which only an editor does"
NOT_CLEAN = "what was tried leaves the finding or brings another"


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
    known = fixer.unplaced.get(id(place[2]))
    if known is None:
        known = fixer.unplaced[id(place[2])] = _unplaced(*place)
    return known


def _unplaced(program: Program, flow: FunctionFlow, cluster: Cluster) -> str:
    resources = {origin.resource for origin in cluster.origins if origin.owned}
    known, builtin = flow.graph.models.resources, builtin_models().ops
    if any(name not in known or known[name].free is None for name in resources):
        return NO_FREE
    if kept_in_memory(program, flow, cluster):
        return KEPT
    frees = [known[name].free or "" for name in resources]
    if not all(" " in name or name in builtin or takes_no_more(name, flow.graph.models) for name in frees):
        return MORE
    if any(written_type(origin.value) is None for origin in cluster.origins if origin.owned):
        return NO_TYPE
    callee = next((callee for callee, _ in unclear(program, cluster)), None)
    return CALLERS.format(callee=f"@{callee.name}") if callee is not None else NO_PATHS
