"""Streams of a GPU: work on one of them is done in the order in which it was begun, whatever tokens it waits for.

`gpu-to-llvm` puts an operation on the stream of the token that it depends on; `gpu.wait async` makes a stream. A wait
for any token of a stream waits for all that was begun there before. Tokens alone say less: what they leave open is no
mistake where the stream settles it.
"""

from __future__ import annotations

from collections.abc import Mapping

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.null_checks import is_null
from memlane.syntax.tree.tree import Op, Value, ancestors, starts_at

_TOKEN = "!gpu.async.token"


def may_be_done(graph: Graph, work: Op, free: Op) -> bool:
    """Whether work of a GPU may be done when a deallocation is, though no token says so: an operation that comes before
    it in any case waits for their stream, or the deallocation itself does; or the work is on the default stream, for
    which no value stands.

    Args:
        work: what gives the value that stands for its completion: a token, or the stream it is on.
    """
    if any(is_null(graph, stream) for stream in work.results):
        return True
    tokens = {token for token in effects_at(graph, work).completion if token.type == _TOKEN}
    streams = {_stream(graph, token)[-1] for token in tokens}
    blocks = {one.parent for one in (free, *ancestors(free))}

    def waits(op: Op) -> bool:
        effects = effects_at(graph, op)
        between = work.span.start < op.span.start < free.span.start and op.parent in blocks
        if op is not free and (not between or effects.completion):
            return False
        before = (_stream(graph, token) for token in effects.waits if token.type == _TOKEN)
        return any(one[-1] in streams and tokens.isdisjoint(one) for one in before)

    return bool(streams) and any(map(waits, ops_of(graph, lambda model: model.wait)))


def is_awaited_by_stream(graph: Graph, token: Value) -> bool:
    """Whether something may wait for what a token stands for without a value made of it: at once for the first token of
    its stream, or for the default stream."""
    if is_null(graph, token):
        return True
    first = query(graph, _firsts).get(token)
    if first is None:
        return False
    users = (effects_at(graph, use.op) for use in first.uses)
    return any(first in effects.waits and not effects.completion for effects in users)


def _firsts(graph: Graph) -> Mapping[Value, Value]:
    """The first tokens of streams, by each of the others that stands behind them in the text."""
    found: dict[Value, Value] = {}
    for op in sorted(ops_of(graph, lambda model: model.token is not None), key=starts_at):
        effects = effects_at(graph, op)
        before = [one for one in effects.waits if one.type == _TOKEN]
        if len(before) == 1:
            found.update((token, found.get(before[0], before[0])) for token in effects.completion)
    return found


def _stream(graph: Graph, token: Value) -> list[Value]:
    """A token with those before it on its stream, the first one last."""
    found = {token: None}
    while token.op is not None:
        before = [one for one in effects_at(graph, token.op).waits if one.type == _TOKEN]
        if len(before) != 1 or before[0] in found:
            break
        (token,) = before
        found[token] = None
    return [*found]
