"""Which functions there are, and what each does with memory, remembered as long as nothing it depends on changes."""

from __future__ import annotations

from memlane.flow import FunctionFlow
from memlane.ide.lanes import FunctionLanes, lanes_of
from memlane.ide.locate import enclosing
from memlane.snapshot import File
from memlane.usage import Ledgers, assumptions, usage_of


def flows(file: File, name: str | None = None) -> list[FunctionFlow]:
    """The functions of a file that have a body, in text order; `name`: only those of this name, without `@`."""
    found: list[FunctionFlow] = []
    for chunk in file.tree.chunks:
        program = file.program(chunk.span.start)
        found += [flow for flow in (program.functions.values() if program else ()) if name in (None, flow.name)]
    return found


def flow_at(file: File, offset: int) -> FunctionFlow | None:
    """The function that `offset` touches."""
    program = file.program(offset)
    functions = program.functions if program else {}
    return next((functions[op] for op in reversed(enclosing(file.tree, offset)) if op in functions), None)


def portrait(file: File, flow: FunctionFlow) -> FunctionLanes | None:
    """The lanes of a function of `file`; None where the program it belongs to is gone."""
    program = file.program(flow.op.span.start)
    if program is None:
        return None
    ledgers = Ledgers(program, assumptions(file.text.source, file.config))
    return lanes_of(usage_of(ledgers, flow), file.text)
