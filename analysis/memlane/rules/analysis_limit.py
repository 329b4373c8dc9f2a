"""A function has too many paths to follow all of them.

## What it does

Reports an allocation whose buffers could not be followed within the step budget: too many branches and loops
depend on each other. First its conditions are taken as free choices, then all paths together; findings of the latter
that are perhaps none say so in a note. Only where that is not possible, because work on the buffer goes on in the
background, owners are counted, or one call gives it two names, nothing else is said about the buffer. A call is
reported where what it does is too much to follow: what is passed to it is taken as used, and perhaps freed or kept, so
nothing certain is said of it afterwards. In an editor, the same is said
of a document that is larger than the server's setting `sizeLimit`, or that takes more memory than `memoryLimit` to
analyse, and nothing else.

## Why is this bad?

What is wrong with the buffer, if anything, is not known.

## Example

No program that fits on a page reaches the budget.

## Use instead

Split the function, or give its loops constant bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Report, Rule, Severity
from memlane.flow import FunctionFacts
from memlane.rules._memory import buffer, where

RULE = Rule("analysis-limit", Severity.INFORMATION, "a function has too many paths to follow all of them")


def check(facts: FunctionFacts) -> Iterator[Report]:
    """Buffers and calls that were given up on."""
    for origin in facts.unsolved:
        yield Report(f"too many paths to follow {origin.value.name}", where(origin), buffer=buffer(origin))
    for call in facts.unfollowed:
        yield Report(f"too many paths to follow what {call.symbol} does with its arguments", call.name_span)
