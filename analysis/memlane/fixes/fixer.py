"""From a finding to its fix: candidates are made, applied to a copy, and checked again before one is handed out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from memlane.checking import Checked, check
from memlane.config import Config
from memlane.config.options import FORMS
from memlane.findings import Applicability, Certainty, Edit, Finding, Fix, Rule
from memlane.fixes.advice import CANNOT_READ, OF_BUFFER, OF_OPERATION, OfOperation
from memlane.fixes.contained import contained_frees
from memlane.fixes.counting import FREED_WRONGLY, counted, is_grave, key_of
from memlane.fixes.edit_writer import Writer, apply, difference
from memlane.fixes.fix_context import Ground, Place
from memlane.fixes.free_at_death import MovedFrees, moved
from memlane.fixes.limits import MAX_CHAIN
from memlane.fixes.naming import with_name
from memlane.fixes.planner import Plan, plan
from memlane.fixes.printer import TakenNames
from memlane.fixes.realloc_uses import may_not_be_freed, renewed, replaces_argument
from memlane.fixes.removing import Removal
from memlane.fixes.returned_flags import with_returned_flags
from memlane.fixes.strategies import ClusterPaths
from memlane.fixes.stub import stub, with_stub
from memlane.fixes.text_versions import Versions
from memlane.fixes.truths import Truths
from memlane.fixes.unread_flags import without_unread
from memlane.fixes.validate import Trials
from memlane.fixes.with_flags import with_flags, with_told_flags
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.interproc.extern_ownership import (
    may_be_another,
    may_be_kept,
    may_be_passed,
    may_be_used_unseen,
    stays_the_callers,
)
from memlane.flow.interproc.out_of_sight import may_go_on
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.exploded_liveness import Lift
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.placement.late import Buffers
from memlane.syntax.tree.tree import Op

_TWICE = ("double-free", "possible-double-free")
_MOVED = ("late-free", "sinkable-free")
"""The rules whose findings are repaired by freeing what is freed anyway at another place."""
_LEAK = "leak"
_EARLY = (Lift.NOTHING_TAKEN, Lift.NEVER)
_BEHIND = (Lift.ALWAYS,)
"""Where no condition tells on which paths buffers die inside an operation, they are freed behind it."""
UNKNOWN = "unknown-effects"
"""The rule about operations without a model."""

BY_FLAG = FORMS[1]
_MAY_BE_PASSED = "it is unknown which function is called: its result may be one of its arguments"
_MAY_BE_ANOTHER = "the result of a function without a body may be one of its arguments, or a part of one"
_MAY_BE_KEPT = (
    "a function without a body is passed its address, and may keep it: describe what it does to its arguments"
)
_MAY_BE_THE_CALLERS = "the buffer replaces one of the caller, and is the same one where that is large enough"
_MAY_NOT_BE_FREED = "where the reallocation fails, the buffer is not freed"
IN_BACKGROUND = "nothing here waits for the work started on the buffer: it may go on until the end"
_MAY_KEEP = "an unknown operation takes the buffer: it may keep it"
_ADDRESSES = "addresses are compared: memory that is freed earlier may be allocated again before that"


class _Chain(NamedTuple):
    """Fixes that follow one another: the edits of all together, and what those after the first say that they do."""

    edits: tuple[Edit, ...]
    messages: tuple[str, ...]


class Fixer:
    """The fixes of one checked text, each computed when it is asked for.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
        versions: see `Trials`.

    Attributes:
        ground: what stands behind the findings.
        trials: of edits.
    """

    def __init__(self, checked: Checked, config: Config, versions: Versions | None = None) -> None:
        self.checked = checked
        self._config = config
        self.ground = Ground(checked, config)
        self.trials = Trials(checked, config, versions)
        self._flagged: dict[tuple[Cluster, bool], Plan | None] = {}
        self._plans: dict[tuple[Cluster, frozenset[Op], bool, Lift, bool, bool], Plan | None] = {}
        self._explored: dict[Cluster, ClusterPaths] = {}
        self._latest: ClusterPaths | None = None
        self._chains: dict[tuple[tuple[Edit, ...], bool], _Chain] = {}
        self._bodies: dict[Op, BodyBlocks] = {}
        self._in_body: dict[Cluster, bool] = {}
        self._kept: dict[Cluster, tuple[frozenset[Op], ...]] = {}
        self._moved: dict[Buffers, MovedFrees | None] = {}
        self._moving: set[tuple[Edit, ...]] = set()
        self._renewed: dict[Cluster, tuple[Edit, ...]] = {}
        self._of_operations: dict[tuple[str, Op], tuple[Fix, ...]] = {}
        self._described: set[tuple[Rule, str]] = set()
        self._said: dict[tuple[str, Cluster], str] = {}

    def fix(self, finding: Finding, unsafe: bool = True) -> Fix | None:
        """The best fix that removes `finding` and adds no other; None: no fix.

        Args:
            unsafe: those that need a look will do as well.
        """
        if finding.report.fix is not None:
            return finding.report.fix  # what the rule itself proposes
        found = self.direct(finding, unsafe)
        if found is not None:
            return found
        followed = (self._followed(fix, finding) for fix in self._tried(finding, unsafe) if fix.edits)
        return next((fix for fix in followed if fix is not None), None)

    def direct(self, finding: Finding, unsafe: bool = True) -> Fix | None:
        """The best fix of `finding` that needs no other to follow it."""
        for fix in self._tried(finding, unsafe):
            if self._describes(fix, finding) if fix.additions else self.trials.hold(fix.edits, [finding]):
                return fix
        return None

    def _tried(self, finding: Finding, unsafe: bool) -> Iterator[Fix]:
        return (fix for fix in self.candidates(finding) if unsafe or fix.applicability is Applicability.SAFE)

    def candidates(self, finding: Finding) -> Iterator[Fix]:
        """Fixes that have not been tried yet, best first."""
        if finding.report.doubt:
            return
        rule = finding.rule.name
        of_operation = self.ground.operation(finding) if rule in OF_OPERATION or rule == UNKNOWN else None
        if of_operation is not None and rule == UNKNOWN:
            yield stub(of_operation.op, self._config)
        elif of_operation is not None:
            yield from self._about_operation(rule, of_operation)
        of_buffer = self.ground.buffer(finding) if rule in OF_BUFFER else None
        if of_buffer is not None:
            yield from OF_BUFFER[rule](of_buffer)
        if rule in FREED_WRONGLY and finding.report.buffer is None:
            yield from self._naming(finding)
        place = self.cluster(finding)
        if place is not None and rule in _MOVED:
            yield from self._where_it_dies(finding, place)
        if place is not None and rule in FREED_WRONGLY and (rule != "argument-free" or _is_wrong(*place)):
            yield from self._placed(finding, *place)
            if rule in _TWICE and not place[1].entry:
                yield from self._without(finding, place)

    def _where_it_dies(self, finding: Finding, place: Place) -> Iterator[Fix]:
        """Free a buffer that is freed late where it dies, and nothing else."""
        program, flow, _ = place
        _, op = self.ground.op(finding.report.span) or (flow, None)
        placement = self.ground.placement(program, flow)
        buffers = placement.buffers_of(op) if op is not None else None
        if buffers is None:
            return
        if buffers not in self._moved:
            self._moved[buffers] = moved(program, flow, placement, buffers, self.checked.text)
        found = self._moved[buffers]
        if found is not None and found.edits:
            self._moving.add(found.edits)
            somewhere = " on each path" if found.placed > 1 else ""
            message = f"Free {_named(finding)} right after its last use{somewhere}{found.besides}"
            fix = self._graded(finding, message, place, found.edits, not found.sure)
            if compares_addresses(flow.graph):
                reason = "; ".join(filter(None, (fix.reason, _ADDRESSES)))
                fix = replace(fix, applicability=Applicability.UNSAFE, reason=reason)
            yield fix

    def _about_operation(self, rule: str, subject: OfOperation) -> tuple[Fix, ...]:
        """The fixes of an operation, of which there may be a finding for each of its operands."""
        if (rule, subject.op) not in self._of_operations:
            self._of_operations[rule, subject.op] = tuple(OF_OPERATION[rule](subject))
        return self._of_operations[rule, subject.op]

    def _naming(self, finding: Finding) -> Iterator[Fix]:
        """A name for the buffer, which another fix can free then."""
        flow, op = self.ground.op(finding.report.span) or (None, None)
        edits = with_name(flow, op, self.checked.text) if flow is not None and op is not None else ()
        if flow is not None and edits:
            yield Fix("Give the buffer a name", edits, *self._grade(flow, False))

    def repairs(self, finding: Finding) -> bool:
        """Whether there are fixes for findings of this rule at all."""
        return finding.rule.name in {UNKNOWN, *FREED_WRONGLY, *OF_BUFFER, *OF_OPERATION}

    def _placed(self, finding: Finding, program: Program, flow: FunctionFlow, cluster: Cluster) -> Iterator[Fix]:
        """Fixes that free the buffers of a cluster elsewhere."""
        kept = self._kept.get(cluster)
        if kept is None:  # what could be moved, and no finding speaks of; first without what is late
            named = self.ground.named(cluster)
            taken_out = self._paths(program, flow, cluster).taken_out
            keep = frozenset(op for op in taken_out if op.name_span not in named)
            placement = self.ground.placement(program, flow) if keep else None
            in_time = frozenset(op for op in keep if placement is None or not placement.would_be_late(op))
            kept = self._kept[cluster] = tuple(dict.fromkeys((in_time, keep, frozenset[Op]())))
        for by_flag in (True, False) if self._config.values["fix.form"] == BY_FLAG else (False,):
            planned: list[bool] = []
            for lifts in (_EARLY, _BEHIND):
                plans = self._plans_of((program, flow, cluster), kept, by_flag, lifts)
                asking: list[Plan] = []
                for found in plans:
                    planned.append(found is not None)
                    if found is not None and found.cost:
                        asking.append(found)  # others may do without
                    elif found is not None and found.edits:
                        yield self._fix(finding, _message(finding, found), (program, flow, cluster), found)
                for found in sorted(asking, key=lambda plan: plan.cost):
                    yield self._fix(finding, _message(finding, found), (program, flow, cluster), found)
            flagged = self._with_flags(program, flow, cluster, by_flag) if not any(planned) else None
            if flagged is not None:
                message = f"{_message(finding, flagged)}, with a flag that says who owns it"
                yield self._fix(finding, message, (program, flow, cluster), flagged)
        if finding.rule.name == _LEAK:
            yield from self._contained(finding, (program, flow, cluster))
        if cluster not in self._renewed:
            self._renewed[cluster] = renewed(flow, cluster, self.checked.text)
        edits = self._renewed[cluster]
        if edits:
            yield Fix("Use the buffer that took the place of the freed one", edits, *self._grade(flow, False))

    def _plans_of(
        self, place: Place, kept: Iterable[frozenset[Op]], by_flag: bool, lifts: Iterable[Lift]
    ) -> Iterator[Plan | None]:
        """Ways to free the buffers of a cluster, best first; None for one that does not tell.

        Args:
            kept: sets of deallocations that are to stay where they are if possible, the first preferred.
            by_flag: see `plan`.
            lifts: until where buffers may live, the first preferred.
        """
        some = False
        for handed, lift, ops in product((False, True), lifts, kept):
            for past in (True, False) if lift is not Lift.NEVER or some else ():
                found = self._plan(*place, ops, by_flag, lift, past, handed)
                some = some or found is not None
                yield found
                if found is None or not found.past:
                    break  # all has been followed

    def _contained(self, finding: Finding, place: Place) -> Iterator[Fix]:
        """Free buffers of which some stay in a container, all at one place."""
        edits = contained_frees(*place, self.checked.text)
        if edits:
            others = ", and what is kept with it," if len(place[2].origins) > 1 else ""
            yield self._graded(finding, f"Free {_named(finding)}{others} after the last use", place, edits, False)

    def _without(self, finding: Finding, place: Place) -> Iterator[Fix]:
        """What a private function does to its argument is its callers' business; freeing it twice is not."""
        program, flow, _ = place
        _, op = self.ground.op(finding.report.span) or (flow, None)
        if op is not None and not (op.results or op.regions or op.successors) and program.callee(op) is None:
            writer = Writer(self.checked.text)
            truths = Truths(flow.graph, writer, TakenNames(self.checked.text))
            removal = Removal(flow.graph, [op])
            removal.remove(writer, truths)
            truths.finish()
            message = f"Remove the deallocation of {_named(finding)}{removal.besides()}"
            yield Fix(message, writer.edits(), *self._grade(flow, False))

    def moves(self, fix: Fix) -> bool:
        """Whether a fix only moves the deallocations of buffers that are freed together to where these die."""
        return fix.edits in self._moving

    def removes(self, fix: Fix, finding: Finding) -> bool:
        """Whether a fix takes out the one deallocation that the finding is about, and leaves the others to theirs."""
        place = self.cluster(finding) if finding.rule.name in _TWICE else None
        return place is not None and fix in self._without(finding, place)

    def in_body(self, finding: Finding) -> bool:
        """Whether all that frees the buffers of a finding stands in the blocks of the function: in one of a region, the
        last to be taken out would have to take the operation around with it."""
        place = self.cluster(finding)
        if place is None:
            return False
        _, flow, cluster = place
        if cluster not in self._in_body:
            ops = (use.op for value in cluster.root for use in value.uses)
            freeing = (op for op in ops if effects_at(flow.graph, op).frees)
            inside = (op.parent is not None and op.parent.region.op is flow.op for op in freeing)
            self._in_body[cluster] = all(inside)
        return self._in_body[cluster]

    def _followed(self, first: Fix, finding: Finding) -> Fix | None:
        """A fix together with the safe ones of what it brings: a use that goes may leave another buffer freed late."""
        chained = self._chained(first.edits, advice=not is_grave(finding))
        if not chained.messages or not self.trials.hold(chained.edits, [finding]):
            return None
        return Fix("; ".join((first.message, *chained.messages)), chained.edits, first.applicability, first.reason)

    def _chained(self, first: tuple[Edit, ...], advice: bool) -> _Chain:
        """Edits together with the safe fixes of what they bring, whichever finding they were made for."""
        if (first, advice) not in self._chains:
            text, messages = self._chain(first, advice)
            source = self.checked.text.source
            text = without_unread(source, text, self._config.models) if messages else text
            edits = difference(source, text) if messages else ()
            self._chains[first, advice] = _Chain(edits, tuple(messages))
        return self._chains[first, advice]

    def _chain(self, first: tuple[Edit, ...], advice: bool) -> tuple[str, list[str]]:
        """The text after all these edits; what the further fixes say that they do."""
        before = counted(self.trials.known().findings, advice)
        text, messages = apply(self.checked.text.source, first), list[str]()
        for _ in range(MAX_CHAIN):
            fixer = Fixer(self.trials.check(text), self.trials.strict, self.trials.versions)
            now = counted(fixer.checked.findings, advice)
            new = [f for f in fixer.checked.findings if (advice or is_grave(f)) and now[key_of(f)] > before[key_of(f)]]
            tries = ((fix, one) for one in new for fix in fixer.candidates(one))
            safe = ((fix, one) for fix, one in tries if fix.applicability is Applicability.SAFE)
            fix = next((fix for fix, one in safe if fixer.trials.hold(fix.edits, [one])), None)
            if fix is None:
                break
            text = apply(text, fix.edits)
            messages.append(fix.message[:1].lower() + fix.message[1:])
        return text, messages

    def describe(self, findings: Iterable[Finding]) -> None:
        """Try the descriptions of all operations without a model at once: one check, not one for each."""
        asked = [finding for finding in findings if finding.rule.name == UNKNOWN and finding.report.fix is None]
        fixes = [fix for finding in asked for fix in self.candidates(finding)]
        if len(fixes) > 1:
            self._described |= self._gone(fixes, asked)

    def _describes(self, fix: Fix, finding: Finding) -> bool:
        """Whether with what `fix` adds to the configuration the finding is gone. What is known then may be anything."""
        said = finding.rule, finding.report.message
        return said in self._described or said in self._gone([fix], [finding])

    def _gone(self, fixes: list[Fix], findings: Iterable[Finding]) -> set[tuple[Rule, str]]:
        """What of that which the findings say is not said any more with what the fixes add to the configuration."""
        after = check(self.checked.text.source, with_stub(self._config, *fixes))
        said = {(finding.rule, finding.report.message) for finding in findings}
        return said - {(finding.rule, finding.report.message) for finding in after.findings}

    def cluster(self, finding: Finding) -> Place | None:
        """What the finding is about: the buffers that may be the one it names."""
        return self.ground.cluster(finding)

    def _fix(self, finding: Finding, message: str, place: Place, found: Plan) -> Fix:
        return self._graded(finding, message, place, found.edits, found.unsure)

    def _graded(self, finding: Finding, message: str, place: Place, edits: tuple[Edit, ...], unsure: bool) -> Fix:
        program, flow, cluster = place
        grade = self._grade(flow, unsure)
        if grade[0] is Applicability.SAFE:
            reason = _MAY_BE_PASSED if may_be_passed(program, flow, cluster) else self._reason(finding, place)
            grade = (Applicability.UNSAFE, reason) if reason else grade
        return Fix(message, edits, *grade)

    def _reason(self, finding: Finding, place: Place) -> str:
        """Why memory must not be freed for the sake of a finding without a look; empty: there is no reason."""
        if finding.rule.name in _MOVED:
            return self.once(_unseen, place)
        return self.once(_doubt, place) if _may_be_right(finding) else ""

    def once(self, ask: Callable[[Program, FunctionFlow, Cluster], str], place: Place) -> str:
        """What `ask` says of a place. It is asked once: many findings may be about the same buffers."""
        key = ask.__name__, place[2]
        if key not in self._said:
            self._said[key] = ask(*place)
        return self._said[key]

    def _grade(self, flow: FunctionFlow, unsure: bool) -> tuple[Applicability, str]:
        """Safe where everything that may use the buffers has been read and is described."""
        reasons = [_MAY_KEEP] if unsure else []
        reasons += [] if self.ground.readable(flow) else [CANNOT_READ]
        return Applicability.UNSAFE if reasons else Applicability.SAFE, "; ".join(reasons)

    def _plan(
        self,
        program: Program,
        flow: FunctionFlow,
        cluster: Cluster,
        keep: frozenset[Op],
        by_flag: bool,
        lift: Lift,
        past: bool,
        handed: bool,
    ) -> Plan | None:
        key = cluster, keep, by_flag, lift, past, handed
        if key not in self._plans:
            body = self._bodies.get(flow.op)
            if body is None:
                known = (expr for context in program.contexts(flow) for expr in context.constants)
                body = self._bodies[flow.op] = BodyBlocks(flow.graph, known)
            explored, text = self._paths(program, flow, cluster), self.checked.text
            self._plans[key] = plan(explored, text, keep, (), by_flag, lift, body=body, past=past, handed=handed)
        return self._plans[key]

    def _paths(self, program: Program, flow: FunctionFlow, cluster: Cluster) -> ClusterPaths:
        """The paths of a cluster; those of the one before are forgotten, as the plans of one are asked for together."""
        if cluster not in self._explored:
            self._explored[cluster] = ClusterPaths(program, flow, cluster)
        explored = self._explored[cluster]
        if self._latest is not None and self._latest is not explored:
            self._latest.forget()
        self._latest = explored
        return explored

    def _with_flags(self, program: Program, flow: FunctionFlow, cluster: Cluster, by_flag: bool) -> Plan | None:
        key, models = (cluster, by_flag), self._config.models
        if key not in self._flagged:
            found = with_flags(self.checked, models, flow, cluster, by_flag)
            found = found or with_told_flags(self.checked, models, flow, cluster, program, by_flag)
            found = found or with_returned_flags(self.checked, models, program, flow, cluster, by_flag)
            self._flagged[key] = found
        return self._flagged[key]


def _may_be_right(finding: Finding) -> bool:
    """Whether a program may be right in which something is freed more or less often for the sake of a finding."""
    certain = finding.report.certainty is Certainty.ALWAYS and finding.rule.name != _LEAK
    return not certain and finding.rule.name not in _MOVED


def _doubt(program: Program, flow: FunctionFlow, cluster: Cluster) -> str:
    """Why memory of a cluster must not be freed without a look; empty: there is no reason."""
    if may_be_another(program, flow, cluster):
        return _MAY_BE_ANOTHER
    if replaces_argument(program, flow, cluster):
        return _MAY_BE_THE_CALLERS
    if may_not_be_freed(program, flow, cluster):
        return _MAY_NOT_BE_FREED
    if may_be_kept(program, flow, cluster):
        return _MAY_BE_KEPT
    return IN_BACKGROUND if may_go_on(program, flow, cluster.root) else ""


def _unseen(program: Program, flow: FunctionFlow, cluster: Cluster) -> str:
    """Why memory of a cluster must not be freed earlier without a look; empty: there is no reason."""
    if may_be_used_unseen(program, flow, cluster):
        return _MAY_BE_KEPT
    return IN_BACKGROUND if may_go_on(program, flow, cluster.root) else ""


def _named(finding: Finding) -> str:
    return finding.report.buffer.name if finding.report.buffer is not None else "the buffer"


def _message(finding: Finding, found: Plan) -> str:
    """What the fix does, in words."""
    name, besides = _named(finding), found.besides
    if not found.placed:
        count = len(found.removed)
        return f"Remove {'the deallocation' if count == 1 else f'{count} deallocations'} of {name}{besides}"
    somewhere = len(found.placed) > 1 or any(site.edge is not None or site.tree.size for site in found.placed)
    paths = " on each path" if somewhere else ""
    return f"Free {name} {'right ' if found.removed else ''}after its last use{paths}{besides}"


def _is_wrong(_: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether no function may free the arguments of a cluster."""
    arguments = (origin.value for origin in cluster.origins if origin.kind is OriginKind.ARGUMENT)
    return all(stays_the_callers(flow, value) for value in arguments)
