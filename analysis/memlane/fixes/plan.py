"""From the places where a cluster's buffers should be freed to edits: what stays, what moves, what comes and goes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from memlane.dialects.model import Guard
from memlane.findings import Edit, Span
from memlane.fixes import places, words
from memlane.fixes.choice import ALWAYS, Branching, branching
from memlane.fixes.following import followed
from memlane.fixes.freeing import Freeing
from memlane.fixes.generic import Refused, closing, is_generic
from memlane.fixes.own import in_text
from memlane.fixes.placing import Placing
from memlane.fixes.removing import Removal
from memlane.fixes.scope import Scope
from memlane.fixes.spread import Site
from memlane.fixes.truths import Truths
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
from memlane.syntax.tree.tree import Block, Op, Successor, Value
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
        emptied: so many conditions have nothing to do any more where they are true.
    """

    edits: tuple[Edit, ...]
    removed: frozenset[Op]
    placed: tuple[Site, ...]
    unsure: bool
    past: bool = False
    emptied: int = 0

    @property
    def cost(self) -> int:
        """How much a person would do without: flags that are asked for what is new, conditions with nothing to do."""
        return sum(site.tree.size for site in self.placed) + self.emptied


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
    labels: int = 0
    failed: bool = False
    removed: frozenset[Op] = frozenset()
    inversions: list[str] = field(default_factory=list[str])
    gone: set[Op] = field(default_factory=set[Op])
    removal: Removal = field(init=False)
    freeing: Freeing = field(init=False)
    truths: Truths = field(init=False)
    scope: Scope = field(init=False)
    on_edges: dict[Edge, list[str]] = field(default_factory=dict[Edge, list[str]])

    def __post_init__(self) -> None:
        self.freeing = Freeing(self.lives, self.writer)
        self.truths = Truths(self.lives.graph, self.writer, self.freeing.names)
        self.scope = Scope(self.lives.graph, self.lives.part.stops)

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
        removal = Removal(self.lives.graph, removed, {site.point.block for site in new})
        self.removal, self.gone = removal, removal.gone
        lines = {site: self.freeing.lines(site) for site in new}
        statements = {site: found for site, found in lines.items() if found is not None}
        if len(statements) < len(lines):
            return None
        moved = self._take_along(statements)
        self._write(statements)
        emptied = len(removal.emptied())
        removal.remove(self.writer, self.truths, moved)
        self.truths.finish()
        if self.failed:
            return None
        unsure = any(site.unsure for site in (self.sites if removed else new))  # what is left may be another buffer's
        return Plan(self.writer.edits(), removed, tuple(new), unsure, emptied=emptied)

    def _take_along(self, statements: dict[Site, list[str]]) -> list[Op]:
        """Take out what new deallocations take the place of: its comments go with them; gives these operations."""
        moved: list[Op] = []
        for op in sorted(self.gone, key=lambda op: op.span):
            inner = self.removal.inside(op)
            heir = self._heir(inner, statements)
            if heir is not None:
                left = [one for one in inner if one in self.freeing.reused.values()]
                statements[heir][:0] = self.writer.take(op, left)
                moved.append(op)
        return moved

    def _heir(self, removed: list[Op], statements: dict[Site, list[str]]) -> Site | None:
        """The new deallocation that takes the place of some that are taken out: it is the same, or frees the same."""
        same = (site for site in statements if self.freeing.reused.get(site) in removed)
        root = self.lives.part.root
        roots = {root.get(use.value) for op in removed for use in op.operands if use.value is not None}
        alike = (site for site in statements if root.get(site.value) in roots)
        return next(chain(same, alike, statements), None)

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

    def _write(self, statements: dict[Site, list[str]]) -> None:
        """Put in the new deallocations, those at one place under a condition together."""
        asked: dict[Point, list[tuple[Site, list[str]]]] = {}
        for site, lines in statements.items():
            if site.edge is not None:
                self.on_edges.setdefault(site.edge, []).extend(lines)
            elif site.tree is ALWAYS:
                self._put(site.point, self._before(site.point), lines)
            else:
                asked.setdefault(site.point, []).append((site, lines))
        for point, sites in asked.items():
            self._write_asked(point, sites)
        for edge, lines in self.on_edges.items():
            self._write_edge(edge, lines)

    def _write_asked(self, point: Point, sites: list[tuple[Site, list[str]]]) -> None:
        """Put in the deallocations under conditions at one place: behind those without, of which none is late then."""
        flagged = {site: self._flagged(site, lines) for site, lines in sites} if self.by_flag else {}
        rest = branching([(site.tree, lines) for site, lines in sites if not flagged.get(site)])
        values = [site.value for site, _ in sites]
        before = self._before(point)
        splits = [split for split in rest.splits if not self._joined(point, split, values)]
        rest = Branching(rest.lines, tuple(splits))
        block = point.block
        if words.branches(block, self.lives.graph.models):
            lines = words.blocks(rest, block, self._label)
        else:
            lines = words.under(rest, partial(self._inverted, point))
        lines = [*(line for several in flagged.values() for line in several), *self.inversions, *lines]
        self.inversions.clear()
        if lines:
            self._put(point, self._past_frees(before) if before is not None else None, lines)

    def _put(self, point: Point, after: Op | None, lines: list[str]) -> None:
        if after is not None:
            self.writer.after(after, lines)
        else:
            self.writer.at_start(point.block, lines + self._terminator(point.block))

    def _before(self, point: Point) -> Op | None:
        return self.lives.part.stops[point.block][point.stop - 1] if point.stop else None

    def _flagged(self, site: Site, lines: list[str]) -> list[str]:
        """The lines that free under a flag in that form; none where there is no such form."""
        start = words.free_if(site.value, self.freeing.origins(site), self.lives.graph.models)
        if start is None:
            return []
        return words.flagged(site.tree, start, lines, partial(self._inverted, site.point))

    # Conditions.

    def _inverted(self, point: Point, flag: Value) -> str:
        """The name of what is true where `flag` is false. Behind the last use, to invert it would make the deallocation
        late: it is done before that where the flag is known there."""
        for use in flag.uses:
            for other in use.op.results:
                if other.type == "i1" and self.scope.sees(point, other) and self._opposite(point, flag, other):
                    return other.name
        before = self._asked_at(point)
        ops = before.parent.ops if before.parent is not None and point.stop else []
        while before.index and ops and not self.lives.graph.works(before):
            before = ops[before.index - 1]
        if self.scope.sees_before(before, flag):
            return self.truths.inverted(before, flag)
        name, statement = self.truths.inversion(before, flag)
        self.inversions.append(statement)
        return name

    def _asked_at(self, point: Point) -> Op:
        """The operation before which is put what is needed at a point."""
        before = self._before(point)
        if before is not None:
            return before
        around = point.block.region.op
        return around if around is not self.lives.graph.function else point.block.region.blocks[0].ops[-1]

    def _opposite(self, point: Point, flag: Value, other: Value) -> bool:
        """Whether one flag is true where the other is false, wherever that is known at a point."""
        known = [(self.lives.known(node, flag), self.lives.known(node, other)) for node in self.lives.at[point]]
        return all(one is None or two is (not one) for one, two in known)

    def _joined(self, point: Point, split: tuple[Value, Branching, Branching], values: list[Value]) -> bool:
        """Whether what is to be done under a flag could be put into an operation at the place that asks it anyway: the
        one before, if nothing is needed that it gives, or the one behind."""
        before, (_, then, otherwise) = self._before(point), split
        needed = {value.op for value in (*values, *then.flags(), *otherwise.flags())}
        if before is not None and before not in needed and self._put_into(before, split, at_end=True):
            return True
        last = self._past_frees(before) if before is not None else None
        behind = point.block.ops[last.index + 1 if last is not None else 0 :]
        following = next((op for op in behind if op not in self.gone), None)
        return following is not None and self._put_into(following, split, at_end=False)

    def _put_into(self, op: Op, split: tuple[Value, Branching, Branching], at_end: bool) -> bool:
        """Put what is to be done under a flag into an operation that asks it; False: it does not, or has no place."""
        flag, then, otherwise = split
        wanted = [(guard, side) for guard, side in ((Guard.TRUE, then), (Guard.FALSE, otherwise)) if side]
        edges = {edge.guard: edge for edge in self.lives.graph.entries(op) if _asks(edge, op, flag)}
        blocks = [edge.block for guard, _ in wanted if (edge := edges.get(guard)) is not None]
        if op in self.gone or len(blocks) < len(wanted) or any(side.inverts for _, side in wanted):
            return False
        if any(block is not None and len(block.region.blocks) > 1 for block in blocks):
            return False
        for guard, side in wanted:
            self._put_on(edges[guard], words.under(side, str), at_end)
        return True

    def _put_on(self, edge: Edge, lines: list[str], at_end: bool) -> None:
        """Put statements where an edge leads: at the end of the block there, or at its start."""
        if edge.block is None:
            self.on_edges.setdefault(edge, []).extend(lines)
            return
        self.removal.filled.add(edge.block)
        inner = [op for op in edge.block.ops if not self._ends_block(op) and op not in self.gone]
        if at_end and inner:
            self.writer.after(inner[-1], lines)
        else:
            self.writer.at_start(edge.block, lines + self._terminator(edge.block))

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

    def _write_edge(self, edge: Edge, statements: list[str]) -> None:
        op = edge.place
        source = self.writer.text.source
        eol = self.writer.eol(op.span.end)
        if not op.successors:
            if source[op.span.end - 1] != "}" or op.attributes or source[op.name_span.start] == '"':
                self.failed = True
                return
            indent = self.writer.indent(op)
            body = "".join(f"{indent}{self.writer.step(op)}{statement}{eol}" for statement in statements)
            self.writer.insert(op.span.end, f" else {{{eol}{body}{indent}}}")
            return
        self._split(edge, op, statements, eol)

    def _split(self, edge: Edge, op: Op, statements: list[str], eol: str) -> None:
        assert op.parent is not None
        source = self.writer.text.source
        position = self.lives.graph.exits(op.parent).index(edge)
        successor = op.successors[position]
        end = successor.span.end
        if not is_generic(source, op) and successor.operands:
            try:
                end = closing(source, successor.operands[-1].span.end, 1) + 1
            except Refused:
                self.failed = True
                return
        arguments, target = "", source[successor.span.start : end]
        if is_generic(source, op):  # what it receives goes through
            arguments, target = self._through(successor)
        label = self._label()
        indent = self.writer.indent(op)
        step = self.writer.step(op)
        outer = indent.removesuffix(step)
        self.writer.replace(Span(successor.span.start, end), label)
        inner = [*statements, words.branch(target, op, self.lives.graph.models)]
        lines = [f"{label}{arguments}:", *(f"{step}{line}" for line in inner)]
        self.writer.insert(_line_after(self.writer, op), "".join(f"{outer}{line}{eol}" for line in lines))

    def _through(self, successor: Successor) -> tuple[str, str]:
        """The arguments of a block on the way to a successor, and the successor with what it gets of them."""
        received = successor.block.arguments if successor.block is not None else ()
        if not received:
            return "", successor.name
        names = [words.fresh(words.derived(value.name, "on"), self.freeing.names) for value in received]
        self.failed = self.failed or any(value.type is None for value in received)
        pairs = [(name, in_text(value.type)) for name, value in zip(names, received, strict=True)]
        types = ", ".join(type_ for _, type_ in pairs)
        arguments = ", ".join(f"{name}: {type_}" for name, type_ in pairs)
        return f"({arguments})", f"{successor.name}({', '.join(names)} : {types})"

    def _label(self) -> str:
        while True:
            self.labels += 1
            label = f"^free{self.labels}"
            if label not in self.writer.text.source:
                return label


def _asks(edge: Edge, op: Op, flag: Value) -> bool:
    """Whether an operation takes an edge by what `flag` is."""
    return edge.guard in (Guard.TRUE, Guard.FALSE) and op.operands[edge.number].value is flag


def _line_after(writer: Writer, op: Op) -> int:
    line = writer.text.position(op.span.end).line
    return writer.text.offset(line + 1, 0) if line + 1 < writer.text.line_count else op.span.end
