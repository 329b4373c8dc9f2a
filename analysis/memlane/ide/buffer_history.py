"""What happens to the memory that a name denotes, from its origin to its end, as seen from one place of the text.

In the order of the text, not of one execution: where paths differ, findings say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.dialects.model import ViewKind
from memlane.findings import Span
from memlane.flow import FunctionFlow, Origin, Program
from memlane.flow.alias.alias import Aliases
from memlane.flow.memory.effects_at import effects_at
from memlane.format import on
from memlane.ide.buffer_names import BufferNames
from memlane.ide.limits import MAX_STEPS_LISTED, MAX_USES_LISTED
from memlane.ide.locate import enclosing
from memlane.ide.markdown import code
from memlane.ide.partial_trees import Linked
from memlane.ide.snapshot import File
from memlane.ide.value_ownership import FreedArguments, received
from memlane.ide.views import sources
from memlane.syntax.tree.tree import Op, Use, Value, ancestors


def story(file: File, memory: BufferNames, offset: int, linked: Linked) -> Iterator[str]:
    """Sentences about the memory of a name, as it is at `offset`; `linked` is what it is known from."""
    program = linked.program(memory.value.span.start)
    flow = linked.flow(enclosing(linked.tree, memory.value.span.start), memory.value.span.start)
    if program is None or flow is None:
        return
    yield from _origin(file, program, flow, memory.value)
    yield from _whose(program, flow, memory.value)
    if len(memory.origins) == 1:
        origin, names = _through_calls(program, flow, memory.origins[0], memory.names)
        uses = _uses(names, linked)
        if origin is not None:
            yield from _now(file, program, flow, origin, uses, enclosing(linked.here.tree, offset))


def _uses(names: Iterable[Value], linked: Linked) -> list[Use]:
    """The uses of some names, one of each op, in text order: those that are near, too."""
    known = {(name.span, name.name): name for name in names}
    found = {use.op.name_span: use for name in known.values() for use in name.uses}
    for op in linked.near.tree.walk() if linked.near is not None else ():
        for use in op.operands:
            if use.value is not None and (use.value.span, use.value.name) in known and op.name_span not in found:
                found[op.name_span] = use
    return sorted(found.values(), key=lambda use: use.span)


def _through_calls(
    program: Program, flow: FunctionFlow, origin: Origin, names: Iterable[Value]
) -> tuple[Origin | None, tuple[Value, ...]]:
    """Where memory comes from and its names, where calls give back what they were given: those of both sides.

    None: it may be one of several.
    """
    aliases = program.aliases(flow)
    roots = [origin.value]
    while given := _given_back(program, flow, roots[-1]):
        root = aliases.root.get(given[0])
        if len(given) > 1 or root is None or root in roots:
            return None, ()
        roots.append(root)
    cluster = aliases.cluster_of(roots[-1])
    first = next((one for one in cluster.origins if one.value is roots[-1]), None) if cluster else None
    before = [name for root in roots[1:] for name in _of_root(aliases, root)]
    return first, _names_after(program, flow, dict.fromkeys((*names, *before)))


def _names_after(program: Program, flow: FunctionFlow, found: dict[Value, None]) -> tuple[Value, ...]:
    """Names, and those of what calls give back that were given one of them."""
    aliases = program.aliases(flow)
    pending = list(found)
    while pending:
        name = pending.pop()
        results = (result for use in name.uses for result in use.op.results if result not in found)
        roots = {aliases.root.get(result) for result in results if name in _given_back(program, flow, result)}
        new = [one for root in roots for one in _of_root(aliases, root) if one not in found]
        found |= dict.fromkeys(new)
        pending += new
    return tuple(found)


def _of_root(aliases: Aliases, root: Value | None) -> list[Value]:
    cluster = aliases.cluster_of(root) if root is not None else None
    return [name for name, own in cluster.names if own is root] if cluster else []


def _given_back(program: Program, flow: FunctionFlow, value: Value) -> tuple[Value, ...]:
    """The arguments of a call that its result is, where it is nothing else."""
    if value.op is None or flow.graph.call(value.op) is None:
        return ()
    found = next((one for one in received(program, flow, value.op) if one.value is value), None)
    return found.sources if found is not None and not found.words.startswith(("owned", "borrowed")) else ()


def relation(memory: BufferNames, linked: Linked) -> str:
    """What a name is of the one buffer that it stands for on every path: `A view of part of`; "": that is not sure."""
    program = linked.program(memory.value.span.start)
    flow = linked.flow(enclosing(linked.tree, memory.value.span.start), memory.value.span.start)
    if program is None or flow is None or len(memory.origins) != 1:
        return ""
    chain = _chain(program, flow, memory.value)
    calls = [one for one in chain[:-1] if one.op is not None and flow.graph.call(one.op) is not None]
    if chain[-1] is not memory.origins[0].value or not all(_given_back(program, flow, one) for one in calls):
        return ""
    models = [(one, flow.graph.model(one.op)) for one in chain[:-1] if one.op is not None]
    views = [view for one, model in models if model for view in model.view if view.result == one.index]
    if any(view.may for view in views):
        return ""
    if not views:
        return "The same memory as"
    return "A view of" if all(view.kind is ViewKind.WHOLE for view in views) else "A view of part of"


def _chain(program: Program, flow: FunctionFlow, value: Value) -> list[Value]:
    """The names through which the memory came to a name, itself first, as far as each has it from one other."""
    chain = [value]
    while len(chain) <= MAX_STEPS_LISTED:
        before = [one for one in sources(program, flow, chain[-1]) if one not in chain]
        if len(before) != 1:
            break
        chain.append(before[0])
    return chain


def _origin(file: File, program: Program, flow: FunctionFlow, value: Value) -> Iterator[str]:
    """Through which names the memory came to this one."""
    chain = _chain(program, flow, value)
    if len(chain) > 1:
        steps = [f"`{one.name}` ({_by(one)}, line {_line(file, one.span)})" for one in chain]
        yield f"Comes from {' ← '.join(steps)}."


def _whose(program: Program, flow: FunctionFlow, value: Value) -> Iterator[str]:
    holder = _holder(value)
    for one in received(program, flow, holder) if holder is not None else ():
        if one.value is value and one.words.startswith(("owned", "borrowed")):
            yield f"It is {one.words}."


def _now(
    file: File, program: Program, flow: FunctionFlow, origin: Origin, uses: list[Use], here: list[Op]
) -> Iterator[str]:
    """Whether it lives here (the ops around the place, outermost first), what keeps it alive, what ends its life."""
    freed = FreedArguments(program)
    found = {use: certain for use in uses if (certain := freed.by_use(flow, use)) is not None}
    frees = [*found]
    handed = [use for use in uses if use.value in (*_returned(flow, use), *effects_at(flow.graph, use.op).escapes)]
    place = here[-1].name_span.start if here else 0
    passed = [use for use in frees if use.op.name_span.start < place]
    before = [use for use in passed if _same_path(use.op, here) and found[use]]
    if before:
        by = f", by {code(f'@{before[-1].op.symbol}')}" if _calls(flow, before[-1]) and before[-1].op.symbol else ""
        yield f"Already freed here, in line {_line(file, before[-1].op.name_span)}{by}."
    elif not origin.owned:
        argument = origin.value.block is not None
        yield (
            "It belongs to the caller, which frees it."
            if argument
            else f"It is {on(origin.resource)}: not to be freed."
        )
    else:
        after = [use for use in uses if use.op.name_span.start > place and use not in found]
        later = [use for use in after if not _other_branch(use.op, here)]
        perhaps = [use for use in passed if _same_path(use.op, here) or _inside_passed(use.op, here)]
        unless = f" unless it was freed in {_lines(file, perhaps)}" if perhaps else ""
        yield f"Still allocated here{unless}{_because(file, later)}."
        yield from _end(file, flow, found, handed)


def _because(file: File, later: list[Use]) -> str:
    """The chain of uses that keeps it alive."""
    if not later:
        return ", not used again"
    listed = later[:MAX_USES_LISTED]
    named = [f"line {_line(file, use.op.name_span)} ({code(use.op.name)} by `{use.name}`)" for use in listed]
    more = " and later" if len(later) > MAX_USES_LISTED else ""
    return f"; used in {', '.join(named)}{more}"


def _end(file: File, flow: FunctionFlow, frees: dict[Use, bool], handed: list[Use]) -> Iterator[str]:
    doubtful = [use for use, certain in frees.items() if not certain and _calls(flow, use)]
    sure = [use for use in frees if use not in doubtful]
    for words, uses in (("Freed in", sure), ("A call may free it in", doubtful), ("Handed over in", handed)):
        if uses:
            yield f"{words} {_lines(file, uses)}."
    if not frees and not handed:
        yield "Never freed in this function."


def _lines(file: File, uses: Iterable[Use]) -> str:
    lines = sorted({_line(file, use.op.name_span) for use in uses})
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"


def _calls(flow: FunctionFlow, use: Use) -> bool:
    return flow.graph.call(use.op) is not None


def _returned(flow: FunctionFlow, use: Use) -> tuple[Value, ...]:
    return tuple(effects_at(flow.graph, use.op).returned)


def _same_path(op: Op, here: list[Op]) -> bool:
    """Whether an op stands in a block around the place: what is in another branch need not have happened."""
    block = _block(op)
    return block is not None and any(_block(one) == block for one in here)


def _inside_passed(op: Op, here: list[Op]) -> bool:
    """Whether an op stands inside another one on the way to the place: a branch or a loop, which may not be taken."""
    around = {one.name_span for one in here}
    return any(_same_path(outer, here) and outer.name_span not in around for outer in ancestors(op))


def _other_branch(op: Op, here: list[Op]) -> bool:
    """Whether an op is in another region of an op around the place than the place itself."""
    regions = {holder: region for holder, region, _ in filter(None, map(_block, here))}
    blocks = filter(None, map(_block, (op, *ancestors(op))))
    return any(regions.get(holder, region) != region for holder, region, _ in blocks)


def _block(op: Op) -> tuple[Span, int, int] | None:
    """The block of an op, whatever else is built: the op that holds it, the region, and its number in that."""
    block = op.parent
    if block is None:
        return None
    holder = block.region.op
    return holder.name_span, next(at for at, one in enumerate(holder.regions) if one is block.region), block.index


def _holder(value: Value) -> Op | None:
    return value.op or (value.block.region.op if value.block is not None else None)


def _by(value: Value) -> str:
    holder = _holder(value)
    name = holder.name if holder is not None else ""
    return f"argument of {code(name)}" if value.block is not None else code(name)


def _line(file: File, span: Span) -> int:
    return file.text.position(span.start).line + 1
