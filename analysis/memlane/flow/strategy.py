"""What following some clusters of a function together gives: in one of several ways, the cheapest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.alias.reachable_aliases import reaching
from memlane.flow.dataflow.budget import Purse
from memlane.flow.dataflow.events import EventKind, Goal
from memlane.flow.interproc.exploration_result import Explorations, explored
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.interproc.split_by_alias import Several, by_name
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.limits import MAX_QUICK_STEPS, MIN_DECIDED, MIN_MERGED_SITES
from memlane.flow.path_insensitive.fallback import Remaining
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.cluster_result import ClusterResult, Incident
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.merged_sites import Alike, may_be_alike
from memlane.flow.typestate.property_simulation import Simulation


def follow(
    program: Program, flow: FunctionFlow, clusters: list[Cluster], purse: Purse, body: BodyBlocks
) -> ClusterResult:
    """What following clusters together gives, within what `purse` has left. `body`: of the function."""
    return _Following(program, flow, clusters, purse, body).followed()


MERGED_STEPS_PER_POINT = 10


class _Following:
    """Following clusters of a function together.

    `_parts` are what has been followed, to the end or not, `_rest` the buffers of which that was too much; `_tried`:
    all have been followed together; `_wrong`: all that goes wrong, where that is known; `_alike_told`: they have been
    followed as if they were alike, which tells all but how certainly each is lost; `_known`: that, where it was little
    work.
    """

    def __init__(
        self, program: Program, flow: FunctionFlow, clusters: list[Cluster], purse: Purse, body: BodyBlocks
    ) -> None:
        self._program, self._flow, self._clusters = program, flow, clusters
        self._purse, self._body, self._graph = purse, body, body.graph
        self._callees = Inquiry(program)
        self._parts: list[Slice] = []
        self._rest = Remaining(program, flow, clusters, self._callees, self._parts)
        self._tried = False
        self._wrong: Collection[Goal] | None = None
        self._alike_told: Explorations | None = None
        self._known: tuple[Slice, Explorations] | None = None

    def followed(self) -> ClusterResult:
        """What that gives."""
        incidents: list[Incident] = []
        for found in self._found():
            incidents.extend(self._told(found))
        rest, purse = self._rest, self._purse
        told = rest.incidents()
        unsolved = rest.origins if told is None else []
        told = [*filter(self._may_be, told or ())]
        incidents.extend(told)
        asked = tuple(self._callees.asked.items())
        return ClusterResult(tuple(incidents), tuple(unsolved), asked, tuple(self._parts), purse.spent, purse.empty)

    def _told(self, found: Explorations | Several) -> Iterator[Incident]:
        """The violations found there, without those reported elsewhere."""
        if isinstance(found, Explorations) and found is self._alike_told:
            return found.incidents(leaks=False)
        return filter(self._may_be, found.incidents())

    def _may_be(self, incident: Incident) -> bool:
        """Whether that may happen to a buffer, by what happens to it or one like it on some path, and is not
        reported."""
        leaks = incident.kind is EventKind.LEAK
        if self._wrong is None:
            return True
        name = incident.origin.value.name if leaks else ""
        return Goal(incident.kind, incident.place, name) in self._wrong and (leaks or self._alike_told is None)

    def _found(self) -> Iterator[Explorations | Several]:
        """The clusters in all blocks that matter to them; where that is too much, each by itself if nothing goes wrong
        with any, as if they were alike, or origin by origin. Many that are alike are followed so first."""
        found, apart = self._soon(), list[Explorations | Several]()
        if found is None and not (self._known is not None and self._known[1].too_many):
            found = self._exactly()
            apart = self._apart() if found is None else []
        found = found if found is not None or apart else self._alike()
        if found is not None:
            yield found
        else:
            yield from apart
        if found is self._alike_told and not apart:  # nothing is reported yet, or all but leaks
            yield from self._one_by_one()

    def _explored(self, part: Slice, purse: Purse, how: type[Explorer] = Explorer) -> Explorations | None:
        return explored(self._program, self._flow, part, self._callees, purse, how)

    def _direct(self, clusters: Collection[Cluster]) -> Direct:
        """The blocks that matter, from the first of them where it makes no difference how control comes there."""
        body = self._body
        # Whether control ever leaves a loop that asks the same again is known from how it came there.
        starts = None if body.roads.turning else body.starts
        late = Direct(self._graph, clusters, body.returning, late=starts)
        if late.first is None:
            return late if body.returning is body.roads else Direct(self._graph, clusters, body.roads)
        if late.closed and body.comes_to(late.first) and late.is_free(body.askers):
            return late
        self._parts.append(late)
        return Direct(self._graph, clusters, body.roads)

    def _hopeless(self, part: Slice) -> bool:
        """Whether as much is asked again as has been too much to tell apart, whatever the buffers were."""
        return not part.plain and any(one.hopeless and one.shared <= part.shared for one in self._parts)

    def _exactly(self) -> Explorations | None:
        """What happens in the blocks that matter, with all that is known on the way."""
        part = self._direct(self._clusters)
        self._parts.append(part)
        found = self._roughly(part)
        if found is None and not self._hopeless(part):
            self._tried = True
            found = self._explored(part, self._purse)
        return found

    def _roughly(self, direct: Slice) -> Explorations | None:
        """What happens whatever is decided, or but for what tells states apart, where nothing would go wrong then: n
        flags or numbers that are asked twice are 2 to the power of n ways."""
        if len(direct.shared) < MIN_DECIDED:
            return None
        plain = Slice(self._graph, self._clusters, plain=True)
        ways = [(plain, Alike if self._may_be_alike() else Explorer), (direct, Simulation)]
        few = len(direct.origins) < MIN_MERGED_SITES  # of many each way they may be is a state
        for part, how in ways if few else ways[:1]:
            own = Purse(min(self._purse.left, MAX_QUICK_STEPS + MERGED_STEPS_PER_POINT * part.points()))
            found = self._explored(part, own, how)
            self._purse.spend(own.spent)
            if found is not None and found.clean:
                self._parts.append(part)
                return found
            if found is not None and found.unavoidable:
                return None
        return None

    def _apart(self) -> list[Explorations | Several]:
        """What happens to each of several buffers, where nothing goes wrong with any and that is little work."""
        buffers = [(cluster, origin) for cluster in self._clusters for origin in cluster.origins]
        if len(buffers) < 2 or compares_addresses(self._graph):
            return []
        found: list[Explorations | Several] = []
        for home, origin in buffers:
            told = origin.symbol is None and not _passed_twice(self._program, self._flow, origin)
            one = self._shortly(reaching(home, origin), origin) if told else None
            if one is None or not one.clean:
                return []
            found.append(one)
        return found

    def _shortly(self, alone: Cluster, origin: Origin) -> Explorations | Several | None:
        """What happens to one buffer, with all names that it may have or name by name, where that is little work."""

        def follow(cluster: Cluster) -> Explorations | None:
            part = self._direct([cluster])
            self._parts.append(part)
            own = Purse(min(self._purse.left, MAX_QUICK_STEPS + 2 * part.points()))
            found = self._explored(part, own)
            self._purse.spend(own.spent)
            return found

        return follow(alone) or by_name(self._graph, alone, origin, follow)

    def _soon(self) -> Explorations | None:
        """What happens to many indistinguishable buffers, where no violation occurs and that is little work: n of them
        that each take the place of the one before are n squared states."""
        if sum(len(cluster.origins) for cluster in self._clusters) < MIN_MERGED_SITES or not self._may_be_alike():
            return None
        part = self._direct(self._clusters)
        self._parts.append(part)
        if any(self._graph.call(op) is not None for op in part.position) or _side_by_side(part):
            return None  # each way of a call is a step, and so is each way in which those that live at once differ
        own = Purse(min(self._purse.left, MAX_QUICK_STEPS + MERGED_STEPS_PER_POINT * part.points()))
        found = self._explored(part, own, Alike)
        self._purse.spend(own.spent)
        if found is None or not found.clean:
            self._known = (part, found) if found is not None else None
            return None
        return found

    def _alike(self) -> Explorations | None:
        """What happens to indistinguishable buffers; where following conditions is too much, only if no violation
        occurs under any conditions."""
        if not self._may_be_alike():
            return None
        part, found = self._known or (self._direct(self._clusters), None)
        found = found or (None if self._hopeless(part) else self._explored(part, self._purse, Alike))
        if found is None:
            part = Slice(self._graph, self._clusters, plain=True)
            found = self._explored(part, self._purse, Alike)
        if found is None:
            return None
        self._parts.append(part)
        if found.clean:
            return found
        self._wrong = found.goals()
        self._alike_told = None if part.plain else found
        return self._alike_told

    def _may_be_alike(self) -> bool:
        return may_be_alike(self._clusters) and not compares_addresses(self._flow.graph)

    def _one_by_one(self) -> Iterator[Explorations | Several]:
        """What happens to the buffers one by one."""
        before = self._purse.spent
        buffers = [(cluster, origin) for cluster in self._clusters for origin in cluster.origins]
        for home, origin in buffers:
            if self._alike_told is not None and not self._lost(origin):
                continue
            enough = self._rest.enough(self._purse.spent - before) or self._purse.empty
            alone = None if enough or _passed_twice(self._program, self._flow, origin) else reaching(home, origin)
            again = self._tried and len(buffers) == 1 and alone is not None and len(alone.root) == len(home.root)
            found = self._one(alone, origin, again) if alone is not None else None
            if found is not None:
                yield found
            else:
                self._rest.origins.append(origin)

    def _lost(self, origin: Origin) -> bool:
        """Whether a buffer is lost on some path, where it is known what goes wrong."""
        return any(goal.kind is EventKind.LEAK and goal.place is origin.value.op for goal in self._wrong or ())

    def _one(self, alone: Cluster, origin: Origin, again: bool) -> Explorations | Several | None:
        """What happens to a buffer: with all names that it may have, name by name, or whatever is decided but for what
        tells its states apart.

        Args:
            again: with all its names it has been followed.
        """
        plain = Slice(self._graph, [alone], plain=True)
        rough = None if plain.freeing else self._follow(plain)
        if rough is not None and rough.clean:  # whatever is decided; where nothing is freed, nothing is late
            return rough
        found = None if again else self._follow_directly(alone)
        found = found or by_name(self._graph, alone, origin, self._follow_directly)
        direct = self._direct([alone])
        found = found or (self._follow(direct, Simulation) if direct.shared else None)
        return found or (self._follow(plain) if plain.freeing else rough)

    def _follow(self, part: Slice, how: type[Explorer] = Explorer) -> Explorations | None:
        hopeless = how is Explorer and self._hopeless(part)
        self._parts.append(part)
        return None if hopeless else self._explored(part, self._purse, how)

    def _follow_directly(self, cluster: Cluster) -> Explorations | None:
        return self._follow(self._direct([cluster]))


def _side_by_side(part: Slice) -> bool:
    """Whether several buffers are forwarded together, to one block or by one operation."""
    places = Counter(value.op or value.block for value in part.root if value.op is None or value.op.regions)
    entry = part.graph.entry
    return any(count > 1 and place is not entry for place, count in places.items())


def _passed_twice(program: Program, flow: FunctionFlow, origin: Origin) -> bool:
    """Whether a caller passes one buffer as this argument and as another: then it is not alone."""
    if origin.kind is not OriginKind.ARGUMENT:
        return False
    at = origin.value.index
    groups = (one.partition for one in program.contexts(flow) if at < len(one.partition))
    return any(group[at] is not None and group.count(group[at]) > 1 for group in groups)
