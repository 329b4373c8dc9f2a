"""Who calls whom in a document, and whose the buffers are that are passed: freed by the callee, kept, given back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.findings import Span
from memlane.flow import FunctionFlow, OriginKind, Program
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.ide.locate import at, enclosing
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import symbol_meant, written
from memlane.syntax.tree.tree import Op, Use


@dataclass(frozen=True, slots=True)
class Callable:
    """A function. `detail`: what it does to what it is given, and whose its results are."""

    name: str
    detail: str
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Calls:
    """A function at the other end of calls, and where those calls are: the names of the ops, in the caller."""

    function: Callable
    places: tuple[Span, ...]


def function_here(file: File, offset: int) -> Callable | None:
    """The function that is named at `offset`, or the one around it."""
    meant = symbol_meant(file, offset)
    place = meant[1].span.start if meant is not None and meant[1] is not None else offset
    linked = file.linked(at(place), aliases=False)
    flow = linked.flow(enclosing(linked.tree, place), place)
    program = linked.program(place)
    return _callable(file, program, flow) if flow is not None and program is not None else None


def outgoing(file: File, offset: int) -> list[Calls]:
    """What the function whose name is at `offset` calls, of the functions with a body."""
    linked = file.linked(at(offset), aliases=False)
    program, flow = linked.program(offset), linked.flow(enclosing(linked.tree, offset), offset)
    if program is None or flow is None:
        return []
    places: dict[Op, list[Span]] = {}
    for call, callee in _calls(program, flow):
        places.setdefault(callee.op, []).append(call.name_span)
    return [Calls(_callable(file, program, program.functions[op]), tuple(found)) for op, found in places.items()]


def incoming(file: File, offset: int) -> list[Calls]:
    """Who calls the function whose name is at `offset`."""
    function = next((op for op in reversed(enclosing(file.near(at(offset)), offset)) if op.symbol), None)
    if function is None:
        return []
    linked = file.linked(at(offset), function.symbol, aliases=False)
    program, target = linked.program(offset), linked.flow(enclosing(linked.tree, offset), offset)
    found: list[Calls] = []
    for flow in program.functions.values() if program is not None else ():
        places = [call.name_span for call, callee in _calls(program, flow) if callee is target] if program else []
        if places and program is not None:
            found.append(Calls(_callable(file, program, flow), tuple(places)))
    return found


def _calls(program: Program, flow: FunctionFlow) -> Iterator[tuple[Op, FunctionFlow]]:
    for op in flow.op.walk():
        callee = program.callee(op) if flow.graph.call(op) is not None else None
        if callee is not None:
            yield op, callee


def _callable(file: File, program: Program, flow: FunctionFlow) -> Callable:
    said = [*_of_arguments(program, flow), *_of_results(program, flow)]
    name_span = written(file.text.source, flow.op)
    return Callable(f"@{flow.name}", ", ".join(said), flow.op.span, name_span)


def _of_arguments(program: Program, flow: FunctionFlow) -> Iterator[str]:
    entry = flow.graph.entry
    for argument in entry.arguments if entry is not None else ():
        if program.aliases(flow).cluster_of(argument) is not None:
            fates = _fates(program, flow, argument.index)
            for fate in ("frees", "keeps"):
                if fate in fates:
                    yield f"{fate} {argument.name}"


def _fates(program: Program, flow: FunctionFlow, index: int) -> set[str]:
    """What becomes of an argument, here or in what is called with it, on some path."""
    found: set[str] = set()
    pending, seen = [(flow, index)], {(flow.op, index)}
    while pending:
        flow, index = pending.pop()
        for use in _uses(program, flow, index):
            effects = effects_at(flow.graph, use.op)
            if any(free.value is use.value for free in effects.frees):
                found.add("frees")
            if use.value in effects.escapes:
                found.add("keeps")
            callee = program.callee(use.op) if flow.graph.call(use.op) is not None else None
            if callee is not None:
                passed = enumerate(arguments_of(flow.graph, use.op))
                new = {(callee.op, position) for position, value in passed if value is use.value} - seen
                seen |= new
                pending += [(callee, position) for _, position in sorted(new, key=lambda one: one[1])]
    return found


def _uses(program: Program, flow: FunctionFlow, index: int) -> Iterator[Use]:
    """The uses of an argument by all its names; none where there is no such argument."""
    entry = flow.graph.entry
    known = entry is not None and index < len(entry.arguments)
    cluster = program.aliases(flow).cluster_of(entry.arguments[index]) if entry is not None and known else None
    for value in cluster.root if cluster is not None else ():
        yield from value.uses


def _of_results(program: Program, flow: FunctionFlow) -> Iterator[str]:
    """Whose the results are, by their numbers where there are several."""
    found: dict[int, set[str]] = {}
    for block in flow.op.regions[0].blocks:
        returned = effects_at(flow.graph, block.ops[-1]).returned if block.ops else ()
        for index, value in enumerate(returned):
            cluster = program.aliases(flow).cluster_of(value)
            for origin in cluster.origins if cluster is not None else ():
                argument = origin.kind is OriginKind.ARGUMENT
                word = f"alias of {origin.value.name}" if argument else "owned" if origin.owned else "borrowed"
                found.setdefault(index, set()).add(word)
    for index, words in sorted(found.items()):
        number = f" {index}" if len(found) > 1 else ""
        yield f"result{number} {' or '.join(sorted(words, reverse=True))}"
