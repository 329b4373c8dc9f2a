"""Applying fixes until none is left: what `memlane check --fix` and `source.fixAll` do."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memlane.cancellation import poll
from memlane.checking import Checked, check
from memlane.config import Config
from memlane.dialects.model import Models
from memlane.findings import Applicability, Edit, Finding, Fix, Span
from memlane.fixes.counting import GRAVE
from memlane.fixes.edit_writer import apply
from memlane.fixes.fixer import Fixer
from memlane.fixes.limits import (
    MAX_CHECKED_CHARACTERS,
    MAX_CHECKED_PER_CHARACTER,
    MAX_DROPPED,
    MAX_FIXES_TOGETHER,
    MAX_ROUNDS,
)
from memlane.fixes.merging import asks, declares, merged, splits
from memlane.fixes.refusal import NOT_TOGETHER, NOT_TRIED, refusal
from memlane.fixes.repeated_constants import without_repeated
from memlane.fixes.text_versions import Versions
from memlane.fixes.unread_flags import without_unread
from memlane.fixes.validate import asks_for_all, strict
from memlane.flow.alias.alias import Cluster
from memlane.rules.undefined_symbol import RULE as UNDEFINED
from memlane.syntax import parse
from memlane.syntax.tree.tree import Tree

T = TypeVar("T")


def with_fixes(checked: Checked, config: Config | None = None) -> Checked:
    """The same findings, with the fix of each that has one."""
    fixer = Fixer(checked, config or Config())
    fixer.describe(checked.findings)
    found: dict[Finding, Fix] = {}
    rest = [finding for finding in checked.findings if finding.report.fix is None]
    while chosen := _best(fixer, rest, lambda fix: not fix.additions):
        found.update((*chosen, *_alike(fixer, chosen, rest)))
        rest = [finding for finding in rest if finding not in found]
    fixes = (found.get(finding) or _alone(fixer, finding) for finding in checked.findings)
    pairs = zip(checked.findings, fixes, strict=True)
    fixed = (replace(f, report=replace(f.report, fix=fix)) if fix is not None else _left(fixer, f) for f, fix in pairs)
    return replace(checked, findings=tuple(fixed))


def _tidied(before: str, after: str, models: Models) -> str:
    """`after` without what repairs that followed one another leave behind."""
    return without_unread(before, without_repeated(before, after, models), models)


def _left(fixer: Fixer, finding: Finding, unsafe: bool = False, ended: bool = True) -> Finding:
    """A finding with why it is left after fixes were looked for; `unsafe`: those that need a look as well; `ended`:
    there are no more that could be made."""
    if finding.report.unfixed:
        return finding
    tried = ended and (finding.report.fix is not None or _patient(fixer))
    reason = refusal(fixer, finding, unsafe) or NOT_TOGETHER if tried else NOT_TRIED
    return replace(finding, report=replace(finding.report, unfixed=reason))


def fix_all(source: str, config: Config | None = None, unsafe: bool = False) -> str:
    """`source` after its fixes: applied, checked and looked for again until there are no more.

    Args:
        unsafe: also apply fixes that may change behaviour.
    """
    return repaired(source, config or Config(), unsafe).checked.text.source


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text after its fixes, with what is left in it.

    Args:
        checked: what is left says why, if that is asked for.
        fixed: the rules of the findings that the fixes took away, in alphabetical order.
    """

    checked: Checked
    fixed: tuple[str, ...]


def repaired(
    source: str,
    config: Config,
    unsafe: bool = False,
    reasons: bool = False,
    wanted: Callable[[Finding], bool] | None = None,
    versions: Versions | None = None,
) -> Repaired:
    """What `fix_all` comes to.

    Args:
        reasons: say also why the rest was left.
        wanted: the findings whose fixes are made; None: all.
        versions: checks the texts under the strict configuration; None: this is the first text.
    """
    versions = versions or Versions(strict(config))
    first = checked = _checked(source, config, versions)
    fixer = Fixer(checked, config, versions)
    ended = False
    for _ in range(MAX_ROUNDS):
        poll()
        now = checked.text.source
        after = _round(
            fixer, [*filter(wanted, checked.findings)] if wanted else [*checked.findings], unsafe, config.models
        )
        after = _tidied(source, now, config.models) if after is None else after
        ended = after == now
        if ended:
            break
        checked = _checked(after, config, versions)
        fixer = Fixer(checked, config, versions)
    before, now = (Counter(map(_known_as, found.findings)) for found in (first, checked))
    fixed = tuple(sorted(rule for rule, _, _ in (before - now).elements()))
    if reasons:
        left = tuple(_left(fixer, finding, unsafe, ended) for finding in checked.findings)
        checked = replace(checked, findings=left)
    return Repaired(checked, fixed)


def _checked(source: str, config: Config, versions: Versions) -> Checked:
    """The findings of `source` by the rules that are asked for; `versions`: of all rules."""
    return versions.check(source) if asks_for_all(config) else check(source, config)


def _known_as(finding: Finding) -> tuple[str, str | None, str | None]:
    """How a finding is recognised in another version of the text."""
    buffer = finding.report.buffer
    return finding.rule.name, finding.function, buffer.name if buffer is not None else None


def _round(fixer: Fixer, findings: Sequence[Finding], unsafe: bool, models: Models) -> str | None:
    """The text after one round: what is wrong comes first, then advice; None: nothing to do."""
    source = fixer.checked.text.source
    for grave in (True, False):
        edits = _some(fixer, [finding for finding in findings if (finding.severity in GRAVE) is grave], unsafe)
        if edits:
            return apply(source, edits)
    ready = _ready(fixer.checked, findings, unsafe, models)
    return apply(source, ready) if ready else None


def _some(fixer: Fixer, findings: list[Finding], unsafe: bool) -> tuple[Edit, ...]:
    """The edits of all fixes that do not get into each other's way: of the best ones, else of those that hold alone,
    else of those that others follow."""
    chosen = _best(fixer, findings, lambda fix: _wanted(fix, unsafe))
    chosen = chosen or _kept(fixer, list(_holding(fixer, findings, unsafe)))
    chosen = chosen or _kept(fixer, list(_followed(fixer, findings, unsafe)))
    return _edits(fixer.checked, chosen)


def _alone(fixer: Fixer, finding: Finding, unsafe: bool = True) -> Fix | None:
    """The best fix of one finding, if not too much has been tried."""
    return fixer.fix(finding, unsafe) if finding.report.fix is not None or _patient(fixer) else None


def _patient(fixer: Fixer) -> bool:
    return fixer.trials.tried < MAX_CHECKED_CHARACTERS + MAX_CHECKED_PER_CHARACTER * len(fixer.checked.text.source)


def _best(fixer: Fixer, findings: list[Finding], wanted: Callable[[Fix], bool]) -> list[tuple[Finding, Fix]]:
    """Fixes that hold together: the best one of each finding; of those whose best one does not hold, the next ones."""
    failed: set[tuple[Finding, tuple[Edit, ...]]] = set()
    chosen: list[tuple[Finding, Fix]] = []
    for _ in range(MAX_FIXES_TOGETHER):
        first = list(_first(fixer, findings, wanted, failed))
        held = _kept(fixer, first)
        if chosen and len(held) <= len(chosen):
            break
        chosen = held
        if len(held) == len(first) or not (chosen or len(first) > MAX_DROPPED):
            break
        holding = {finding for finding, _ in held}
        failed.update((finding, fix.edits) for finding, fix in first if finding not in holding)
    return chosen


def _ready(checked: Checked, findings: Sequence[Finding], unsafe: bool, models: Models) -> tuple[Edit, ...]:
    """The edits that some findings bring along, leaving out those that touch an earlier one, and those after which more
    of the text cannot be read than if each mended what it is about: what is proposed for one word of a torn text knows
    nothing of the next."""
    taken = _Taken()
    brought = [(finding, fix) for finding in findings if (fix := finding.report.fix) is not None]
    chosen = [(finding, fix) for finding, fix in brought if _wanted(fix, unsafe) and taken.take(fix)]
    before = _unread(checked.tree)

    def reads(trial: list[tuple[Finding, Fix]]) -> bool:
        gone = sum(finding.rule.name in before for finding, _ in trial)
        now = _unread(parse(apply(checked.text.source, _edits(checked, trial)), models))
        return now.total() <= before.total() - gone

    return _edits(checked, _together(chosen, reads))


def _unread(tree: Tree) -> Counter[str]:
    """How many problems there were in reading a text, by rule. What is read after all may call what there is not."""
    return Counter(problem.rule for problem in tree.problems if problem.rule != UNDEFINED.name)


def _kept(fixer: Fixer, chosen: list[tuple[Finding, Fix]]) -> list[tuple[Finding, Fix]]:
    """Of the chosen fixes, those that hold together."""

    def holds(trial: list[tuple[Finding, Fix]]) -> bool:
        return fixer.trials.hold(_edits(fixer.checked, trial), [finding for finding, _ in trial])

    while len(chosen) > MAX_DROPPED and not holds(chosen):
        edits = _edits(fixer.checked, chosen)
        blamed = {*fixer.trials.blamed(edits, [finding for finding, _ in chosen])}
        blamed = blamed or {finding for finding, _ in _beside(fixer, chosen, edits)}
        if not blamed:
            break
        chosen = [(finding, fix) for finding, fix in chosen if finding not in blamed]
    return _together(chosen, holds)


def _beside(fixer: Fixer, chosen: list[tuple[Finding, Fix]], edits: tuple[Edit, ...]) -> list[tuple[Finding, Fix]]:
    """Those of the fixes beside whose edits something new comes, also where only half of them are made: what each
    brings it brings by itself, and it need not be tried alone."""
    blamed = fixer.trials.beside(edits, chosen)
    halves = blamed[: len(blamed) // 2], blamed[len(blamed) // 2 :]
    sure = all(half and fixer.trials.beside(_edits(fixer.checked, half), half) == half for half in halves)
    return blamed if sure else []


def _together(chosen: list[T], hold: Callable[[list[T]], bool]) -> list[T]:
    """Some of the chosen that hold together, found by halving: one look where all do, not one at each."""
    kept: list[T] = []
    pending = [chosen] if chosen else []
    while pending:
        poll()
        group = pending.pop()
        trial = kept + group
        if hold(trial):
            kept = trial
        elif len(group) > 1:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
    return kept


def _alike(fixer: Fixer, chosen: list[tuple[Finding, Fix]], rest: list[Finding]) -> list[tuple[Finding, Fix]]:
    """What the chosen fixes do for other findings about the same buffers or the same operation, if they do: it takes no
    further check."""
    made = {place[2]: fix for finding, fix in chosen if (place := fixer.cluster(finding)) is not None}
    there = {finding.report.span: fix for finding, fix in chosen}
    had = {finding for finding, _ in chosen}
    found: list[tuple[Finding, Fix]] = []
    for finding in (one for one in rest if one not in had):
        place = fixer.cluster(finding)
        known = (made.get(place[2]) if place is not None else None) or there.get(finding.report.span)
        fix = next(fixer.candidates(finding), None) if known is not None else None
        if fix is not None and known is not None and fix.edits == known.edits:
            found.append((finding, fix))
    gone = [finding for finding, _ in (*chosen, *found)]
    return found if found and fixer.trials.hold(_edits(fixer.checked, chosen), gone) else []


def _edits(checked: Checked, chosen: list[tuple[Finding, Fix]]) -> tuple[Edit, ...]:
    return merged(checked.text.source, [(finding.function, fix) for finding, fix in chosen])


def _first(
    fixer: Fixer,
    findings: list[Finding],
    wanted: Callable[[Fix], bool],
    failed: Collection[tuple[Finding, tuple[Edit, ...]]],
) -> Iterator[tuple[Finding, Fix]]:
    """The best fix of each finding that has not failed, leaving out those that touch what an earlier one touches, or
    are about buffers that one frees elsewhere: of a cluster each may be moved to where it dies."""
    taken = _Taken()
    done: dict[Finding | Cluster, bool] = {}  # whether others of the same cluster may follow
    for finding in findings:
        place = fixer.cluster(finding)
        about = finding if place is None else place[2]
        fixes = (fix for fix in filter(wanted, fixer.candidates(finding)) if (finding, fix.edits) not in failed)
        fix = next(fixes, None) if done.get(about, True) else None
        if fix is None or (about in done and not fixer.moves(fix)):
            continue
        if taken.take(fix, beside=fixer.in_body(finding)):
            if not fixer.removes(fix, finding):
                done[about] = fixer.moves(fix)
            yield finding, fix


def _followed(fixer: Fixer, findings: list[Finding], unsafe: bool) -> Iterator[tuple[Finding, Fix]]:
    """The best fix of each finding that holds with others that follow it, leaving out those that touch what an earlier
    one touches."""
    taken = _Taken()
    for finding in findings:
        fix = _alone(fixer, finding, unsafe) if finding.report.fix is None else None
        if fix is not None and fix.edits and taken.take(fix):
            yield finding, fix


def _holding(fixer: Fixer, findings: list[Finding], unsafe: bool) -> Iterator[tuple[Finding, Fix]]:
    """The best fix of each finding that holds alone, leaving out those that touch what an earlier one touches."""
    taken = _Taken()
    for finding in findings:
        fix = fixer.direct(finding, unsafe) if finding.report.fix is None and _patient(fixer) else None
        if fix is not None and fix.edits and taken.take(fix, beside=fixer.in_body(finding)):
            yield finding, fix


def _wanted(fix: Fix, unsafe: bool) -> bool:
    return not fix.additions and (unsafe or fix.applicability is Applicability.SAFE)


class _Taken:
    """The places of edits that are to be made; none of them touches another, but what is put in at one place may be
    several things, and so may be what is taken out side by side where that leaves nothing empty around it. Of several
    conditions at one place the next waits until the first is there: it may be the same."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._asking: set[int] = set()
        self._edits: set[Edit] = set()
        self._split: set[Span] = set()

    def take(self, fix: Fix, beside: bool = False) -> bool:
        """Take the places of a fix, if none of them touches one that is taken; whether it was so.

        Args:
            beside: what the fix takes out may stand beside something else that is taken out.
        """
        edits = [edit for edit in fix.edits if not self._shared(edit)]
        if not edits or any(edit in self._edits or self._touched(edit, beside) for edit in edits):
            return False
        asking = {edit.span.start for edit in edits if asks(edit)}
        if asking & self._asking:
            return False
        self._asking |= asking
        self._edits.update(edits)
        self._split.update(edit.span for edit in edits if splits(edit))
        for edit in edits:
            insort(self._spans, edit.span)
        return True

    def _shared(self, edit: Edit) -> bool:
        """Whether what an edit does is done already, and may be done for several."""
        return edit.span in self._split if splits(edit) else declares(edit) and edit in self._edits

    def _touched(self, edit: Edit, beside: bool) -> bool:
        span, put_in = edit.span, edit.span.start == edit.span.end
        after = bisect_left(self._spans, span)
        near = self._spans[max(0, after - 1) : after + 1]
        return any(self._touch(edit, other, beside) for other in near if not put_in or other != span)

    def _touch(self, edit: Edit, other: Span, beside: bool) -> bool:
        start, end = edit.span
        if beside and not edit.content and Edit(other, "") in self._edits:
            return start < other.end and other.start < end
        return start <= other.end and other.start <= end
