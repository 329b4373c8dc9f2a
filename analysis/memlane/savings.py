"""The functions that take far more memory than they have to, measured as they are checked.

A check knows what is freed late or never; what that costs, the peak says. To measure each function would take longer
than to check it, so of a text only those are measured whose findings hold the most bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.config import Config
from memlane.findings import Finding, Saving, Savings, Span
from memlane.flow import FunctionFlow, Program
from memlane.flow.peak.first_use_gain import waiting
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import bounds_of
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.format import known
from memlane.memory_report import assumptions
from memlane.query import Respaced
from memlane.syntax.editing.piece import Piece

MAX_MEASURED = 5
"""Functions of one text: as many as are shown. One takes up to a third of the time of its check."""
MIN_RATIO = 2
"""A peak of so many times the ideal is worth a line."""


class Measuring:
    """Measures functions while they are checked (an `incremental` visit).

    Args:
        source: the text.
        config: what it is checked under.
    """

    def __init__(self, source: str, config: Config) -> None:
        self._source = source
        self._config = config
        self._assumed: Assumptions | None = None
        self._found: list[Saving] = []
        self._held: dict[str, int] = {}
        """Bytes that findings of the measured functions hold, by their names."""

    def __call__(self, piece: Piece, flow: FunctionFlow, program: Program, found: Sequence[Finding], /) -> None:
        """Measure a function if its findings hold more than those of the functions measured so far."""
        held = held_by(found)
        most = sorted(self._held.values(), reverse=True)[:MAX_MEASURED]
        if not held or (len(most) == MAX_MEASURED and held <= most[-1]):
            return
        self._held[flow.name] = held
        if self._assumed is None:
            self._assumed = assumptions(self._source, self._config)
        ledger = Ledger(program, self._assumed)
        most_at_once, possible = bounds_of(ledger, flow)
        peak, ideal = known(most_at_once), known(possible)
        if peak is not None and ideal is not None and _is_far(peak, ideal):
            held_late = (one.report.late for one in found if one.rule.holds)
            fixable = all(late is not None and bool(late.before) for late in held_late)
            moves = fixable and _has_to_move(ledger, flow, ideal)
            self._found.append(Saving(flow.name, peak, ideal, fixable, moves))

    def respaced(self, before: Piece, piece: Piece, by: Respaced) -> None:
        """Nothing: of a text that is checked once there is no version before."""

    def savings(self, findings: Sequence[Finding]) -> Savings:
        """What was found out. `findings`: those that no comment silences."""
        holding = {one.function for one in findings if one.function is not None and held_by([one])}
        worth = [one for one in self._found if one.function in holding]
        worth.sort(key=lambda one: (-one.peak, one.function))
        return Savings(tuple(worth[:MAX_MEASURED]), len(holding - self._held.keys()))


def _has_to_move(ledger: Ledger, flow: FunctionFlow, ideal: int) -> bool:
    """Whether the peak stays far from the ideal while allocations stay where they are. To measure that takes as long as
    to measure the ideal: it is done only where much is allocated early."""
    early = waiting(ledger, flow)
    if early is not None and not _is_far(ideal + early, ideal):
        return False
    reached = known(bounds_of(Ledger(ledger.program, ledger.assumed, like=ledger, stays=True), flow)[1])
    return reached is None or _is_far(reached, ideal)


def _is_far(peak: int, ideal: int) -> bool:
    return peak >= MIN_RATIO * max(ideal, 1)


def held_by(findings: Sequence[Finding]) -> int:
    """The bytes of the buffers that are held longer than they have to be, each counted once; of unknown ones 1."""
    sizes: dict[tuple[str, Span], int] = {}
    for one in findings:
        buffer = one.report.buffer
        if one.rule.holds and buffer is not None:
            sizes[buffer.name, buffer.span] = 1 if buffer.size is None else buffer.size
    return sum(sizes.values())
