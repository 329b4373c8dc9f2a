"""What a function does with memory, in Markdown: peak, buffers, what it does to its arguments, what it returns."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Span
from memlane.flow import FunctionFlow, Program
from memlane.flow.interproc.may_summary import rough
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.ide.lanes import FunctionLanes
from memlane.ide.lenses import peak_words
from memlane.ide.limits import MAX_BUFFERS_NAMED
from memlane.ide.locate import enclosing
from memlane.ide.markdown import code
from memlane.ide.snapshot import File
from memlane.ide.value_ownership import FreedArguments, returned_by
from memlane.syntax.tree.tree import Op, Value


def function_story(file: File, function: Op, measured: FunctionLanes | None) -> Iterator[str]:
    """Paragraphs about a function with a body.

    Args:
        measured: what it needs, where that is known.
    """
    if measured is not None and (measured.buffers or measured.peak.number != 0):
        yield _peak(file, measured)
    place = function.name_span.start
    linked = file.linked(Span(place, place))
    program, flow = linked.program(place), linked.flow(enclosing(linked.tree, place), place)
    if program is not None and flow is not None and flow.graph.entry is not None:
        lines = [*_arguments(program, flow), *_results(program, flow)]
        if lines:
            yield "\n".join(f"* {line}" for line in lines)


def _peak(file: File, measured: FunctionLanes) -> str:
    words = peak_words(measured)
    place = measured.steps[measured.peak_step].span if measured.peak_step is not None else None
    where = f", in line {_line(file, place)}" if place is not None else ""
    largest = sorted(measured.buffers, key=lambda one: -((one.size.number if one.size else None) or 0))
    named = [f"{code(one.name)}{f' {one.size.words}' if one.size else ''}" for one in largest[:MAX_BUFFERS_NAMED]]
    more = len(largest) - len(named)
    count = f"{len(largest)} buffer{'s' if len(largest) != 1 else ''}"
    buffers = f" {count}: {', '.join(named)}{f' and {more} more' if more else ''}." if named else ""
    return f"{words[0].upper()}{words[1:]}{where}.{buffers}"


def _arguments(program: Program, flow: FunctionFlow) -> Iterator[str]:
    """What is done to each argument that may hold a buffer."""
    cluster_of = program.aliases(flow).cluster_of
    for argument in flow.op.regions[0].blocks[0].arguments:
        if may_hold_buffer(argument.type) and cluster_of(argument) is not None:
            yield f"{code(argument.name)}: {', '.join(_done_to(program, flow, argument)) or 'borrowed'}"


def _done_to(program: Program, flow: FunctionFlow, argument: Value) -> Iterator[str]:
    """What may be done to one of them. Nothing: it is lent."""
    effect = rough(program, flow)[argument.index]
    freed = FreedArguments(program).by_function(flow, argument.index)
    if freed is not None or effect.freed is not None:
        yield "freed" if freed else "may be freed"
    if effect.escaped:
        yield "may be kept"
    if any(argument.index in positions for _, positions in _returned(program, flow)):
        yield "may be returned"
    if effect.unsure:
        yield "passed to an operation whose effects are not declared"


def _results(program: Program, flow: FunctionFlow) -> Iterator[str]:
    """What is returned that the caller owns."""
    found = _returned(program, flow)
    owned = [index for index, (fresh, _) in enumerate(found) if fresh]
    if owned:
        which = "the result" if len(found) == 1 else f"result {', '.join(map(str, owned))}"
        yield f"{which}: new memory, which the caller frees"


def _returned(program: Program, flow: FunctionFlow) -> list[tuple[bool, list[int]]]:
    count = len(program.returning(flow))
    return [returned_by(program, flow, index) for index in range(count)]


def _line(file: File, span: Span) -> int:
    return file.text.position(span.start).line + 1
