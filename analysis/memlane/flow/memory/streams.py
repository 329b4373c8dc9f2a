"""Streams of a GPU: work on one of them is done in the order in which it was begun, whatever tokens it waits for.

`gpu-to-llvm` puts an operation on the stream of the token that it depends on; `gpu.wait async` makes a stream. A wait
for any token of a stream waits for all that was begun there before. Tokens alone say less: what they leave open is no
mistake where the stream settles it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.null_checks import is_null
from memlane.syntax.tree.tree import Op, Value, starts_at

_TOKEN = "!gpu.async.token"


@dataclass(slots=True, eq=False)
class _Stream:
    """A stream.

    Args:
        waits: where something waits for it at once, and the place of the token that is named there.
        forked: some token is waited for by several operations: places do not tell which come behind which.
    """

    waits: list[tuple[Op, int]] = field(default_factory=list[tuple[Op, int]])
    forked: bool = False


class _OnStream(NamedTuple):
    """The place of a token on a stream, the first being 0."""

    stream: _Stream
    number: int


def may_be_done(graph: Graph, work: Op, free: Op) -> bool:
    """Whether work of a GPU may be done when a deallocation is, though no token says so: an operation between them in
    the text waits for their stream by a token before that of the work, or the deallocation itself does; or the work is
    on the default stream, for which no value stands.

    Args:
        work: what gives the value that stands for its completion: a token, or the stream it is on.
    """
    if any(is_null(graph, stream) for stream in work.results):
        return True
    places = query(graph, _on_streams)
    mine = [places[token] for token in effects_at(graph, work).completion if token in places]
    freed = [places[token] for token in effects_at(graph, free).waits if token in places]
    start, end = work.span.start, free.span.start
    for stream, number in mine:
        named = [at for other, at in freed if other is stream]
        named += [at for op, at in stream.waits if start < op.span.start < end]
        if any(at <= number or stream.forked for at in named):
            return True
    return False


def is_awaited_by_stream(graph: Graph, token: Value) -> bool:
    """Whether something may wait for what a token stands for without a value made of it: at once for another token of
    its stream, or for the default stream."""
    if is_null(graph, token):
        return True
    place = query(graph, _on_streams).get(token)
    if place is None or token.op is None:
        return False
    stream, number = place
    if stream.forked:
        return bool(stream.waits)
    return any(at < number and op.span.start > token.op.span.start for op, at in stream.waits)


def _on_streams(graph: Graph) -> Mapping[Value, _OnStream]:
    """Where tokens are on their streams, those that stand behind them in the text."""
    found: dict[Value, _OnStream] = {}
    followed: set[Value] = set()
    for op in sorted(ops_of(graph, lambda model: model.wait or model.token is not None), key=starts_at):
        effects = effects_at(graph, op)
        before = [one for one in effects.waits if one.type == _TOKEN]
        known = found.setdefault(before[0], _OnStream(_Stream(), 0)) if len(before) == 1 else _OnStream(_Stream(), -1)
        if not effects.completion:
            for one in before:
                stream, number = found.setdefault(one, _OnStream(_Stream(), 0))
                stream.waits.append((op, number))
            continue
        if len(op.results) == 1 and len(before) == len(op.operands) and not op.regions:  # it does nothing but wait
            known = _OnStream(_Stream(), -1)
        elif before:
            known.stream.forked |= before[0] in followed
            followed.add(before[0])
        found.update(
            (token, _OnStream(known.stream, known.number + 1)) for token in effects.completion if token.type == _TOKEN
        )
    return found
