"""What one operation does to a state: buffers are made, named, touched, freed, handed out and kept.

Control flow is `explore`'s; calls of functions with a body are `invoke`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, TypeVar

from memlane.dialects.model import ViewKind
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.events import EventKind, Log, Purpose
from memlane.flow.dataflow.solver import bounded
from memlane.flow.dataflow.state import Instance, State, begun, ordered
from memlane.flow.effects.aggregate_buffers import Content
from memlane.flow.effects.effects import Effects, FreeOf, ViewOf
from memlane.flow.memory.async_free import may_come_first
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.loop_distinct_loads import Rounds
from memlane.flow.memory.opaque_memory import OpaqueMemory
from memlane.flow.memory.stack_points import stack_points
from memlane.flow.memory.token_chains import awaited_around
from memlane.flow.memory.unknown_op_aliases import may_lend, surely_same
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.locations import Location, moved_to
from memlane.flow.scalars.spmd_regions import runs_as_called, shared_by
from memlane.flow.slicing.address_reuse import Reuse
from memlane.flow.slicing.realloc import may_fail, replaces
from memlane.flow.slicing.slice import Slice
from memlane.flow.slicing.unknown_results import Through
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, compares, leaves, pointed, points, rebuild, simplify
from memlane.flow.symbolic.types import is_pointer
from memlane.flow.typestate.async_completion import completed
from memlane.flow.typestate.empty_buffers import EmptyBuffers
from memlane.flow.typestate.limits import MAX_OWNERS
from memlane.syntax.tree.tree import Op, Value, starts_at

Doer = TypeVar("Doer")
_TYPE, _VALUE = attrgetter("type"), attrgetter("value")


class Transfer:
    """The transfer functions of the ops of one slice.

    Args:
        graph, part: the function and the slice that is followed.
        log: where events go.
        summarise: facts about arguments matter to the caller.
        paired: several arguments are one buffer.
        callees: see `Reuse`.

    Attributes:
        paired: what happens to arguments after they were freed matters to the caller, too.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        log: Log,
        summarise: bool,
        paired: bool = False,
        callees: Callees | None = None,
    ) -> None:
        self._graph = graph
        self._part = part
        self._log = log
        self._summarise, self._callees = summarise, callees
        telling = log.purpose is Purpose.FINDINGS
        self.paired = paired and telling and summarise
        self._formals = frozenset(graph.entry.arguments) if graph.entry is not None else frozenset[Value]()
        self.reuse = Reuse(graph, part, callees)
        self._points = stack_points(graph)
        self._rounds, self._kept = Rounds(graph), OpaqueMemory(graph)
        self._through = Through(graph, part, followed=summarise)
        self.empty = EmptyBuffers(graph, part.origins.values(), self.keep)
        self._stand_ins: dict[object, Any] = {}

    def keep(self, expr: Expr) -> bool:
        """Whether a fact about `expr` is worth remembering: something asks again, here or in the caller."""
        if expr[0] == "order":  # how one of two numbers compares with others says nothing of the two
            return all(map(self.keep, expr[1:]))
        shared, formals = self._part.shared, self._summarise and not self._part.free
        return any(leaf in shared or (formals and leaf in self._formals) for leaf in leaves(expr))

    def held(self, value: Value, state: State) -> Instance | None:
        """The buffer that `value` denotes."""
        root = self._part.root.get(value)
        return state.holding(root) if root is not None else None

    def interior(self, value: Value) -> bool:
        """Whether a bare pointer may point into its buffer; memrefs carry the start of their buffer."""
        root, offset = self._part.root[value], 0
        while value is not root and value.op is not None and not (value.type or "").startswith("memref<"):
            view = next(v for v in effects_at(self._graph, value.op).views if v.result is value)
            if view.kind is ViewKind.PART and not view.unsure:
                place = moved_to(self._graph, value.op, Location(), False)
                if place is None or place.offset is None:
                    return True
                offset += place.offset
            value = view.pointing
        return offset != 0

    def shifted(self, value: Value, held: Instance | None) -> bool:
        """Whether the pointer of `value` is not that of its buffer's first element, or a bare one need not be."""
        if held is None:
            return False
        root = self._part.root[value]
        while value is not root and value.op is not None:
            view = next(v for v in effects_at(self._graph, value.op).views if v.result is value)
            if view.may_shift:
                return True
            value = view.pointing
        return root in held.shifted

    def resolve(self, expr: Expr, state: State) -> Expr:
        """`expr` with comparisons of addresses decided where the state tells."""
        if expr[0] in ("const", "leaf", "pointer") or not compares(expr):
            return expr
        left, right = (pointed(expr[2]), pointed(expr[3])) if expr[0] == "cmpi" else (None, None)
        if left is not None and expr[3] == FALSE and is_pointer(left.type):
            made = self.is_made(left, state)
            return expr if not made or expr[1] not in ("eq", "ne") else FALSE if expr[1] == "eq" else TRUE
        if left is not None and right is not None:
            same = self._same_address(left, right, state)
            return expr if same is None or expr[1] not in ("eq", "ne") else TRUE if same == (expr[1] == "eq") else FALSE
        return rebuild(expr, lambda part: self.resolve(part, state)) or expr

    def decide(self, op: Op, state: State) -> State:
        """The state with the values that it implies for the flag operands of `op`, as facts, where addresses decide
        these."""
        values = [*filter(None, map(_VALUE, op.operands))]
        if "i1" not in map(_TYPE, values):
            return state
        facts = dict(state.facts)
        for value in (value for value in values if value.type == "i1"):
            if points(expr := scalar_of(self._graph, value)):
                found = simplify(self.resolve(expr, state), facts)
                if found[0] == "const":
                    facts[expr] = found
        return state._replace(facts=frozenset(facts.items())) if len(facts) > len(state.facts) else state

    def is_made(self, value: Value, state: State) -> bool:
        """Whether a pointer is surely not null: to a buffer that is made, here or in a call."""
        held = self.held(value, state)
        return held.new if held is not None else self._replaces(value)

    def _replaces(self, value: Value) -> bool:
        """Whether a pointer is null only where a buffer that is followed has not been freed for it."""
        return replaces(self._graph, self._part, self._callees, value)

    def _same_address(self, left: Value, right: Value, state: State) -> bool | None:
        """Buffers that live at once never share memory; within one, views may start elsewhere."""
        one, other = self.held(left, state), self.held(right, state)
        if one != other and self.reuse.may_be_one(left, one, right, other):
            return None
        if one is None and other is None and (self._replaces(left) or self._replaces(right)):
            return False  # where it is null the buffer that it is for has not been freed, and nothing is wrong
        if one is None or other is None:  # new memory is not null, what came from elsewhere may be
            found, unknown = (one, right) if one is not None else (other, left)
            if found is None:
                return None
            told = found.new or not is_pointer(unknown.type) or self.reuse.is_new(unknown)
            return False if told else None
        if one != other:
            return False
        moved = self.shifted(left, one), self.shifted(right, other)
        bare = is_pointer(left.type) or is_pointer(right.type)  # which an index of zero does not move
        return None if all(moved) or (bare and any(moved)) else not any(moved)

    def escaped(self, effects: Effects, state: State) -> State:
        """The state once what an op puts out of sight is."""
        for value in effects.escapes:
            if (held := self.held(value, state)) is not None:
                doubt = held.unsure or isinstance(value, Content)  # others may be there now
                state = state.replace(held, held._replace(escaped=True, written=True, unsure=doubt))
        return state

    def execute(self, op: Op, state: State) -> list[State]:
        """The states after the op itself; its regions come later."""
        if self._part.idle(op) and not any(held.is_worked_on for held in state.heap):
            return [state]
        if op in self._points.saves or op in self._points.restores:
            return self._restore(op, self._save(op, state))
        effects = effects_at(self._graph, op)
        if effects.reads or effects.writes:
            state = self._touch(op, effects, state)
        state = self._through.touch(op, effects, state, self._log)
        state = completed(op, effects, self._part, state)
        if effects.returned or effects.packed:
            state = self._hand_out(op, effects, state)
        state = self.escaped(effects, state)
        for value in effects.acquires:
            if (held := self.held(value, state)) is not None:
                state = state.replace(held, held._replace(owners=min(held.owners + 1, MAX_OWNERS + 1)))
        states = self._free(op, effects, state) if effects.frees else [state]
        for value, _ in effects.allocs:
            if value in self._part.root:
                states = [self._allocate(op, value, before) for before in states]
        for value in effects.loaded:
            if value in self._part.root:
                states = [after for before in states for after in self._load(value, before)]
        for view in effects.views:
            if self._part.root.get(view.result) is view.result and view.result not in self._through.names:
                states = bounded([after for before in states for after in self._join(op, view, before)])
        return states

    def _save(self, op: Op, state: State) -> State:
        """The op may save a point of the stack: what is there stays when control goes back to that."""
        point = self._points.saves.get(op)
        for held in state.heap if point is not None else ():
            if held.origin.resource == "stack" and point is not None:
                state = state.replace(held, held._replace(saved=held.saved | {point}))
        return state

    def _restore(self, op: Op, state: State) -> list[State]:
        """The op may go back to a point of the stack, one of some: what was made since it was saved is released."""
        states: list[State] = [state]
        points = self._points.restores.get(op, ())
        for held in ordered(state.heap) if points else ():
            if held.freed is not None or held.saved.issuperset(points) or not held.origin.ends_early:
                continue
            gone = held._replace(freed=self.stand_in(op, held, "freed"))
            after = [before.replace(held, gone) for before in states]
            states = after if held.saved.isdisjoint(points) else bounded([*states, *after])
        return states

    def _touch(self, op: Op, effects: Effects, state: State) -> State:
        """The op reads or writes memory, at once or until its token is waited for."""
        for value in filter(self._part.root.__contains__, dict.fromkeys((*effects.reads, *effects.writes))):
            if (held := self.held(value, state)) is None:
                continue
            if held.freed is not None:
                unsure = effects.unknown or may_come_first(self._graph, op, held.freeing)
                self._log.add(EventKind.USE_AFTER_FREE, op, held, value, unsure=unsure)
            elif effects.looks_into(value) and not effects.unknown and self._lacks_contents(held):
                self._log.add(EventKind.UNINITIALIZED_READ, op, held, value)
            first = self.stand_in(op, held, "first") if self._summarise and held.first is None else held.first
            written = held.written or value in effects.writes or effects.unknown
            pending = begun(held.pending, effects.completion) if effects.completion else held.pending
            unsure = held.unsure or effects.unknown
            used = self.stand_in(op, held, "used") if self.paired and held.freed and not held.used else held.used
            now = (first, written, pending, unsure, used)
            if now != (held.first, held.written, held.pending, held.unsure, held.used):
                after = held._replace(first=first, written=written, pending=pending, unsure=unsure, used=used)
                state = state.replace(held, after)
        return self._log.mark(state)

    def _lacks_contents(self, held: Instance) -> bool:
        """Whether a buffer was never written to. One that has no elements is no violation, and none that is avoided."""
        if held.written or not held.origin.made_here:
            return False
        return not held.empty or self._log.purpose is Purpose.GRADES

    def _hand_out(self, op: Op, effects: Effects, state: State) -> State:
        """Buffers are handed to the caller: freed ones, and memory that ends with this function, dangle there."""
        handed: dict[Instance, list[Value]] = {}
        for value in filter(self._part.root.__contains__, (*effects.returned, *effects.packed)):
            if (held := self.held(value, state)) is None:
                continue
            root = self._part.root[value]
            if held.origin.resource == "stack":
                self._log.add(EventKind.DANGLING_STACK, op, held, value)
            elif held.freed is not None:
                self._log.add(EventKind.USE_AFTER_FREE, op, held, value)
            elif held.origin.lent and may_lend(self._graph, root, value):
                self._log.add(EventKind.BORROWED_RETURN, op, held, value)
            if value in effects.returned and surely_same(self._graph, root, handed.get(held, ())):
                self._log.add(EventKind.ALIASED_RESULTS, op, held, value)
            handed.setdefault(held, []).append(root)
        return self._log.mark(state)

    def _allocate(self, op: Op, value: Value, state: State) -> State:
        state = self.reuse.made(state.bind(value, None))
        origin = self._part.origins.get(value)
        if origin is None:
            return state
        known = next((i for i in state.heap if origin.symbol and i.origin.symbol == origin.symbol), None)
        if known is not None:
            return state.bind(value, known)
        instance = Instance(origin, frozenset((value,)))
        size = origin.size
        if effects_at(self._graph, op).filled or (size is not None and size.bytes == 0):
            instance = instance._replace(written=True)
        elif self.empty.is_empty(origin, dict(state.facts)):
            instance = instance._replace(empty=True)
        return self._log.made(state._replace(heap=state.heap | {instance}), (origin.value,))

    def _join(self, op: Op, view: ViewOf, state: State) -> Iterator[State]:
        """The result becomes one of its sources; which one, a condition may tell."""
        condition = op.operands[0].value if op.operands else None
        if self._graph.selects(op) and len(view.sources) == 2 and condition is not None:
            for choice, source in zip((True, False), view.sources, strict=True):
                expr = self.resolve(scalar_of(self._graph, condition), state)
                for facts in assume(expr, choice, dict(state.facts), self.keep):
                    after = state._replace(facts=frozenset(facts.items()))
                    held = self.held(source, after)
                    then = after.bind(view.result, held, shifted=view.shifted or self.shifted(source, held))
                    self._log.choose(state, then, op, f"{condition.name} is {'true' if choice else 'false'}")
                    yield then
            return
        if view.unsure:
            yield state.bind(view.result, None)
        for source in view.sources:
            held = self.held(source, state)
            moved = view.may_shift or self.shifted(source, held)
            yield state.bind(view.result, held, unsure=view.unsure, shifted=moved)

    def _load(self, value: Value, state: State) -> Iterator[State]:
        """A buffer comes back from memory: any that was kept there, or another one.

        What a loop has freed in a round before it does not load again where each round loads from another place.
        """
        yield state.bind(value, None)
        load = value.op
        for instance in ordered(instance for instance in state.heap if instance.escaped):
            if load is not None and self._is_another(load, instance, state):
                continue
            yield state.bind(value, instance, unsure=True)

    def _is_another(self, load: Op, instance: Instance, state: State) -> bool:
        """Whether what is loaded is taken to be another buffer: in loops than what they have freed, or look at."""
        if self._kept.elsewhere(load, instance.origin.value):
            return True
        if instance.freed is not None:
            return self._rounds.loaded_before(load, instance.freed)
        names = (use.value for use in load.operands[:1] if use.value is not None)
        return any(self.held(name, state) == instance for name in names) and self._rounds.walks(load)

    def _free(self, op: Op, effects: Effects, state: State) -> list[State]:
        """The op frees each buffer at most once, and none that it retains."""
        states = [(state, frozenset[frozenset[Value]]())]
        for free in self._part.frees(op):
            after: list[tuple[State, frozenset[frozenset[Value]]]] = []
            for before, done in states:
                held = self.held(free.value, before)
                retained = filter(self._part.root.__contains__, free.retained)
                if held is None or held.holders in done or any(self.held(v, before) == held for v in retained):
                    after.append((before, done))
                    continue
                for facts, taken in self._whether(free.condition, before):
                    then = before._replace(facts=frozenset(facts.items()))
                    now = self._release(op, free, held, then, effects.completion) if taken else then
                    if free.condition is not None:
                        self._log.choose(before, now, op, f"{free.condition.name} is {'true' if taken else 'false'}")
                    after.append((now, done | {held.holders} if taken else done))
                    if taken and held.freed is None and held.owners > MAX_OWNERS:
                        after.append((self._log.mark(then), done | {held.holders}))  # there may be that many still
            states = after
        return [state for state, _ in states]

    def _whether(self, condition: Value | None, state: State) -> Iterator[tuple[Facts, bool]]:
        facts = dict(state.facts)
        if condition is None:
            yield facts, True
            return
        expr = self.resolve(scalar_of(self._graph, condition), state)
        for choice in (True, False):
            for after in assume(expr, choice, facts, self.keep):
                yield after, choice

    def _release(self, op: Op, free: FreeOf, held: Instance, state: State, completion: frozenset[Value]) -> State:
        """One buffer is freed."""
        log, origin = self._log, held.origin
        done = awaited_around(self._graph, op) | completion if held.pending else completion
        if held.freed is not None:
            if origin.resource != "stack":
                log.add(EventKind.DOUBLE_FREE, op, held, free.value)
        elif waiting := [work for work in held.pending if work and not work & done]:
            ops = [value.op for work in waiting for value in work if value.op is not None]
            started = min(ops, key=starts_at, default=None)
            log.add(EventKind.FREE_BEFORE_WAIT, op, held, free.value, cause=started)
        if origin.lent:
            log.add(EventKind.ARGUMENT_FREE, op, held, free.value)
        elif origin.resource in ("stack", "global"):
            log.add(EventKind.INVALID_FREE, op, held, free.value)
            return log.mark(state)
        elif self.interior(free.value):
            # An index may be zero all the same.
            log.add(EventKind.INVALID_FREE, op, held, free.value, unsure=True)
        elif held.freed is None and not self.fits(origin, free.resource, held.made):
            log.add(EventKind.MISMATCHED_FREE, op, held, free.value)
        if held.freed is None and held.owners:
            return log.mark(state.replace(held, held._replace(owners=held.owners - 1)))
        if held.freed is None and free.condition is None and shared_by(self._graph, op, origin.value) is not None:
            log.add(EventKind.DOUBLE_FREE, op, held, free.value, unsure=True)
        again = self.stand_in(op, held, "again") if self.paired and held.freed and not held.again else held.again
        unsure = held.unsure or may_fail(self._graph, self._part, self._callees, op)
        gone = held._replace(freed=self.stand_in(op, held, "freed"), pending=frozenset(), again=again, unsure=unsure)
        gone = gone._replace(freeing=completion or None) if held.freed is None else gone
        each = self._summarise and free.condition is None and runs_as_called(self._graph, op)
        gone = gone._replace(by_each=True) if each else gone
        return log.mark(state.replace(held, gone._replace(into=free.resource if self._summarise else None)))

    def stand_in(self, op: Doer, held: Instance, what: str) -> Doer:
        """The op to report as the first that does something to a buffer.

        Summaries have one such op. Where paths are not distinguished it is always the same: else n of them would make n
        states of each point behind them.
        """
        if not self._part.free:
            return op
        return self._stand_ins.setdefault((type(op), held.origin, what), op)

    def fits(self, origin: Origin, resource: str | None, made: str | None = None) -> bool:
        """Whether what is from there may go back to a resource, as far as both are known."""
        made = origin.resource if origin.kind is OriginKind.ALLOCATION else made
        return made is None or resource is None or self._graph.models.interchangeable(made, resource)
