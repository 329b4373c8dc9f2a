"""What one operation does to sets of buffers; see all_paths.py. Calls are `calling`'s.

Whether a buffer may be freed is known of the buffer, and of each name that denotes one: that is more where a name may
denote many, of which the one that it does is freed or not.
"""

from __future__ import annotations

from collections.abc import Iterable

from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees, OpPlace
from memlane.flow.dataflow.events import EventKind, Log, Purpose
from memlane.flow.effects.aggregate_buffers import Content
from memlane.flow.effects.effects import Effects, FreeOf
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.stack_points import stack_points
from memlane.flow.memory.token_chains import awaited_around
from memlane.flow.memory.unknown_op_aliases import guessed, may_lend
from memlane.flow.path_insensitive.point_sets import Sets
from memlane.flow.path_insensitive.points_to import Holding
from memlane.flow.path_insensitive.transfer_async import StartedWorks
from memlane.flow.path_insensitive.transfer_refcount import Owners
from memlane.flow.path_insensitive.violations import Findings
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.spmd_regions import shared_by
from memlane.flow.slicing.address_reuse import comes_through
from memlane.flow.slicing.realloc import may_fail
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, simplify
from memlane.flow.symbolic.sizes import size_of
from memlane.flow.typestate.transfer import Transfer
from memlane.syntax.tree.tree import Op, Value, starts_at


class SetTransfer:
    """The transfer functions of ops.

    Args:
        graph, part, holding: the function, the slice, and what names may denote.
        constants: what is known of scalar arguments. `callees`: the effects of calls.
    """

    def __init__(self, graph: Graph, part: Slice, holding: Holding, constants: Facts, callees: Callees) -> None:
        self._graph, self._part, self._holding, self._constants = graph, part, holding, constants
        self._callees = callees
        self._transfer = Transfer(graph, part, Log(Purpose.PATHS), False, callees=callees)
        self.findings = Findings(graph, holding)
        self.works = StartedWorks(graph, part, holding)
        origins = holding.origins
        self.owners = Owners(holding.width, any(effects_at(graph, op).acquires for op in part.position))
        self._points, self._released = stack_points(graph), dict[Op, int]()
        self._arguments = holding.of([one for one in origins if one.lent])
        self._static = holding.of([one for one in origins if one.resource in ("stack", "global")])
        self._made_of: dict[str, tuple[Origin, int]] = {}
        self._made = holding.of([one for one in origins if one.made_here])

    def decided(self, value: Value | None) -> bool | None:
        """Whether a flag is true; None: it may be either."""
        found = simplify(scalar_of(self._graph, value), self._constants) if value is not None else None
        return None if found not in (TRUE, FALSE) else found == TRUE

    def scalar(self, expr: Expr) -> Expr:
        """An expression, with what is known of arguments put in."""
        return simplify(expr, self._constants)

    def dispose(self, op: Op, value: Value, bits: int, state: Sets, surely: bool) -> Sets:
        """A value's buffer, one of some, may be freed by an op; `surely`: it is, if there is one, by its last owner."""
        holding = self._holding
        gone = bits & ~self._static
        if not gone:
            return state
        shared = self.owners.shared(state.owners, gone)
        kept = ~(gone & ~shared) if surely and holding.owner(value) else -1
        name, (others, same) = holding.name(value), holding.others(value)
        unsound = (name | same) if surely and gone == bits and not shared else 0  # what cannot be freed is as it was
        over = self.works.solely_about(gone) if surely and not shared and holding.one(value) else 0
        return state._replace(
            owed=state.owed & kept,
            alive=state.alive & kept,
            freed=state.freed | gone,
            doomed=state.doomed | name | others,
            sound=state.sound & ~unsound,
            frees=state.frees | 1 << self.findings.number(op, gone),
            busy=state.busy & ~over,
            calm=state.calm | over,
            keepers=state.keepers & ~name if surely and not shared else state.keepers,
        )

    def release(self, op: Op, value: Value, bits: int, state: Sets, surely: bool) -> Sets:
        """The same, of what counts owners: who is not the last one only leaves."""
        lone = self.owners.lone(state.owners, bits)
        after = self.dispose(op, value, lone, state, surely and lone == bits) if lone else state
        return after._replace(owners=self.owners.released(state.owners, bits, surely and self._holding.one(value)))

    def state_of(self, value: Value, state: Sets) -> tuple[int, bool]:
        """The buffers of a value that may be freed, and whether the one that it denotes is."""
        bits, name = self._holding.may(value), self._holding.name(value)
        freed = bits & state.freed if name & state.doomed else 0
        return freed, self._holding.must(value) and not (bits & state.alive and name & state.sound)

    def escaped(self, effects: Effects, state: Sets) -> Sets:
        """What may be once what an op puts out of sight is."""
        for value in effects.escapes:
            bits = self._holding.may(value)
            state = self.escape(value, bits, state)
            state = state._replace(written=state.written | bits)
            if isinstance(value, Content):  # others may be there now
                state = state._replace(unsure=state.unsure | bits)
        return state

    def execute(self, op: Op, state: Sets) -> Sets:
        """What may be after an op that is no call; its regions come later."""
        effects = effects_at(self._graph, op)
        if self._part.idle(op):
            return self.worked(op, effects, state)
        if op in self._points.restores:
            return self._restored(op, state)
        if effects.reads or effects.writes:
            state = self._touch(op, effects, state)
        state = self.worked(op, effects, state)
        if effects.returned or effects.packed:
            self._hand_out(op, effects, state)
        state = self.escaped(effects, state)
        for value in effects.acquires:
            bits = self._holding.may(value)
            owners = self.owners.acquired(state.owners, bits, self._holding.one(value))
            state = state._replace(owners=owners)
        if effects.frees:
            before = state
            for free in effects.frees:
                state = self._free(op, free, before, state)
        for value, alloc in effects.allocs:
            if value in self._holding.fresh:
                size = size_of(value, alloc.sized)
                state = self.make(value, state, effects.filled or (size is not None and size.bytes == 0))
        for value in effects.loaded:
            name = self._holding.name(value)
            state = state._replace(
                unsure=state.unsure | self._holding.may(value), doomed=state.doomed | name, sound=state.sound | name
            )
        for view in effects.views:
            if self._part.root.get(view.result) is view.result:
                sources = union(self._holding.name(source) for source in view.sources)
                state = state.named(self._holding.name(view.result), state.doomed & sources, state.sound & sources)
            if view.unsure:
                state = state._replace(unsure=state.unsure | self._holding.may(view.result))
        return state

    def worked(self, op: Op, effects: Effects, state: Sets) -> Sets:
        """Work begins, or is waited for."""
        if not self.works.works:
            return state
        busy, calm = self.works.after(op, effects, state.busy, state.calm)
        return state._replace(busy=busy, calm=calm)

    def make(self, value: Value, state: Sets, filled: bool) -> Sets:
        """A new buffer of an origin; the one that was its last is one of those before."""
        bit = self._holding.fresh[value]
        origin, name = self._holding.origin(bit), self._holding.name(value)
        state = state._replace(doomed=state.doomed & ~name, sound=state.sound | name)
        if origin.symbol is not None:
            owners = self.owners.first(state.owners, bit)
            return state._replace(alive=state.alive | bit, written=state.written | bit, owners=owners)
        state = self.age(value, state)
        return state._replace(
            owed=state.owed | (bit if origin.owned else 0),
            keepers=state.keepers | (name if origin.owned else 0),
            alive=state.alive | bit,
            written=state.written | (bit if filled else 0),
        )

    def age(self, value: Value, state: Sets) -> Sets:
        """The last buffer of an origin is one of those before, for control comes to the origin again."""
        bit, name = self._holding.fresh[value], self._holding.name(value)
        state = self.hand(state, name, 0, 0)
        shifted = Sets(*((one & ~bit) | (one & bit) << 1 for one in state))
        return shifted._replace(
            doomed=state.doomed,
            sound=state.sound,
            frees=state.frees,
            busy=state.busy,
            calm=state.calm | self.works.surely_about(bit) if self.works.works else 0,
            owners=self.owners.made(state.owners, bit),
            keepers=state.keepers,
        )

    def hand(self, state: Sets, given: int, moved: int, received: int) -> Sets:
        """Names get other buffers.

        Args:
            given: those names; `moved`: keepers whose buffer one of them keeps now; `received`: those that do.
        """
        left = state.keepers & ~moved
        lost = state.lost | state.owed & self._holding.buffers(left & given) if left & given else state.lost
        return state._replace(keepers=left & ~given | received, lost=lost)

    def escape(self, value: Value, bits: int, state: Sets) -> Sets:
        """A value's buffer, one of some, is kept elsewhere."""
        return state._replace(
            owed=state.owed & ~bits if self._holding.owner(value) else state.owed,
            escaped=state.escaped | bits,
            keepers=state.keepers & ~self._holding.name(value),
        )

    def wider(self, known: Sets, now: Sets, all_of: bool) -> Sets:
        """What may be at a point where that has grown often, from what was known: the facts of names there become those
        of the buffers they may denote; `all_of`: and so do all others that still grow."""
        holding = self._holding
        if all_of:
            buffers = (1 << holding.width) - 1
            most = Sets(*(buffers,) * len(now))._replace(
                keepers=holding.all_names,
                doomed=holding.all_names,
                sound=holding.all_names,
                frees=-1,
                busy=self.works.all,
                calm=self.works.all,
                owners=self.owners.all,
            )
            now = Sets(*(new if new == old else top for old, new, top in zip(known, now, most, strict=True)))
        doomed, sound = now.doomed | holding.names(now.freed), now.sound | holding.names(now.alive)
        return now._replace(doomed=doomed, sound=sound)

    def touched(self, op: Op, value: Value, state: Sets, inside: OpPlace | None = None, surely: bool = True) -> None:
        """An op uses the memory of a value; `surely`: whenever it is executed."""
        freed, gone = self.state_of(value, state)
        unsure = effects_at(self._graph, op).unknown
        if freed:
            certain = surely and gone and not self.findings.in_background(freed, state)
            self.findings.note(EventKind.USE_AFTER_FREE, op, value, freed, certain, state, None, inside, unsure)

    def _restored(self, op: Op, state: Sets) -> Sets:
        """Stack memory may be released: what may have been made since the point was saved that the op goes back to."""
        if op not in self._released:
            made = [one for one in self._holding.origins if one.ends_early]
            points = [point.op for point in self._points.restores[op] if point.op is not None]
            since = [one for one in made if any(self._is_since(point, one) for point in points)]
            self._released[op] = self._holding.of(since)
        gone = self._released[op] & state.alive
        return state._replace(
            freed=state.freed | gone,
            doomed=state.doomed | self._holding.names(gone),
            frees=state.frees | (1 << self.findings.number(op, gone) if gone else 0),
        )

    def _is_since(self, point: Op, origin: Origin) -> bool:
        """Whether what is made comes behind the op that saves a point."""
        return origin.value.op is not None and comes_through(self._graph, point, origin.value.op)

    def _touch(self, op: Op, effects: Effects, state: Sets) -> Sets:
        for value in dict.fromkeys((*effects.reads, *effects.writes)):
            bits = self._holding.may(value)
            self.touched(op, value, state)
            new = self._holding.must(value) and not bits & ~self._made and not bits & (state.written | state.freed)
            if bits and new and effects.looks_into(value) and not effects.unknown:
                self.findings.note(EventKind.UNINITIALIZED_READ, op, value, bits, True, state)
            if value in effects.writes or effects.unknown:
                state = state._replace(written=state.written | bits)
            if effects.unknown:
                state = state._replace(unsure=state.unsure | bits)
        return state

    def _hand_out(self, op: Op, effects: Effects, state: Sets) -> None:
        """Buffers are handed to the caller."""
        handed, roots = 0, set[Value]()
        for value in dict.fromkeys((*effects.returned, *effects.packed)):
            bits, must, note = self._holding.may(value), self._holding.must(value), self.findings.note
            self.touched(op, value, state)
            stack, lent = bits & self._static & state.alive & ~self._global(), bits & self._arguments
            if stack:
                note(EventKind.DANGLING_STACK, op, value, stack, must and stack == bits, state)
            root = self._part.root.get(value, value)
            guess = guessed(self._graph, root)
            if lent & state.alive and may_lend(self._graph, root, value):
                certain = must and lent == bits and not bits & state.freed
                note(EventKind.BORROWED_RETURN, op, value, lent, certain, state)
            common = 0 if guess else bits & handed
            again = value in effects.returned and (common or root in roots or effects.returned.count(value) > 1)
            if again:
                certain = root in roots or effects.returned.count(value) > 1
                note(EventKind.ALIASED_RESULTS, op, value, common or bits, certain, state)
            handed |= 0 if guess else bits
            roots.add(root)

    def _global(self) -> int:
        return self._holding.of([one for one in self._holding.origins if one.resource == "global"])

    def _free(self, op: Op, free: FreeOf, before: Sets, state: Sets) -> Sets:
        """What is done by one of the deallocations of an op; `before`: what was before all of them."""
        holding, value = self._holding, free.value
        bits = holding.may(value)
        whether = True if free.condition is None else self.decided(free.condition)
        root = self._part.root.get(value)
        if not bits or whether is False or any(self._part.root.get(one) is root for one in free.retained):
            return state
        surely = whether is True and not any(holding.may(one) & bits for one in free.retained)
        self.freed(op, value, bits, before, surely)
        if self.works.works:
            self._waiting(op, value, bits, before, surely)
        if whether is True and free.condition is None:
            self.shared(op, value, bits, before)
        rest = bits & ~self._static & ~self._arguments
        if rest and self._transfer.interior(value):
            self.findings.note(EventKind.INVALID_FREE, op, value, rest, False, before, unsure=True)
        else:
            self.mismatched(op, value, bits, before, surely, free.resource)
        if may_fail(self._graph, self._part, self._callees, op):
            state = state._replace(unsure=state.unsure | bits)
        return self.release(op, value, bits, state, surely)

    def _waiting(self, op: Op, value: Value, bits: int, state: Sets, surely: bool) -> None:
        """Note that work on what is freed may be under way."""
        works, busy, bad = self.works, self.works.about(bits) & state.busy, 0
        if busy:
            busy &= ~works.covered(effects_at(self._graph, op).completion | awaited_around(self._graph, op))
        found = [work for number, work in enumerate(works.works) if busy >> number & 1] if busy else []
        for work in found:
            bad |= work.buffers & bits & state.alive
        if bad:
            sure = works.surely_about(bits) if self._holding.one(value) else 0
            certain = surely and bool(busy & sure & ~state.calm) and not bits & state.freed
            first = min((work.since for work in found), key=starts_at)
            self.findings.note(EventKind.FREE_BEFORE_WAIT, op, value, bad, certain, state, first)

    def freed(self, op: Op, value: Value, bits: int, state: Sets, surely: bool, inside: OpPlace | None = None) -> None:
        """Note what is wrong with freeing a value, whichever resource it is of."""
        surely, note = surely and self._holding.must(value), self.findings.note
        freed, gone = self.state_of(value, state)
        if freed & ~self._static:
            note(EventKind.DOUBLE_FREE, op, value, freed, surely and gone, state, None, inside)
        if inside is not None:  # of what has been freed already, a call frees nothing else
            bits, surely = bits & state.alive, surely and not freed
        lent, static = bits & self._arguments, bits & self._static
        if lent:
            note(EventKind.ARGUMENT_FREE, op, value, lent, surely and lent == bits, state, None, inside)
        if static:
            note(EventKind.INVALID_FREE, op, value, static, surely and static == bits, state, None, inside)

    def shared(self, op: Op, value: Value, bits: int, state: Sets, inside: OpPlace | None = None) -> None:
        """Note that several threads free one buffer, where each that comes to an op does."""
        alive = bits & state.alive & ~self._static
        if alive and shared_by(self._graph, op, self._holding.origin(alive).value) is not None:
            self.findings.note(EventKind.DOUBLE_FREE, op, value, alive, False, state, inside=inside, unsure=True)

    def passed_twice(
        self, kind: EventKind, op: Op, value: Value, bits: int, state: Sets, surely: bool, inside: OpPlace
    ) -> None:
        """Note what a call does to a buffer that it has freed itself."""
        alive = bits & state.alive & ~self._static
        alive &= ~self.owners.shared(state.owners, alive)
        certain = surely and alive == bits and self._holding.must(value) and not bits & state.freed
        if alive:
            self.findings.note(kind, op, value, alive, certain, state, None, inside)

    def mismatched(
        self, op: Op, value: Value, bits: int, state: Sets, surely: bool, resource: str, inside: OpPlace | None = None
    ) -> None:
        """Note of which buffers a value may denote another allocator made some."""
        wrong = self._made_otherwise(resource, bits & ~self._static & ~self._arguments & state.alive)
        if wrong:
            certain = surely and self._holding.must(value) and wrong == bits and not bits & state.freed
            self.findings.note(EventKind.MISMATCHED_FREE, op, value, wrong, certain, state, None, inside)

    def _made_otherwise(self, resource: str, bits: int) -> int:
        """Those of some buffers that another allocator made."""
        if not self._made_of:
            for origin in self._holding.origins:
                if origin.kind is OriginKind.ALLOCATION:
                    made = self._made_of.get(origin.resource, (origin, 0))[1]
                    self._made_of[origin.resource] = origin, made | self._holding.of([origin])
        wrong = (made for origin, made in self._made_of.values() if not self._transfer.fits(origin, resource))
        return bits & union(wrong)


def union(sets: Iterable[int]) -> int:
    """All that is in one of them."""
    found = 0
    for one in sets:
        found |= one
    return found
