"""A destination costs a buffer although an earlier one could be reused.

## What it does

On tensors, reports a `tensor.empty` that an operation writes its result to when an earlier one of the same type and
size is dead by then: its results have been used for the last time. After bufferization each `tensor.empty` is an
allocation; with the earlier result as its destination the operation needs no new one.

Also reports, as a warning, an operation that reads a destination without contents: one that accumulates
(`linalg.matmul`), or whose body uses the element it is about to write.

## Why is this bad?

Bufferization gives each destination its own buffer and does not look for one that is free. What an operation reads
from a destination without contents is undefined.

## Example

```mlir
func.func @chain(%input: tensor<256xf32>) -> tensor<256xf32> {
  %first = tensor.empty() : tensor<256xf32>
  %exp = linalg.exp ins(%input : tensor<256xf32>) outs(%first : tensor<256xf32>) -> tensor<256xf32>
  %second = tensor.empty() : tensor<256xf32>
  %abs = linalg.abs ins(%exp : tensor<256xf32>) outs(%second : tensor<256xf32>) -> tensor<256xf32>
  %third = tensor.empty() : tensor<256xf32>
  %log = linalg.log ins(%abs : tensor<256xf32>) outs(%third : tensor<256xf32>) -> tensor<256xf32>
  return %log : tensor<256xf32>
}
```

## Use instead

```mlir
func.func @chain(%input: tensor<256xf32>) -> tensor<256xf32> {
  %first = tensor.empty() : tensor<256xf32>
  %exp = linalg.exp ins(%input : tensor<256xf32>) outs(%first : tensor<256xf32>) -> tensor<256xf32>
  %second = tensor.empty() : tensor<256xf32>
  %abs = linalg.abs ins(%exp : tensor<256xf32>) outs(%second : tensor<256xf32>) -> tensor<256xf32>
  %log = linalg.log ins(%abs : tensor<256xf32>) outs(%exp : tensor<256xf32>) -> tensor<256xf32>
  return %log : tensor<256xf32>
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Buffer, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.flow.alias.dps_init import Destination, destinations
from memlane.format import in_bytes

RULE = Rule("duplicate-empty", Severity.HINT, "a destination costs a buffer although an earlier one could be reused")


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Destinations of which one could take over another, and those that are read."""
    done: dict[object, list[Destination]] = {}
    for one in destinations(flow.graph):
        yield from _undefined(one)
        if one.first is None or one.readers:
            continue
        key = one.made.parent, one.type, one.sizes
        earlier = next((other for other in done.get(key, ()) if _over(other, one)), None)
        if earlier is not None:
            done[key].remove(earlier)
            yield _reuse(one, earlier)
        done.setdefault(key, []).append(one)


def _over(earlier: Destination, later: Destination) -> bool:
    return earlier.last is not None and later.first is not None and earlier.last.index < later.first.index


def _reuse(one: Destination, earlier: Destination) -> Report:
    assert one.first is not None
    assert earlier.last is not None
    size = "" if one.size is None else f" of {in_bytes(one.size)}"
    return Report(
        f"destination {one.name} costs a buffer{size}: {earlier.newest.name} is not used any more and could take "
        "its place",
        one.made.name_span,
        buffer=_buffer(one),
        notes=(
            Note(f"the destination is {one.name}", one.first.name_span),
            Note(f"last use of {earlier.newest.name}", earlier.last.name_span),
        ),
    )


def _undefined(one: Destination) -> Iterator[Report]:
    for reader in one.readers:
        yield Report(
            f"the destination {one.name} is read, and it has no contents",
            reader.name_span,
            buffer=_buffer(one),
            notes=(Note(f"{one.name} is made here", one.made.name_span),),
            severity=Severity.WARNING,
        )


def _buffer(one: Destination) -> Buffer:
    size = one.size
    known = size.bytes if size is not None else None
    expression = str(size) if size is not None and known is None else None
    return Buffer(one.name, one.made.results[0].span, known, expression)
