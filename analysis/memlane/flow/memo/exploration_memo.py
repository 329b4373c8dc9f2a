"""What following buffers gave in the version before, where nothing that it looked at has changed since.

Ops are built anew for each version, so they are known by numbers that stay: those of a statement that was edited are
new. What an edit reaches (`reached`) are its ops, those that use what they define, and so on. Clusters whose
following looked at one of them, or that one of them names, are followed again, and those of which calls now do
something else. Nothing is recalled where an edit changes blocks, regions, or to which blocks others lead.

What following a cluster looks at: the ops of its slices, with all that these use (an op is reached when what it uses
is); the last ops of the blocks in the regions of the slice, of the function's body not of all (terminator_deps.py); and
the ops around it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from memlane.digest import blake2b
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.dataflow.call_outcomes import OpPlace, Outcome
from memlane.flow.dataflow.context import expression_of
from memlane.flow.interproc.may_summary import ways as rough_ways
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memo.dirty_set import DirtyOps
from memlane.flow.memo.function_memo import Same
from memlane.flow.memo.memo_entry import (
    Elsewhere,
    MemoEntry,
    MemoVersion,
    NumberedIncident,
    NumberedTies,
    RecordedQuestion,
)
from memlane.flow.memo.terminator_deps import NO_ENDS, Ends, Number, Reasked, is_short, looked_at
from memlane.flow.memory.extern_aliases import Indirect
from memlane.flow.memory.scalar_memory import has_cells
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.hidden_dependences import Ties, ties
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.typestate.bug_path import PathStep
from memlane.flow.typestate.cluster_result import AskedQuestion, ClusterResult, Incident
from memlane.syntax.tree.tree import Block, Op, Value, starts_at


class TextChange(NamedTuple):
    """How the text of a function differs from that before.

    Args:
        start, stop: the offsets at which the ops begin that are new, or would, and where what follows them does. They
            are whole ops in the middle of a block, as those were in place of which they stand; or one op, or the head
            of one, in place of one of the same name that leads to the same blocks.
        names: those that mean something else now, or may.
        asks: it is one op that leads to other blocks, and forwards to them what it did.
    """

    start: int
    stop: int
    names: frozenset[str]
    asks: bool = False


UNCHANGED = TextChange(0, 0, frozenset())


class Recall:
    """See the module.

    Args:
        program, flow: the version that is analysed.
        before: what is known of the one before; None: nothing.
        change: what is different; None: unknown.
        besides: what else following rests on; nothing is recalled where it differs.
    """

    def __init__(
        self,
        program: Program,
        flow: FunctionFlow,
        before: MemoVersion | None,
        change: TextChange | None,
        besides: object,
    ) -> None:
        self._program, self._flow = program, flow
        self._ops = flow.ops
        self._entered = besides, _contexts(program, flow)
        self._entries: dict[bytes, MemoEntry] = {}
        self._known: Mapping[bytes, MemoEntry] = {}
        self._numbers: Sequence[int] = range(len(self._ops))
        self._free = len(self._ops)
        self._named: Collection[Value] = ()
        stale, ends, gone = set[Op](), set[Op](), array("i")
        ended, always = set[Block](), None
        if before is not None and change is not None and before.entered == self._entered:
            first, numbers, gone = self._compare(before, change)
            reached = self._reached(before, change, first, numbers) if len(numbers) == len(self._ops) else None
            if reached is not None and reached.plain:
                self._numbers, self._free = numbers, max(before.free, max(numbers) + 1)
                self._known, self._named = before.entries, reached.named
                stale, ends, ended, always = reached.ops, reached.ends, reached.ended, before.always
        self._number = dict(zip(self._ops, self._numbers, strict=True))
        self._stale = frozenset([*gone, *map(self._number.__getitem__, stale)])
        self._ends = frozenset(map(self._number.__getitem__, ends))
        self._reasked = Reasked(flow.graph, ended, always, self._number_of)
        self._always = None if ended else always
        self._op: dict[int, Op] = {}

    def _compare(self, before: MemoVersion, change: TextChange) -> tuple[range, Sequence[int], Sequence[int]]:
        """The positions of the ops that are new, the numbers of all of them now, and those that are gone."""
        first, last = (bisect_left(self._ops, at, key=starts_at) for at in (change.start, change.stop))
        new = last - first
        gone = len(before.numbers) - len(self._ops) + new
        if not gone and not new:
            return range(first, last), before.numbers, ()
        old = before.numbers if isinstance(before.numbers, array) else array("i", before.numbers)
        now = old[:first] + array("i", range(before.free, before.free + new)) + old[first + gone :]
        return range(first, last), now, old[first : first + gone]

    def _reached(self, before: MemoVersion, change: TextChange, new: range, numbers: Sequence[int]) -> DirtyOps:
        """What the change reaches. `numbers`: of the ops now."""
        number = dict(zip(self._ops, numbers, strict=True))
        now = _numbered(ties(self._flow.graph), number)
        others = {one for one in now.keys() | before.ties.keys() if now.get(one) != before.ties.get(one)}
        tied = [op for op, one in number.items() if one in others] if others else ()
        return DirtyOps(self._flow.graph, self._ops, new, change.names, change.asks, tied)

    def remembered(self) -> MemoVersion:
        """What is known of this version."""
        tied = _numbered(ties(self._flow.graph), self._number)
        return MemoVersion(self._numbers, self._free, self._entered, self._entries, self._always, tied)

    def find(self, clusters: Sequence[Cluster], body: BodyBlocks) -> ClusterResult | None:
        """What following the clusters together gives, where that is known. `body`: of the function."""
        if not self._known:
            return None
        same = self._same(clusters)
        key = same.key if same is not None else self._made_of(clusters)
        entry = self._known.get(key)
        if entry is None or not (self._stale.isdisjoint(entry.ops) and self._ends.isdisjoint(entry.holders)):
            return None
        if any(value in cluster.root for cluster in clusters for value in self._named):
            return None
        if not self._reasked.stands(entry.ends, body):
            return None
        if same is not None:
            self._add(key, entry, body)
            return same.found
        places: dict[Elsewhere, OpPlace] = {}
        asked = self._ask(entry, places)
        if asked is None:
            return None
        self._add(key, entry, body)
        found = self._told(entry, _origins(clusters), asked, places)
        self._stand(clusters, key, entry, found)
        return found

    def stands(self, clusters: Sequence[Cluster]) -> bool:
        """Whether these very clusters were followed in the version before, and that may be recalled: then they have to
        be followed again where it may not."""
        return self._same(clusters) is not None

    def _same(self, clusters: Sequence[Cluster]) -> Same | None:
        """What following these very clusters gave, where it is that which is remembered."""
        standing = self._flow.standing
        known = standing.followed.get(clusters[0]) if standing is not None else None
        if known is None or known.clusters != tuple(clusters):
            return None
        return known if self._known.get(known.key) is known.entry else None

    def _stand(self, clusters: Sequence[Cluster], key: bytes, entry: MemoEntry, found: ClusterResult) -> None:
        """Let what following gave be the same object while it is the same."""
        standing = self._flow.standing
        if standing is not None and not entry.asked:
            ops = frozenset(op for incident in found.incidents for op in incident.ops())
            found = found._replace(asked=(), parts=())
            standing.followed[clusters[0]] = Same(tuple(clusters), key, entry, found, ops)

    def _add(self, key: bytes, entry: MemoEntry, body: BodyBlocks) -> None:
        self._entries[key] = entry
        if self._always is None and entry.ends is not NO_ENDS:
            self._always = body.always()

    def keep(self, clusters: Sequence[Cluster], found: ClusterResult, body: BodyBlocks) -> None:
        """Remember what following the clusters together gave."""
        asked: list[RecordedQuestion] = []
        for question, ways in found.asked:
            answer = self._answer(question.call, ways, {})
            if answer is None:
                return
            asked.append(RecordedQuestion(self._number[question.call], *question[1:], answer))
        origins = _origins(clusters)
        ops, holders, ends = self._looked_at(found, body)
        key = self._made_of(clusters)
        entry = MemoEntry(
            array("i", ops),
            array("i", holders),
            ends,
            tuple(asked),
            tuple(self._in_numbers(incident, origins) for incident in found.incidents),
            tuple(map(origins.index, found.unsolved)),
            found.spent,
        )
        self._add(key, entry, body)
        self._stand(clusters, key, entry, found)

    def _looked_at(self, found: ClusterResult, body: BodyBlocks) -> tuple[set[int], set[int], Ends]:
        ops, holders, short = set[Op](), set[Op](), list[Direct]()
        function, graph = self._flow.op, self._flow.graph
        all_ends, varies = len(self._program.contexts(self._flow)) > 1, has_cells(graph)
        for part in found.parts:
            for stops in part.stops.values():
                ops.update(stops)
                holders.update(op for op in stops if op.regions)
            around = part.scope.op
            if isinstance(part, Direct) and is_short(part, graph):
                short.append(part)
            elif around is function:
                all_ends = True
            else:
                holders.add(around)
            while around is not function and around.parent is not None:
                ops.add(around)
                if varies:  # what is in variables where control comes to the slice is looked for further out
                    holders.add(around)
                if around.parent.index > 0:  # what branches before it ask may hold in the slice (entry_conditions.py)
                    holders.add(around.parent.region.op)
                around = around.parent.region.op
        if all_ends:
            holders.add(function)
        ends = looked_at(short, body, self._number_of) if short and not all_ends else NO_ENDS
        return set(map(self._number.__getitem__, ops)), set(map(self._number.__getitem__, holders)), ends

    def _made_of(self, clusters: Sequence[Cluster]) -> bytes:
        """What the clusters are, in short: buffers and names in numbers."""
        numbers = array("q")
        for cluster in clusters:
            for origin in cluster.origins:
                numbers.extend(self._number_of(origin.value))
            numbers.append(-2)
            place = dict(zip(cluster.root, count(), strict=False))
            for value, root in cluster.root.items():
                numbers.extend((*self._number_of(value), place[root]))
            numbers.append(-2)
        origins = [(o.kind.value, o.resource, o.symbol) for cluster in clusters for o in cluster.origins]
        return _short(numbers.tobytes() + repr(origins).encode())

    def _number_of(self, value: Value) -> Number:
        if value.op is not None:
            return self._number[value.op], -1, 0, value.index
        if isinstance(value, Indirect) and value.call is not None:
            operands = [use.value for use in value.call.operands]
            return self._number[value.call], -2, 0, operands.index(value.source)
        assert value.block is not None
        return self._number[value.block.region.op], value.block.region.index, value.block.index, value.index

    def _of(self, op: Op | None) -> int | None:
        return None if op is None else self._number[op]

    def _in_numbers(self, incident: Incident, origins: list[Origin]) -> NumberedIncident:
        inside = incident.inside
        return NumberedIncident(
            incident.kind,
            incident.certainty,
            self._number[incident.place],
            self._number_of(incident.value) if incident.value is not None else None,
            origins.index(incident.origin),
            self._of(incident.cause),
            _elsewhere(inside) if inside is not None else None,
            tuple((self._number[step.op], step.choice) for step in incident.path),
            incident.unsure,
            incident.made,
            incident.caused,
            tuple(map(self._number_of, incident.same)),
            incident.caller,
        )

    # ---- calls -------------------------------------------------------------------------------------------------

    def _ask(
        self, entry: MemoEntry, places: dict[Elsewhere, OpPlace]
    ) -> tuple[tuple[AskedQuestion, tuple[Outcome, ...] | None], ...] | None:
        """The questions with their answers of now; None where one is another than before. `places` takes theirs."""
        found: list[tuple[AskedQuestion, tuple[Outcome, ...] | None]] = []
        for number, partition, constants, wanted, rough, answer in entry.asked:
            call = self._at(number)
            scalars = tuple(map(expression_of, constants))
            if rough:
                ways = rough_ways(self._program, call, partition, wanted)
            else:
                ways = self._program.followed(call, partition, scalars, wanted)
            if self._answer(call, ways, places) != answer:
                return None
            found.append((AskedQuestion(call, partition, constants, wanted, rough), ways))
        return tuple(found)

    def _answer(self, call: Op, ways: tuple[Outcome, ...] | None, places: dict[Elsewhere, OpPlace]) -> bytes | None:
        """An answer about a call, in short: wherever the functions stand. None where it speaks of other ops of this."""
        if ways is None:
            return b""
        said: list[object] = []
        for way in ways:
            for effect in way.groups:
                for place in effect.places:
                    if place is not None and place.name_span == call.name_span:
                        said.append("here")
                    elif place is not None and place.function == self._flow.name:
                        return None
                    elif place is not None:
                        there = _elsewhere(place)
                        places[there] = place
                        said.append(there)
                    else:
                        said.append(None)
                said.append((effect.escaped, effect.unsure, effect.resource, effect.by_each))
            said.append((way.conditions, way.results, way.scalars, way.stays))
        return _short(repr(said).encode())

    # ---- back from numbers -------------------------------------------------------------------------------------

    def _at(self, number: int) -> Op:
        if not self._op:
            self._op = dict(zip(self._numbers, self._ops, strict=True))
        return self._op[number]

    def _maybe(self, number: int | None) -> Op | None:
        return None if number is None else self._at(number)

    def _value_of(self, number: Number) -> Value:
        op, region, block, index = number
        at = self._at(op)
        return at.results[index] if region < 0 else at.regions[region].blocks[block].arguments[index]

    def _told(
        self,
        entry: MemoEntry,
        origins: list[Origin],
        asked: tuple[tuple[AskedQuestion, tuple[Outcome, ...] | None], ...],
        places: Mapping[Elsewhere, OpPlace],
    ) -> ClusterResult:
        incidents = (
            Incident(
                one.kind,
                one.certainty,
                self._at(one.place),
                self._value_of(one.value) if one.value is not None else None,
                origins[one.origin],
                self._maybe(one.cause),
                places[one.inside] if one.inside is not None else None,
                tuple(PathStep(self._at(op), choice) for op, choice in one.path),
                one.unsure,
                made=one.made,
                caused=one.caused,
                same=tuple(map(self._value_of, one.same)),
                caller=one.caller,
            )
            for one in entry.incidents
        )
        unsolved = tuple(origins[one] for one in entry.unsolved)
        return ClusterResult(tuple(incidents), unsolved, asked, spent=entry.spent)


def _origins(clusters: Iterable[Cluster]) -> list[Origin]:
    """The origins of clusters, and those of calls once more, where they hand out memory of a global."""
    origins = [origin for cluster in clusters for origin in cluster.origins]
    return [*origins, *(origin.of_global for origin in origins if origin.kind is OriginKind.CALL)]


def _contexts(program: Program, flow: FunctionFlow) -> object:
    """How a function is entered, without its values."""
    return [
        (context.partition, sorted((key[1].index, known) for key, known in context.constants.items()), context.callers)
        for context in program.contexts(flow)
    ]


def _elsewhere(place: OpPlace) -> Elsewhere:
    return place.function, place.start, place.name_span.end - place.name_span.start


def _short(said: bytes) -> bytes:
    return blake2b(said, digest_size=16).digest()


def _numbered(those: Ties, number: Mapping[Op, int]) -> NumberedTies:
    return {number[op]: tuple([frozenset(map(number.__getitem__, ops)) for ops in tie]) for op, tie in those.items()}
