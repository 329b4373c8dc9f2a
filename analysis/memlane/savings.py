"""The functions that take far more memory than they have to, measured once all are checked.

A check knows what is freed late or never; what that costs, the peak says. To measure each function would take longer
than to check it, so of a text only those are measured whose findings hold the most bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.config import Config
from memlane.findings import Finding, Saving, Savings, Span
from memlane.flow import FunctionFlow, Program
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import bounds_of
from memlane.flow.peak.product import NotANumber
from memlane.flow.symbolic.assumptions import NOTHING
from memlane.format import known
from memlane.limits import MAX_MEASURED, MAX_NODES_MEASURED, MAX_SAVINGS, MIN_RATIO
from memlane.memory_report import assumptions
from memlane.query import Respaced
from memlane.syntax.editing.piece import Piece


class _Holding(NamedTuple):
    """A function, and the bytes that its findings hold."""

    held: int
    flow: FunctionFlow
    program: Program
    found: Sequence[Finding]


class Measuring:
    """Notes which functions hold something while they are checked (an `incremental` visit), and measures some then.

    Args:
        source: the text.
        config: what it is checked under.
    """

    def __init__(self, source: str, config: Config) -> None:
        self._source = source
        self._config = config
        self._holding: list[_Holding] = []

    def __call__(self, piece: Piece, flow: FunctionFlow, program: Program, found: Sequence[Finding], /) -> None:
        """Note a function. Its ops may be released meanwhile: who measures it gets them built again."""
        held = held_by(found)
        if held:
            self._holding.append(_Holding(held, flow, program, found))

    def respaced(self, before: Piece, piece: Piece, by: Respaced) -> None:
        """Nothing: of a text that is checked once there is no version before."""

    def savings(self, findings: Sequence[Finding]) -> Savings:
        """What the functions that hold most could save. `findings`: those that no comment silences."""
        reported = {one.function for one in findings if one.function is not None and held_by([one])}
        holding = [one for one in self._holding if one.flow.name in reported]
        holding.sort(key=lambda one: -one.held)
        assumed = assumptions(self._source, self._config) if holding else NOTHING
        ledgers: dict[Program, Ledger] = {}
        worth: list[Saving] = []
        measured = 0
        for one in holding[:MAX_MEASURED]:
            ledger = ledgers.get(one.program)
            if ledger is None:
                ledger = ledgers[one.program] = Ledger(one.program, assumed, budget=MAX_NODES_MEASURED, exact=True)
            try:
                worth.extend(_measured(ledger, one.flow, one.found))
            except BudgetExceeded:
                continue
            except NotANumber:  # that is known of it, and worth no line
                pass
            measured += 1
            if len(worth) == MAX_SAVINGS:
                break
        worth.sort(key=lambda one: (-one.peak, one.function))
        return Savings(tuple(worth), len(holding) - measured)


def _measured(ledger: Ledger, flow: FunctionFlow, found: Sequence[Finding]) -> Iterator[Saving]:
    """What a function could save, if that is known and worth a line. Raises `BudgetExceeded` and `NotANumber`."""
    most_at_once, possible = bounds_of(ledger, flow)
    peak, ideal = known(most_at_once), known(possible)
    if peak is None or ideal is None or not _is_far(peak, ideal):
        return
    held_late = (one.report.late for one in found if one.rule.holds)
    fixable = all(late is not None and bool(late.before) for late in held_late)
    yield Saving(flow.name, peak, ideal, fixable, fixable and _has_to_move(ledger, flow, ideal))


def _has_to_move(ledger: Ledger, flow: FunctionFlow, ideal: int) -> bool:
    """Whether the peak stays far from the ideal while allocations stay where they are."""
    other = Ledger(ledger.program, ledger.assumed, budget=ledger.budget, like=ledger, stays=True, exact=True)
    reached = known(bounds_of(other, flow)[1])
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
