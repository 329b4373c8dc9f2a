"""A function has too many paths to follow all of them.

## What it does

Reports an allocation whose buffers could not be followed within the step budget, in a function of 20,000 operations
or more: too many branches and loops depend on each other. First its conditions are taken as free choices, then all
paths together, and of what it calls what their text allows at most; findings of the latter that are perhaps none say so
in a note. Only where so many buffers may be each other that all paths together would take gigabytes of memory, nothing
else is said about them. Smaller functions are never given up. In an editor, the same is said of a document that is
larger than the server's setting `sizeLimit`, or that takes more memory than `memoryLimit` to analyse, and nothing else.

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
    """Buffers that were given up on."""
    for origin in facts.unsolved:
        yield Report(f"too many paths to follow {origin.value.name}", where(origin), buffer=buffer(origin))
