"""From the places where a cluster's buffers should be freed to edits: what stays, what moves, what comes and goes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from memlane.findings import Edit
from memlane.fixes import free_points
from memlane.fixes.at_points import AtPoints
from memlane.fixes.decision_tree import ALWAYS
from memlane.fixes.edges import EdgeWriter
from memlane.fixes.edit_writer import Writer
from memlane.fixes.free_effects import PlannedFree
from memlane.fixes.free_text import FreeText
from memlane.fixes.placing import Placing
from memlane.fixes.removing import Heir, Removal
from memlane.fixes.strategies import ClusterPaths, followed
from memlane.fixes.truths import Truths
from memlane.flow.dataflow.events import Point
from memlane.flow.effects.cost_model import is_work
from memlane.flow.peak.exploded_liveness import Lift, Lives
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.syntax.tree.tree import Op, Value
from memlane.text import Text


@dataclass(slots=True)
class Plan:
    """What is to be done to one cluster.

    Args:
        edits: on the text.
        removed, kept: existing deallocations.
        placed: the new ones.
        unsure: an operation without a model took a buffer that is freed.
        past: not all blocks were followed.
        emptied: so many conditions have nothing to do any more where they are true.
        besides: see `Removal`.
    """

    edits: tuple[Edit, ...]
    removed: frozenset[Op]
    placed: tuple[PlannedFree, ...]
    unsure: bool
    past: bool = False
    emptied: int = 0
    besides: str = ""

    @property
    def cost(self) -> int:
        """How much a person would do without: flags that are asked for what is new, conditions with nothing to do."""
        return sum(site.tree.size for site in self.placed) + self.emptied


def plan(
    explored: ClusterPaths,
    text: Text,
    keep: frozenset[Op],
    flags: tuple[Value, ...] = (),
    by_flag: bool = False,
    lift: Lift = Lift.NOTHING_TAKEN,
    apart: bool = False,
    counted: bool = True,
    body: BodyBlocks | None = None,
    past: bool = False,
    handed: bool = True,
) -> Plan | None:
    """The edits after which each buffer of a cluster is freed once on each path; None: no way is known.

    Args:
        explored: the paths of the cluster.
        keep: deallocations that are to stay where they are if possible.
        flags: values that say on which paths a buffer is to be freed.
        lift: see `Lives`.
        counted: see `ExplodedPaths`.
        apart: under a condition also free some only of the buffers that could be freed there.
        by_flag: free under a condition by the operation that takes it as an operand, where there is one.
        body: of the function.
        past: of many blocks those in which nothing happens need not be followed.
        handed: see `Lives`.
    """
    follow = partial(explored.lives, uses=keep, lift=lift, handed=handed)

    def edits(placing: Placing | None) -> Plan | None:
        if placing is None:
            return None
        return _Edits(placing.lives, placing.sites, explored.taken_out, Writer(text), by_flag).plan()

    if body is not None and not flags and past:
        found = edits(free_points.past(follow, explored.flow, body, counted))
        if found is not None:
            return replace(found, past=True)
    ways = followed(partial(follow, flags=flags), counted, bool(flags))
    return edits(free_points.found(ways, lambda lives: Placing(lives, _no_more if apart else None, body)))


def _no_more(point: Point, act: frozenset[int], leave: frozenset[int]) -> bool:
    """See `Placing`: no flag will be made."""
    return False


@dataclass(slots=True)
class _Edits:
    lives: Lives
    sites: list[PlannedFree]
    taken_out: frozenset[Op]
    writer: Writer
    by_flag: bool = False
    failed: bool = False
    removed: frozenset[Op] = frozenset()
    gone: set[Op] = field(default_factory=set[Op])
    removal: Removal = field(init=False)
    freeing: FreeText = field(init=False)
    edges: EdgeWriter = field(init=False)

    def __post_init__(self) -> None:
        self.freeing = FreeText(self.lives, self.writer)
        self.edges = EdgeWriter(self.lives.graph, self.writer, self.freeing.names)

    def plan(self) -> Plan | None:
        kept: dict[Op, PlannedFree] = {}
        for site in self.sites:
            op = self._existing(site, kept)
            if op is not None:
                kept[op] = site
        new = [site for site in self.sites if site not in kept.values()]
        removed = self.taken_out - kept.keys()
        self.removed = removed
        self.freeing.spare = sorted(removed, key=lambda op: op.span)
        removal = Removal(self.lives.graph, removed, {site.point.block for site in new})
        self.removal, self.gone = removal, removal.gone
        lines = {site: self.freeing.lines(site) for site in new}
        statements = {site: found for site, found in lines.items() if found is not None}
        if len(statements) < len(lines):
            return None
        moved = removal.take_along(self.writer, [self._heir(*one) for one in statements.items()])
        truths = Truths(self.lives.graph, self.writer, self.freeing.names)
        self._write(statements, truths)
        emptied = len(removal.emptied())
        removal.remove(self.writer, truths, moved)
        truths.finish()
        if self.failed:
            return None
        unsure = any(site.unsure for site in (self.sites if removed else new))  # what is left may be another buffer's
        return Plan(self.writer.edits(), removed, tuple(new), unsure, emptied=emptied, besides=removal.besides())

    def _heir(self, site: PlannedFree, lines: list[str]) -> Heir:
        """A new deallocation with those that are taken out and free the same."""
        root = self.lives.part.root
        mine = root.get(site.value)
        alike = [op for op in self.removed if any(use.value and root.get(use.value) is mine for use in op.operands)]
        return Heir(lines, self.freeing.reused.get(site), alike)

    def _existing(self, site: PlannedFree, kept: dict[Op, PlannedFree]) -> Op | None:
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
            if is_work(self.lives.graph, op):
                return None
        return None

    def _same(self, site: PlannedFree, op: Op) -> bool:
        """Whether `op` frees, with the right operation, what the site's name denotes."""
        frees = self.lives.graph.models.of(op.name)
        root = next((self.lives.part.root[u.value] for u in op.operands if u.value in self.lives.part.root), None)
        nodes = [self.lives.nodes[number] for number in self.lives.at[site.point]]
        if root is None or any(node.holding(root) != node.holding(site.value) for node in nodes):
            return False
        wanted = {origin.resource for origin in self.freeing.origins(site)}
        return frees is not None and {free.resource for free in frees.free} == wanted

    def _write(self, statements: dict[PlannedFree, list[str]], truths: Truths) -> None:
        """Put in the new deallocations, those at one place under a condition together."""
        put = AtPoints(self.lives, self.writer, self.removal, self.freeing, truths, self.edges.label, self.by_flag)
        asked: dict[Point, list[tuple[PlannedFree, list[str]]]] = {}
        for site, lines in statements.items():
            if site.edge is not None:
                put.on_edges.setdefault(site.edge, []).extend(lines)
            elif site.tree is ALWAYS:
                put.put(site.point, lines)
            else:
                asked.setdefault(site.point, []).append((site, lines))
        for point, sites in asked.items():
            put.put_asked(point, sites)
        for edge, lines in put.on_edges.items():
            self.failed = not self.edges.write(edge, lines) or self.failed
        self.failed = self.failed or put.failed
