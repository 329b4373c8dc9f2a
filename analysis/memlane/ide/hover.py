"""What a place means: a value, a block, a symbol, an op's effects on memory, in Markdown."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field

from memlane.dialects import select
from memlane.dialects.model import OpModel, Selector
from memlane.dialects.toml_text import quoted
from memlane.doc_links import rule_url
from memlane.findings import Span
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.format import exactly, on
from memlane.ide import markdown
from memlane.ide.buffer_history import relation, story
from memlane.ide.buffer_names import memory_of, sites
from memlane.ide.function_hover import function_story
from memlane.ide.lanes import FunctionLanes
from memlane.ide.limits import MAX_NAMES, MAX_USES_LISTED
from memlane.ide.locate import Name, enclosing, line_of, name_at
from memlane.ide.partial_trees import Linked
from memlane.ide.profile_cache import function_at
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import symbol_meant
from memlane.rules import modules
from memlane.suppressions import comments
from memlane.syntax.tree.tree import Block, Function, Op, Value


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown about the name at `span`. `function`: the one that it is about."""

    span: Span
    markdown: str
    function: Function | None = field(default=None, compare=False)


def hover(
    file: File, offset: int, language: bool = True, check: bool = True, measured: FunctionLanes | None = None
) -> Hover | None:
    """What is known about the name that `offset` touches.

    Args:
        language: say what `mlir-lsp-server` says as well: types, definitions, blocks, symbols.
        check: look for findings where they are not known; else only those that are known are shown.
        measured: the function that a name there means, where it was measured.
    """
    comment = _comment(file, offset)
    if comment is not None:
        return comment
    linked = file.about(offset, MAX_USES_LISTED + 1)
    name = name_at(linked.here.tree, offset)
    paragraphs = list(_about(file, name, linked, language, check)) if name is not None else []
    if name is not None and paragraphs:
        return Hover(name.span, "\n\n".join(paragraphs))
    return _symbol(file, offset, language, measured)


def _about(file: File, name: Name, linked: Linked, language: bool, check: bool) -> Iterator[str]:
    if name.value is not None:
        if language:
            yield from _value(file, name.value, linked)
        else:
            yield from _site(file, name.value, linked)
        yield from _memory(file, name.value, name.op.name_span.start, linked, check)
    elif name.block is not None and language:
        yield from _block(file, name.block)
    elif isinstance(name.thing, Op):
        yield from _op(file, name.thing)
    if name.value is not None or isinstance(name.thing, Op):
        frame = file.text.frames.of_statement(name.value.span.start if name.value is not None else name.span.start)
        if frame is not None:
            yield f"Source: {markdown.code(str(frame))}."


def _comment(file: File, offset: int) -> Hover | None:
    """On a comment that silences findings: the pages of the rules it names."""
    line = file.text.position(offset).line
    start = file.text.offset(line, 0)
    for comment in comments(file.text.line(line)):
        if comment.span.start <= offset - start <= comment.span.end:
            here = [one for one in comment.entries if one.span.start <= offset - start <= one.span.end]
            names = [one.pattern for one in here or comment.entries]
            pages = [_page(name) for name in names if name in modules()]
            span = Span(start + comment.span.start, start + comment.span.end)
            return Hover(span, "\n\n---\n\n".join(pages)) if pages else None
    return None


def _page(name: str) -> str:
    """The page of a rule."""
    module = modules()[name]
    body = inspect.cleandoc(module.__doc__ or "")
    return f"# {name}\n\n{body}\n\n[{name}]({rule_url(name)})"


def _value(file: File, value: Value, linked: Linked) -> Iterator[str]:
    yield markdown.block(f"{value.name} : {value.type}" if value.type else value.name)
    source = file.text.source
    if value.op is not None:
        yield markdown.block(line_of(source, value.span.start))
        yield from _site(file, value, linked)
    elif value.block is not None:
        holder = value.block.region.op
        yield f"Argument {value.index} of {_block_name(value.block)} of {markdown.code(_title(holder))}."
    count = linked.uses() if linked.uses is not None else len(value.uses)
    yield f"{count} use{'s' if count != 1 else ''}."


def _memory(file: File, value: Value, place: int, linked: Linked, check: bool) -> Iterator[str]:
    """The buffers a value may stand for, what happens to them, their other names, and what is wrong with them."""
    memory = memory_of(file, value, linked)
    if memory is None:
        return
    others = [origin for origin in memory.origins if origin.value is not memory.value]
    if others:
        several = "one of the buffers" if len(memory.origins) > 1 else "the buffer"
        words = relation(memory, linked) or f"May stand for {several}"
        yield f"{words} {_listed(file, [origin.value for origin in memory.origins])}."
    yield from story(file, memory, place, linked)
    names = [name for name in memory.names if name is not memory.value and all(name is not one.value for one in others)]
    if names:
        yield f"Other names of the same memory: {_listed(file, names)}."
    places = {origin.value.span for origin in memory.origins}
    parts = file.parts if check else file.parts_already
    named = {(origin.value.span, origin.value.name) for origin in memory.origins}
    for finding in parts.near(places) if parts is not None else ():
        buffer = finding.report.buffer
        if buffer is not None and (buffer.span, buffer.name) in named:
            line = file.text.position(finding.report.span.start).line + 1
            yield f"**{finding.rule.name}** (line {line}): {markdown.plain(finding.report.message)}"


def _listed(file: File, values: list[Value]) -> str:
    """Names with their lines; the first few where there are many."""
    named = [f"`{value.name}` (line {file.text.position(value.span.start).line + 1})" for value in values[:MAX_NAMES]]
    more = len(values) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _site(file: File, value: Value, linked: Linked) -> Iterator[str]:
    """The size and resource of a buffer where it is allocated."""
    around = enclosing(linked.here.tree, value.span.start)
    flow = linked.here.flow(around, value.span.start)
    for origin in sites(file, value.op, flow) if value.op is not None else ():
        if origin.value is value:
            size = origin.told
            yield f"A buffer {on(origin.resource)}{f', {exactly(size)}' if size is not None else ''}."


def _block(file: File, block: Block) -> Iterator[str]:
    arguments = ", ".join(f"{value.name}: {value.type}" for value in block.arguments)
    yield markdown.block(f"{block.label}({arguments})" if arguments else f"{block.label}")
    branches = [op for other in block.region.blocks for op in other.ops if any(s.block is block for s in op.successors)]
    lines = ", ".join(str(file.text.position(op.name_span.start).line + 1) for op in branches)
    yield f"Reached from line{'s' if len(branches) != 1 else ''} {lines}." if branches else "No branch leads here."


def _op(file: File, op: Op) -> Iterator[str]:
    yield markdown.block(op.name)
    if op.unparsed or not op.name:
        return
    model = file.models.of(op.name)
    if model is None:
        dialect = op.name.partition(".")[0]
        table = markdown.code(f"[op.{quoted(op.name)}]")
        yield (
            f"Unknown operation: assumed to read and write its buffers, and to free none. "
            f"{table} in `memlane.toml` describes it"
            + (f", or {markdown.code(f'[dialect.{dialect}]')} all of its dialect." if dialect != op.name else ".")
        )
        return
    effects = list(_effects(op, model))
    yield "\n".join(f"* {effect}" for effect in effects) if effects else "Does nothing to memory."


def _effects(op: Op, model: OpModel) -> Iterator[str]:
    for alloc in model.alloc:
        yield f"allocates {_result(op, alloc.result)} {on(alloc.resource)}"
    for free in model.free:
        yield f"frees {_operands(op, free.operands, model)}" + (
            " where its condition is true" if free.conditions else ""
        )
    for view in model.view:
        part = "" if view.kind.value == "whole" else "part of "
        yield f"{_result(op, view.result)} is {part}the memory of {_operands(op, view.of, model)}"
    for word, selectors in (("reads", model.read), ("writes", model.write), ("keeps", model.escape)):
        for selector in selectors:
            if named := _buffers(op, selector, model):
                yield f"{word} {named}"
    if model.call is not None:
        yield "calls" + (f" {markdown.code(f'@{op.symbol}')}" if op.symbol else " what its first operand names")


def _operands(op: Op, selector: Selector, model: OpModel) -> str:
    return ", ".join(f"`{use.name}`" for use in select(op, selector, model))


def _buffers(op: Op, selector: Selector, model: OpModel) -> str:
    """The operands that may stand for memory: a number that is stored is not kept."""
    uses = select(op, selector, model)
    return ", ".join(f"`{use.name}`" for use in uses if may_hold_buffer(use.value.type if use.value else None))


def _result(op: Op, index: int) -> str:
    return f"`{op.results[index].name}`" if index < len(op.results) else f"result {index}"


def _symbol(file: File, offset: int, language: bool, measured: FunctionLanes | None) -> Hover | None:
    """On the name of a symbol: its head, and what it does with memory where it is a function."""
    meant = symbol_meant(file, offset)
    if meant is None or meant[1] is None:
        return None
    place = meant[1].span.start
    function = function_at(file, place) if file.models.is_function(meant[1].op.name) else None
    paragraphs = [markdown.block(line_of(file.text.source, place).rstrip("{ "))] if language else []
    paragraphs += function_story(file, meant[1].op, measured) if function is not None else ()
    return Hover(meant[0], "\n\n".join(paragraphs), function) if paragraphs else None


def _title(op: Op) -> str:
    return f"{op.name} @{op.symbol}" if op.symbol else op.name


def _block_name(block: Block) -> str:
    return f"`{block.label}`" if block.label else "the entry block" if block.index == 0 else f"block {block.index}"
