"""The most bytes of a function that live at once, and the least that any placement of its buffers could reach.

`peak` is the maximum over all paths of what has been allocated and not freed, callees included. `ideal` is the same
if every buffer were allocated right before its first use on each path and freed right after its last, and so took
nothing on paths that do not use it. `closed` is the same if each buffer were allocated where it is and freed right
after the last operation that names it, deallocations included: the peak without leaks. `floor` is the largest need of a
single operation. All are `Amount`s, several where none is known to be the largest.

A buffer that a call is passed lives until the call is over, unless a function that is called frees it or keeps it:
there it lives until its last use inside. One that is made with contents, as a copy is, is used where it is made. To
hand one on to a block does not use it. Where a buffer is used first on some only of the paths that meet, `ideal` may be
a bound: it never lies below.
"""

from __future__ import annotations

from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.build_product import build
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak_reading import Amounts, Peak, ideal_of, most_in
from memlane.flow.symbolic.amounts import ZERO, Amount, maximal
from memlane.syntax.tree.tree import Op

__all__ = ["Amounts", "Peak", "bounds_of", "covers", "most_of", "peak_of"]


def peak_of(ledger: Ledger, flow: FunctionFlow) -> Peak:
    """The peak of one function, over all the ways it is entered. A ledger serves all functions of its program."""
    found = [ledger.peak(flow, context) for context in ledger.program.contexts(flow)]
    if len(found) == 1:
        return found[0]
    worst = next((one for one in found if all(covers(one.peak, other.peak) for other in found)), found[0])
    curve = {op: ZERO for op, _ in worst.curve}
    inside: dict[Op, Amount] = {}
    for one in found:
        for op, amount in one.inside.items():
            inside[op] = inside.get(op, ZERO).join(amount)
        for op, amount in one.curve:
            curve[op] = curve[op].join(amount)
    return Peak(
        maximal(amount for one in found for amount in one.peak),
        maximal(amount for one in found for amount in one.ideal),
        maximal(amount for one in found for amount in one.closed),
        worst.floor,
        worst.where,
        worst.buffers,
        tuple(curve.items()),
        inside,
        worst.sizes,
        all(one.exact for one in found),
    )


def covers(left: Amounts, right: Amounts) -> bool:
    """Whether no amount of `right` can be larger than all of `left`."""
    return all(any(one.covers(other) for one in left) for other in right)


def most_of(ledger: Ledger, flow: FunctionFlow) -> Amounts:
    """`Peak.peak` alone."""
    every = [build(ledger, flow, context, None) for context in ledger.program.contexts(flow)]
    found = [most_in(one) for one in every]
    return found[0] if len(found) == 1 else maximal(amount for one in found for amount in one)


def bounds_of(ledger: Ledger, flow: FunctionFlow) -> tuple[Amounts, Amounts]:
    """`Peak.peak` and `Peak.ideal` alone."""
    every = [build(ledger, flow, context, None) for context in ledger.program.contexts(flow)]
    most = maximal(amount for one in every for amount in most_in(one))
    return most, maximal(amount for one in every for amount in ideal_of(one, freed=False))
