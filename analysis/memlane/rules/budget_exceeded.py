"""The peak in a memory space exceeds its budget.

## What it does

Reports a function whose peak of live bytes exceeds the budget of a memory, as configured in `memlane.toml`:

```toml
[budget]
"1" = "64 KiB"
heap = "2 GiB"
stack = "32 KiB"
```

A name is a memory space as in memref types, `default` for the space without a name, `heap` for the heap whatever the
space, or another resource. Callees count, and so does the padding of buffers to their alignment. Without a budget
nothing is reported. The analysis of a function with too many paths is an upper bound; then the finding says *at most*.

## Why is this bad?

Memories of accelerators are small and do not grow: the program does not fit, which otherwise shows at run time.

## Example

```mlir
// config: budget={"1"="1 KiB"}
func.func @tile(%zero: f32) {
  %left = memref.alloc() : memref<192xf32, 1>
  %right = memref.alloc() : memref<192xf32, 1>
  linalg.fill ins(%zero : f32) outs(%left : memref<192xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%right : memref<192xf32, 1>)
  linalg.add ins(%left, %right : memref<192xf32, 1>, memref<192xf32, 1>) outs(%left : memref<192xf32, 1>)
  memref.dealloc %left : memref<192xf32, 1>
  memref.dealloc %right : memref<192xf32, 1>
  return
}
```

## Use instead

```mlir
// config: budget={"1"="1 KiB"}
func.func @tile(%zero: f32) {
  %left = memref.alloc() : memref<96xf32, 1>
  %right = memref.alloc() : memref<96xf32, 1>
  linalg.fill ins(%zero : f32) outs(%left : memref<96xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%right : memref<96xf32, 1>)
  linalg.add ins(%left, %right : memref<96xf32, 1>, memref<96xf32, 1>) outs(%left : memref<96xf32, 1>)
  memref.dealloc %left : memref<96xf32, 1>
  memref.dealloc %right : memref<96xf32, 1>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.config import Config
from memlane.findings import Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.format import in_words, words
from memlane.rules._limits import MAX_LISTED

if TYPE_CHECKING:
    from memlane.flow.peak.peak import Peak

RULE = Rule("budget-exceeded", Severity.WARNING, "the peak in a memory space exceeds its budget")


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """The memories whose budget the function exceeds."""
    budgets: dict[str, int] = config.values["budget"]
    if not budgets:
        return
    # Those who have no budget do not wait for this.
    from memlane.flow.peak.peak import peak_of
    from memlane.flow.symbolic.assumptions import Assumptions
    from memlane.memory_report import Ledgers

    # Comments outside of the function do not count: what is found in a function depends on its text alone.
    default = config.values["assume.dynamic-size"]
    ledgers = Ledgers(program, Assumptions({} if default is None else {"?": default}), aligned=True)
    place = flow.op.name_span
    for label, limit in sorted(budgets.items()):
        if label == "stack":
            stack = ledgers.stacks.of(flow)
            if stack.unbounded or (stack.bytes or 0) > limit:
                taken = f"up to {words(stack.bytes)}" if stack.bytes is not None else "unbounded"
                yield Report(f"stack use is {taken}; its budget is {words(limit)}", place)
            continue
        peak = peak_of(ledgers.of(label), flow)
        most = peak.peak[0].bytes if len(peak.peak) == 1 else None
        if any(amount.unbounded for amount in peak.peak):
            yield Report(
                f"the peak in {_space(label)} is unbounded; its budget is {words(limit)}", place, notes=_notes(peak)
            )
        elif most is not None and most > limit:
            up_to = "" if peak.exact else "at most "
            message = f"peak of {up_to}{words(most)} in {_space(label)} exceeds its budget by {words(most - limit)}"
            yield Report(message, place, notes=_notes(peak))


def _space(label: str) -> str:
    """The memory space of a label in words."""
    return "the default memory space" if label == "default" else f"memory space {label}"


def _notes(peak: Peak) -> tuple[Note, ...]:
    """The place of the peak, and the largest buffers there."""
    where = (Note("the peak", peak.where.name_span),) if peak.where is not None else ()
    listed = tuple(
        Note(f"{origin.value.name} takes {in_words(size)}", origin.value.span)
        for origin, size in peak.buffers[:MAX_LISTED]
    )
    return (*where, *listed)
