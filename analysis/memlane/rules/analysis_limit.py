"""A function has too many paths to follow all of them.

## What it does

Reports an allocation whose buffers could not be followed within the step budget, in a function of 20,000 operations
or more: too many branches and loops depend on each other. The analysis first takes its conditions as free choices, then
becomes path-insensitive and assumes the largest effects that the text of its callees allows; findings of the latter
that may be false say so in a note. Only where so many buffers may alias that this would take gigabytes of memory, they
get no other findings. Smaller functions are always analysed. In an editor, the rule also reports a document that is
larger than the server's setting `sizeLimit`, or that takes more memory than `memoryLimit` to analyse; such a document
has no other findings.

## Why is this bad?

Errors in the use of the buffer may be missed.

## Example

No program that fits on a page reaches the budget.

## Use instead

Split the function, or give its loops constant bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.rules._memory import buffer, where

RULE = Rule("analysis-limit", Severity.INFORMATION, "a function has too many paths to follow all of them")


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Buffers that were given up on."""
    for origin in facts.unsolved:
        yield Report(f"too many paths to follow {origin.value.name}", where(origin), buffer=buffer(origin))
