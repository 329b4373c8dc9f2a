"""Buffers that may be reached through what an external function gives: its result may be what it was passed, or point
into that, as the result of `strchr` does.

Each argument of such a call gets a name that no text writes: a view of the argument, whose uses are all operations that
use a result of the call, or anything derived from one: views, values loaded through it, values that control flow
forwards, results of further calls. So each place that asks when a buffer is used last finds these uses as it finds
those of a subview. The name is never read, written or freed itself: that the result is the argument is a reason to hold
a deallocation back, none to report one.

An address may be a number. Results of the types `index` and `i64` count where something makes a pointer of them,
keeps them or passes them on; that a loop counts to one says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.dialects import select
from memlane.dialects.model import ViewKind
from memlane.flow.cfg.callee import called
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.cfg.scc import reachable
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.effects.effects import Effects, FreeOf, ViewOf
from memlane.flow.memory.call_arguments import arguments_of, function_values
from memlane.flow.memory.limits import MAX_OP_TEXT, MAX_RESULT_USES
from memlane.flow.memory.own_effects import own_effects
from memlane.flow.symbolic.types import is_wide_integer, may_hold_address, may_hold_buffer
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Use, Value

_OF_NUMBERS = regex(r"memref<(?:[\dx?*]+x)?(?:i\d+|[b]?f\d+|index|complex<[^<>]*>|vector<[^<>]*>)[,>]")
"""Memrefs whose elements are no addresses."""
_OF_POINTERS = regex(r"(?:\bx\s+|^)!?(?:llvm\.)?(?:ptr|struct<[^:]*ptr)")
"""`llvm.alloca %n x !llvm.ptr`, and of structs that have one; the type alone in generic form."""


@dataclass(slots=True, eq=False, repr=False)
class Indirect(Value):
    """A name of an argument of a call, used by what uses the results of the call. Two of the same argument of the same
    call are equal.

    Args:
        call, source: that call, and its argument.
        freed: an operation frees what may be the argument. `given_away`: or hands it to the caller.
    """

    call: Op | None = None
    source: Value | None = None
    freed: bool = False
    given_away: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Indirect) and self.call is other.call and self.source is other.source

    def __hash__(self) -> int:
        return hash((self.call, self.source))


class Indirects(NamedTuple):
    """Those of one function.

    Args:
        views: of calls, what makes these names.
        named: of operations, those that they use.
        kept: of operations, those that they put where uses are out of sight.
    """

    views: Mapping[Op, tuple[ViewOf, ...]]
    named: Mapping[Op, tuple[Indirect, ...]]
    kept: Mapping[Op, tuple[Indirect, ...]]


_NONE = Indirects({}, {}, {})


def indirects_of(graph: Graph) -> Indirects:
    """Those of a function. Found out once."""
    return query(graph, known_indirects)


def known_indirects(graph: Graph) -> Indirects:
    """The same; known once they have been asked for."""
    models = graph.named_models.items()
    names = [name for name, model in models if model is not None and (model.call is not None or model.inside)]
    return _Finder(graph).found(names) if names else _NONE


def through_indirects(found: Indirects, op: Op, effects: Effects) -> Effects:
    """What an operation does, with what it does to the names of its function."""
    views, kept = found.views.get(op), found.kept.get(op)
    if views is None and kept is None:
        return effects
    return effects._replace(views=(*effects.views, *(views or ())), escapes=(*effects.escapes, *(kept or ())))


def may_point(graph: Graph, call: Op) -> list[Value]:
    """The arguments of a call into which its results may point."""
    return [source for view in indirects_of(graph).views.get(call, ()) for source in view.sources]


def calls_undescribed(graph: Graph, op: Op) -> bool:
    """Whether an op calls a function without a body and without a model."""
    call = graph.call(op)
    if call is None:
        return False
    symbol = called(op, call, graph.models)
    if symbol is not None:
        return symbol.rpartition("::")[2].lstrip("@") not in graph.defined
    callee = op.operands[0].value if op.operands else None
    ones = function_values(graph).of(callee) if callee is not None else None
    if ones is None or ones.others or ones.anything or not ones.symbols:
        return True
    return not all(symbol in graph.defined for symbol in ones.symbols)


class _CallUses:
    """The operations that use what a call gives.

    Attributes:
        ops: all, in the order in which they are found. `kept`: those that put it out of sight.
        freed: one of them frees it. `given_away`: or hands it to the caller.
    """

    def __init__(self) -> None:
        self.ops: dict[Op, None] = {}
        self.kept: dict[Op, None] = {}
        self.freed = self.given_away = False


class _Finder:
    """Finds those of one function."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._effects: dict[Op, Effects] = {}
        self._left = MAX_RESULT_USES
        self._views: dict[Op, tuple[ViewOf, ...]] = {}
        self._named: dict[Op, list[Indirect]] = {}
        self._kept: dict[Op, list[Indirect]] = {}

    def found(self, names: Iterable[str]) -> Indirects:
        """All of them. `names`: of the operations whose results may be arguments."""
        for op in (op for name in names for op in self._graph.named[name] if _gives_or_fills(op)):
            poll()
            model = self._graph.model(op)
            if model is not None and model.inside:
                self._look_at(op, [use.value for one in model.inside for use in select(op, one, model)])
            elif calls_undescribed(self._graph, op):
                self._look_at(op, arguments_of(self._graph, op))
        if not self._views:
            return _NONE
        named = {op: tuple(those) for op, those in self._named.items()}
        return Indirects(self._views, named, {op: tuple(those) for op, those in self._kept.items()})

    def _look_at(self, call: Op, arguments: Iterable[Value | None]) -> None:
        """Make the names of a call, whose results may point into some of its arguments."""
        given = [value for value in dict.fromkeys(arguments) if value is not None]
        passed = [value for value in given if may_hold_address(value.type) and self._may_be_address(value)]
        results = [result for result in results_of(self._graph, call) if may_hold_address(result.type)]
        filled = [memory for value in passed if (memory := self._container(value)) is not None]
        if not passed or not (results or filled):
            return
        uses = self._uses(call, results, filled)
        views: list[ViewOf] = []
        for value in passed:
            if results and not filled and all(self._is_own(call, result, value) for result in results):
                continue
            name = Indirect(value.name, value.span.start, value.size, value.type, 0, call=call, source=value)
            name.freed, name.given_away = uses.freed, uses.given_away
            for op in uses.ops:
                name.uses.append(Use(value.name, 0, op, -1))
                self._named.setdefault(op, []).append(name)
            for op in uses.kept:
                self._kept.setdefault(op, []).append(name)
            views.append(ViewOf(name, (value,), ViewKind.PART))
        if views:
            self._views[call] = tuple(views)

    # ---- what uses a result ------------------------------------------------------------------------------------

    def _uses(self, call: Op, results: Iterable[Value], filled: Iterable[Value]) -> _CallUses:
        """The uses of what a call gives, as results or in memory that it is passed."""
        found = _CallUses()
        pending = [*results, *(inner for memory in filled for inner in self._taken_out(memory, call, found))]
        seen = set(pending)
        while pending:
            value = pending.pop()
            for use in value.uses:
                self._left -= 1
                if self._left < 0:
                    found.kept[call] = None
                    return found
                for derived in self._follow(value, use.op, found):
                    if derived not in seen and may_hold_address(derived.type):
                        seen.add(derived)
                        pending.append(derived)
        return found

    def _follow(self, value: Value, op: Op, found: _CallUses) -> list[Value]:
        """What an op makes of a value; notes it where it may use the memory."""
        graph, effects, model = self._graph, self._own(op), self._graph.model(op)
        derived = [view.result for view in effects.views if value is view.through or value in view.sources]
        derived += effects.loaded if value in effects.reads else ()
        derived += self._handed_on(value, op)
        calls = graph.call(op) is not None
        if calls or (model is not None and model.aggregate is not None):
            derived += results_of(graph, op)
        freed = any(free.value is value for free in effects.frees)
        kept = value in effects.escapes
        if freed:
            found.freed = found.given_away = True
        elif value in effects.returned or value in effects.packed:
            found.given_away = True
        if kept:
            found.kept[op] = None
        makes_pointer = any(may_hold_buffer(one.type) for one in derived)
        if not is_wide_integer(value.type) or calls or kept or makes_pointer or effects.returned or effects.unknown:
            found.ops[op] = None
        return derived

    def _handed_on(self, value: Value, op: Op) -> list[Value]:
        block = op.parent
        edges: list[Edge] = []
        if op.regions and op is not self._graph.function:
            edges += self._graph.entries(op)
        if block is not None and op is block.ops[-1]:
            edges += self._graph.exits(block)
        return [receiver for edge in edges for given, receiver in edge.bindings if given is value]

    def _taken_out(self, memory: Value, call: Op, found: _CallUses) -> Iterator[Value]:
        """What is loaded from local memory that holds addresses; calls that are passed it use what is in it."""
        for value in self._views_of(memory):
            for use in value.uses:
                effects = self._own(use.op)
                if value in effects.reads:
                    yield from (one for one in effects.loaded if may_hold_buffer(one.type))
                if use.op is not call and self._graph.call(use.op) is not None:
                    found.ops[use.op] = None
                    yield from (one for one in results_of(self._graph, use.op) if may_hold_address(one.type))

    def _may_be_address(self, value: Value) -> bool:
        """Whether an argument may be an address: of a number, whether it is made of one in the function."""
        before = reachable([value], lambda one: (made for made in self._made_of(one) if may_hold_address(made.type)))
        return any(may_hold_buffer(one.type) for one in before)

    def _made_of(self, value: Value) -> Iterator[Value]:
        """What a value is made of, or what control hands over as it."""
        op, block, graph = value.op, value.block, self._graph
        edges: Iterable[Edge] = ()
        if op is not None:
            yield from (source for view in self._own(op).views if view.result is value for source in view.sources)
            if graph.call(op) is not None:
                yield from (one for one in arguments_of(graph, op) if one is not None)
            edges = edges_within(graph, op)
        elif block is not None and block is not graph.entry:
            edges = (*graph.entering(block), *(() if block.index else edges_within(graph, block.region.op)))
        yield from (given for edge in edges for given, to in edge.bindings if to is value and given is not None)

    # ---- the memory of an argument -----------------------------------------------------------------------------

    def _container(self, value: Value) -> Value | None:
        """The memory made here that an argument points to, where it may hold addresses."""
        memory = self._base(value)
        op = memory.op
        if op is None or not any(made is memory for made, _ in self._own(op).allocs):
            return None
        if (memory.type or "").startswith("memref<"):
            return None if _OF_NUMBERS.match(memory.type or "") else memory
        start = op.name_span.end
        text = op.attributes.get("elem_type") or self._graph.source[start : min(op.span.end, start + MAX_OP_TEXT + 1)]
        if len(text) > MAX_OP_TEXT or _OF_POINTERS.search(text):
            return memory
        loads = (one for view in self._views_of(memory) for use in view.uses for one in self._own(use.op).loaded)
        return memory if any(may_hold_buffer(one.type) for one in loads) else None

    def _base(self, value: Value) -> Value:
        seen = {value}
        while value.op is not None:
            views = [view for view in self._own(value.op).views if view.result is value]
            if len(views) != 1 or len(views[0].sources) != 1 or views[0].unsure or views[0].sources[0] in seen:
                break
            value = views[0].sources[0]
            seen.add(value)
        return value

    def _views_of(self, memory: Value) -> list[Value]:
        """A value and its views."""
        found = {memory: None}
        pending = [memory]
        while pending:
            value = pending.pop()
            for op in {use.op: None for use in value.uses}:
                for view in self._own(op).views:
                    if value in view.sources and not view.unsure and view.result not in found:
                        found[view.result] = None
                        pending.append(view.result)
        return [*found]

    def _is_own(self, call: Op, result: Value, passed: Value) -> bool:
        """Whether a result is memory of its own for all that the text says: it is a memref, and freed, as the argument
        is, too, by another op of the block of the call. Both are right only where they are two buffers."""
        if not all(_OF_NUMBERS.match(one.type or "") for one in (result, passed)) or call.parent is None:
            return False
        one, other = self._freeing(result, call.parent), self._freeing(self._base(passed), call.parent)
        return bool(one) and bool(other) and not one & other

    def _freeing(self, memory: Value, block: Block) -> set[Op]:
        """The ops of a block that free memory in any case."""
        names = self._views_of(memory)
        ops = {use.op for value in names for use in value.uses if use.op.parent is block}
        frees = ((op, self._own(op).frees) for op in ops)
        return {op for op, those in frees if len(those) == 1 and those[0].value in names and _always(those[0])}

    def _own(self, op: Op) -> Effects:
        found = self._effects.get(op)
        if found is None:
            found = self._effects[op] = own_effects(self._graph, op)
        return found


def _always(free: FreeOf) -> bool:
    return free.condition is None and not free.retained


def _gives_or_fills(op: Op) -> bool:
    """Whether a call may give an address; of most there is no more to ask."""
    given = any(may_hold_address(result.type) for result in op.results)
    return given or (len(op.operands) > 1 and any(use.value is not None for use in op.operands))
