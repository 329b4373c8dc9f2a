"""From the places where a cluster's buffers should be freed to edits: what stays, what moves, what comes and goes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from memlane.dialects.model import Guard
from memlane.findings import Edit
from memlane.fixes import places, words
from memlane.fixes.choice import ALWAYS
from memlane.fixes.edges import EdgeWriter
from memlane.fixes.emptied import emptied
from memlane.fixes.following import followed
from memlane.fixes.freeing import Freeing
from memlane.fixes.placing import Placing
from memlane.fixes.spread import Site
from memlane.fixes.writing import Writer
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.calls.program import FunctionFlow, Program
from memlane.flow.control.graph import Edge
from memlane.flow.following import FEW
from memlane.flow.memory.lives import Lives
from memlane.flow.paths.hammock import Hammocks
from memlane.flow.plain.lending import Lending
from memlane.flow.states.events import Point
from memlane.syntax.tree.tree import Block, Op, Value
from memlane.text import Text


@dataclass(slots=True)
class Plan:
    """What is to be done to one cluster.

    Args:
        edits: on the text.
        removed, kept: existing deallocations.
        placed: the new ones.
        unsure: an operation nobody described had a buffer that is freed.
        past: not all blocks were followed.
    """

    edits: tuple[Edit, ...]
    removed: frozenset[Op]
    placed: tuple[Site, ...]
    unsure: bool
    past: bool = False


def movable(program: Program, flow: FunctionFlow, cluster: Cluster) -> frozenset[Op]:
    """The deallocations of a cluster that do nothing else and may be taken out.

    None where a buffer is kept in memory: who finds it there may use it until the program frees it, and whether that
    was given away or is still to be freed here only the deallocation tells.
    """
    found: set[Op] = set()
    if kept_in_memory(program, flow, cluster):
        return frozenset()
    given = {origin.value for origin in cluster.origins if origin.kind is OriginKind.ARGUMENT}
    for value, root in cluster.root.items():
        if root in given and not flow.entry:
            continue
        for use in value.uses:
            op = use.op
            frees = flow.graph.effects(op).frees
            plain = len(frees) == 1 and frees[0].condition is None and not frees[0].retained
            if plain and not (op.results or op.regions or op.successors) and program.callee(op) is None:
                found.add(op)
    return frozenset(found)


def kept_in_memory(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether some operation may put one of the buffers where others find it."""
    graph, lending = flow.graph, Lending(program, flow)
    for op in {use.op: None for value in cluster.root for use in value.uses}:
        if any(value in cluster.root for value in graph.effects(op).escapes):
            return True
        if graph.call(op) is not None and lending.keeps(op, cluster):
            return True
    return False


def plan(
    program: Program,
    flow: FunctionFlow,
    cluster: Cluster,
    text: Text,
    keep: frozenset[Op],
    flags: tuple[Value, ...] = (),
    by_flag: bool = False,
    lift: bool = True,
    apart: bool = False,
    counted: bool = True,
    hammocks: Hammocks | None = None,
    past: bool = False,
) -> Plan | None:
    """The edits after which each buffer of the cluster is freed once on each path; None: no way is known.

    Args:
        keep: deallocations that are to stay where they are if possible.
        flags: values that say on which paths a buffer is to be freed.
        lift: where nothing inside an operation takes memory, behind it is early enough.
        counted: see `Lives`.
        apart: under a condition also free some only of the buffers that could be freed there.
        by_flag: free under a condition by the operation that takes it as an operand, where there is one.
        hammocks: of the function.
        past: of many blocks those in which nothing happens need not be followed.
    """
    taken_out = movable(program, flow, cluster)
    follow = partial(Lives, program, flow, cluster, taken_out, keep & taken_out, lift=lift)

    def edits(placing: Placing | None) -> Plan | None:
        if placing is None:
            return None
        return _Edits(placing.lives, placing.sites, taken_out, Writer(text), by_flag).plan()

    if hammocks is not None and not flags:
        between = partial(places.nearby, partial(follow, counted=counted), cluster, hammocks)
        close = hammocks.extent((cluster,)) <= FEW  # that is quick, and which others matter need not be asked
        near = between() if close or not past else None
        found = edits(places.past(follow, flow, hammocks, counted)) if past and near is None else None
        if found is not None:
            return replace(found, past=True)
        near = between() if past and not close else near
        if near is not None:
            return edits(near)
    ways = followed(partial(follow, flags=flags), counted, bool(flags))
    return edits(places.found(ways, lambda lives: Placing(lives, _no_more if apart else None, hammocks)))


def _no_more(point: Point, act: frozenset[int], leave: frozenset[int]) -> bool:
    """See `Placing`: no flag will be made."""
    return False


@dataclass(slots=True)
class _Edits:
    lives: Lives
    sites: list[Site]
    taken_out: frozenset[Op]
    writer: Writer
    by_flag: bool = False
    failed: bool = False
    removed: frozenset[Op] = frozenset()
    freeing: Freeing = field(init=False)
    edges: EdgeWriter = field(init=False)
    on_edges: dict[Edge, list[str]] = field(default_factory=dict[Edge, list[str]])

    def __post_init__(self) -> None:
        self.freeing = Freeing(self.lives, self.writer)
        self.edges = EdgeWriter(self.lives.graph, self.writer, lambda: self.freeing.names)

    def plan(self) -> Plan | None:
        kept: dict[Op, Site] = {}
        for site in self.sites:
            op = self._existing(site, kept)
            if op is not None:
                kept[op] = site
        new = [site for site in self.sites if site not in kept.values()]
        removed = self.taken_out - kept.keys()
        self.removed = removed
        self.freeing.spare = sorted(removed, key=lambda op: op.span)
        for op in emptied(self.lives.graph, removed, {site.point.block for site in new}):
            self.writer.remove(op)
        for site in sorted(new, key=lambda site: site.tree.size > 0):  # none is late because of a condition before it
            self._write(site)
        for edge, statements in self.on_edges.items():
            self.failed = not self.edges.write(edge, statements) or self.failed
        if self.failed:
            return None
        unsure = any(site.unsure for site in (self.sites if removed else new))  # what is left may be another buffer's
        return Plan(self.writer.edits(), removed, tuple(new), unsure)

    def _existing(self, site: Site, kept: dict[Op, Site]) -> Op | None:
        """A deallocation that does at its place what the site wants, and not late."""
        if site.edge is not None or site.tree is not ALWAYS:
            return None
        block, stop = site.point
        stops = self.lives.part.stops.get(block, [])
        before = stops[stop - 1] if stop else None
        if before in self.taken_out and before not in kept and self._same(site, before):
            return before
        for index in range(before.index + 1 if before is not None else 0, len(block.ops)):
            op = block.ops[index]
            if op in self.taken_out and op not in kept and self._same(site, op):
                return op
            if self.lives.graph.works(op):
                return None
        return None

    def _same(self, site: Site, op: Op) -> bool:
        """Whether `op` frees, with the right operation, what the site's name denotes."""
        frees = self.lives.graph.models.of(op.name)
        root = next((self.lives.part.root[u.value] for u in op.operands if u.value in self.lives.part.root), None)
        nodes = [self.lives.nodes[number] for number in self.lives.at[site.point]]
        if root is None or any(node.holding(root) != node.holding(site.value) for node in nodes):
            return False
        wanted = {origin.resource for origin in self.freeing.origins(site)}
        return frees is not None and {free.resource for free in frees.free} == wanted

    def _write(self, site: Site) -> None:
        freeing = self.freeing.lines(site)
        if freeing is None:
            self.failed = True
            return
        if site.edge is not None:
            self.on_edges.setdefault(site.edge, []).extend(freeing)
        elif site.point.stop:
            before = self.lives.part.stops[site.point.block][site.point.stop - 1]
            inside = self._asked_before(site, before)
            if inside is not None:
                self.writer.after(inside, freeing)
                return
            lines = self._conditional(site) or self._under(site, freeing)
            # A condition comes after deallocations that stand here: none is late because of it.
            self.writer.after(before if site.tree is ALWAYS else self._past_frees(before), lines)
        else:
            lines = self._conditional(site) or self._under(site, freeing)
            self.writer.at_start(site.point.block, lines + self._terminator(site.point.block))

    def _under(self, site: Site, freeing: list[str]) -> list[str]:
        return words.conditional(site.tree, freeing, site.point.block, self.lives.graph.models, self.edges.label)

    def _conditional(self, site: Site) -> list[str]:
        """The lines that free under a flag in that form; none where it is not asked for, or there is no such form."""
        if not self.by_flag or not site.tree.size:
            return []
        start = words.free_if(site.value, self.freeing.origins(site), self.lives.graph.models)
        lines = words.flagged(site.tree, start, self.freeing.names) if start is not None else []
        if lines and site.point.stop:
            before, flag = self.lives.part.stops[site.point.block][site.point.stop - 1], site.tree.flag
            if flag is not None and flag.op is not before and site.tree.size == 1:
                # What inverts the flag is work: after the last use it would make the deallocation late.
                self.writer.before(before, lines[:-1])
                return lines[-1:]
        return lines

    def _asked_before(self, site: Site, op: Op) -> Op | None:
        """Where `op` has just asked the same condition: the last use in the region for the paths of the site."""
        tree = site.tree
        if tree.flag is None or tree.then is None or tree.otherwise is None or tree.size > 1 or site.value.op is op:
            return None
        wanted = Guard.TRUE if tree.then.act else Guard.FALSE
        for edge in self.lives.graph.entries(op):
            asked = edge.guard is wanted and op.operands[edge.number].value is tree.flag
            if asked and edge.block is not None and len(edge.block.region.blocks) == 1:
                stops = self.lives.part.stops.get(edge.block, [])
                ops = [inner for inner in stops if not self._ends_block(inner) and inner not in self.removed]
                return ops[-1] if ops else None
        return None

    def _ends_block(self, op: Op) -> bool:
        model = self.lives.graph.model(op)
        return model is None or model.terminator

    def _terminator(self, block: Block) -> list[str]:
        """What ends a block that has been empty, in the generic form: what ends another region of the operation."""
        source = self.writer.text.source
        op = block.region.op
        if block.ops or source[op.name_span.start] != '"':
            return []
        ends = [other.ops[-1] for region in op.regions for other in region.blocks if other.ops]
        plain = [end for end in ends if not (end.operands or end.successors or end.regions)]
        self.failed = self.failed or not plain
        return [source[end.span.start : end.span.end] for end in plain[:1]]

    def _past_frees(self, op: Op) -> Op:
        siblings = op.parent.ops if op.parent is not None else []
        for index in range(op.index + 1, len(siblings)):
            other = siblings[index]
            model = self.lives.graph.model(other)
            if model is None or not model.free or model.alloc or other in self.removed:
                break
            op = other
        return op
