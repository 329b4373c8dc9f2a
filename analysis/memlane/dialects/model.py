"""What an operation does to memory, as data: the values `load.py` makes of the TOML files.

The vocabulary is MLIR's own: effects are declared on operands and results, control flow by region edges and
successors (RegionBranchOpInterface, BranchOpInterface), aliases by views (ViewLikeOpInterface).

Operands are addressed by a `Selector`: positions in the order of the generic form (which is the order of the
text in all custom forms known to us), or a group of a variadic op: `ins`, `outs`, `retain`. `select` resolves
one on an op of the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from memlane.dialects.limits import MAX_NAMES
from memlane.dialects.roles import FunctionRole, Tasks, Threads


class ViewKind(Enum):
    """How much of its source a view shows."""

    WHOLE = "whole"
    """All of the buffer, from its start: casts, reshapes, transposes."""
    PART = "part"
    """Perhaps only a part, or from another start: subviews."""


class Selector(NamedTuple):
    """Which operands (or results, or block arguments) are meant.

    Args:
        start: first position, inclusive, 0-based; negative: from the end, as in a Python slice.
        stop: last position, exclusive; None: to the end; negative: from the end.
        group: name of an operand group; then positions count inside it. `buffers` is the group of all operands
            whose type is a buffer, `tokens` of those that are asynchronous tokens or values, `async_values` of the
            latter: for ops whose other operands vary in number.
    """

    start: int = 0
    stop: int | None = None
    group: str | None = None


class Alloc(NamedTuple):
    """The result at `result` is a new buffer of `resource`, owned by the code that executes the op.

    Args:
        per_symbol: not a new one: the one buffer of the op's symbol (`memref.get_global`), which is not freed.
        filled: it has contents from the start (`calloc`).
        sized: the operands of type `index` are its dynamic dimensions.
        once: without operands it is taken once, where the function begins, however often control comes to the op.
        bytes: the product of these operands is its size in bytes (`malloc`, `calloc`).
        elements: it has room for so many elements of the type that the op names (`llvm.alloca %n x f32`).
    """

    result: int = 0
    resource: str = "heap"
    per_symbol: bool = False
    filled: bool = False
    sized: bool = True
    once: bool = False
    bytes: Selector | None = None
    elements: Selector | None = None


class Free(NamedTuple):
    """The operands are freed with the deallocator of `resource`.

    Args:
        conditions: group of i1 operands, one for each freed one; it is freed where its flag is true.
        retained: operands that must not be freed through an alias (`bufferization.dealloc`).

    An op that frees and allocates (`memref.realloc`) has both effects: it frees first.
    """

    operands: Selector
    resource: str = "heap"
    conditions: Selector | None = None
    retained: Selector | None = None


class View(NamedTuple):
    """The result may denote the same memory as the selected operands: as one of them, where there are several.

    Operands that are not neighbours take several views of the same result, which also means "one of them".

    Args:
        may: or a copy of it: destinations of ops on tensors. Of an op that computes: a number made of an address.
        shifts: the pointer to its first element may differ from the source's: by operand 1 in bytes (`memref.view`).
        elements: it is so many elements of the type that the op names behind the source as the index in brackets says
            (`llvm.getelementptr %p[%n]`).
    """

    result: int
    of: Selector
    kind: ViewKind = ViewKind.PART
    may: bool = False
    shifts: bool = False
    elements: bool = False


class Aggregate(Enum):
    """What an op does with the aggregate it names, at the constant `position` of its text."""

    INSERT = "insert"
    """The result is the aggregate with one value put into it (`llvm.insertvalue`)."""
    EXTRACT = "extract"
    """The result is the value that stands in operand 0 (`llvm.extractvalue`)."""


class Guard(Enum):
    """When a region edge or successor is taken."""

    ALWAYS = "always"
    """Nothing is known: a free choice among the edges that leave the same place."""
    TRUE = "true"
    """Operand `number` of the place the edge leaves (the op at entry, else the region's terminator) is true."""
    FALSE = "false"
    CASE = "case"
    """Operand `number` equals the constant that stands at the target (`case 2`, `2: ^bb1`), or none does (default)."""
    TRIPS = "trips"
    """The loop's bounds (`Trip`) allow one more iteration."""
    DONE = "done"
    HOLDS = "holds"
    """What the op's text asks of its operands (`Condition`) is so."""
    FAILS = "fails"


NEXT = -2
"""A target: the first region from the op, else the one after the source, or the results behind the last."""


class RegionEdge(NamedTuple):
    """Control flow between an op and its regions, values forwarded in order.

    An edge to a region the op does not have (the else of an `scf.if` without one), or whose region is empty,
    leads to the op's results. Forwarded values and receivers are paired to the shorter of the two.

    Args:
        source: None for the op itself (entry), else a region's index; -1: each region.
        target: None for the op's results, else a region's index; -1: each region; `NEXT`: the one after the source.
        forwards: which operands of the source (the op's, or the terminator's) are passed on; None: none.
        onto: which arguments of the target's first block, or results of the op, receive them; None with `forwards`.
        guard, number: when it is taken.
    """

    source: int | None
    target: int | None
    forwards: Selector | None = None
    onto: Selector | None = None
    guard: Guard = Guard.ALWAYS
    number: int = 0


class Trip(NamedTuple):
    """Bounds of a counted loop: operands, as many as it has dimensions, and the block argument that counts.

    Args:
        text: a regular expression for the text after the op's name, where bounds stand there: its groups are lower
            bounds (0 where there are none), upper bounds, and steps (1), numbers and names with commas between them; or
            its one group is `LOWER to UPPER step STEP`, of numbers, names and affine maps of these.
        attributes: those with the same in the generic form.
    """

    lower: Selector = Selector(0, 1)
    upper: Selector = Selector(1, 2)
    step: Selector = Selector(2, 3)
    counter: int = 0
    text: str | None = None
    attributes: tuple[str, ...] = ()


class Condition(NamedTuple):
    """What an op asks of all its operands, by the text that says it: the same text asks the same.

    Args:
        text: a regular expression for the text after the op's name, its group being what is asked.
        attribute: the one with the same in the generic form.
    """

    text: str
    attribute: str = ""


class Call(NamedTuple):
    """A call: the callee is the op's symbol (or operand 0 when `indirect`), arguments as selected."""

    arguments: Selector
    indirect: bool = False


@dataclass(frozen=True, slots=True)
class OpModel:
    """All that is known of an operation. The empty model is an op that does nothing to memory.

    Args:
        alloc, free, view: see the classes.
        read, write: operands whose memory is read or written.
        read_if_used: operands read only where the argument at the same position of the op's first region is used
            (`linalg.generic`); read where the op has no such region, or one without arguments.
        escape: operands kept somewhere the analyses do not follow (stored in memory, turned into an integer).
        regions: edges; None for an op whose regions are not declared.
        successors: guard of each successor, by position; the last one repeats.
        forwards: operands each successor receives, by position, for the generic form, which has them among the
            op's own; the last one repeats. `successor_uses` finds them in either form.
        call: set for calls.
        function: set for function-like ops.
        exits: a terminator that leaves the function and hands its operands to the caller.
        isolated: its regions see no value from outside (IsolatedFromAbove).
        symbol_table: it holds functions and other symbols.
        trip: counted loops.
        condition: what is asked where a region edge `holds` or `fails`.
        parallel: iterations may run at the same time.
        carries: operands that its rounds carry on, where the terminator of its region `accumulates` into them.
        accumulates: a terminator with regions, each of which combines what is carried with one of its operands.
        compute: name of the scalar function its single result is: "constant", "cmpi", "andi", ... (scalar.py).
        allocation_scope: automatic allocations made inside end with it (AutomaticAllocationScope).
        wait: operands (tokens, tags, groups) whose pending work is complete once the op is: at once, or where the op
            has a `token` in the text, when that is.
        token: result that stands for the completion of the op's reads and writes, if the op has it in the text
            (negative: counted from the last); None: it is complete at once.
        tag: operand that stands for the completion of the op's reads and writes, where no token does: the tag of
            `memref.dma_start`, an `mbarrier`.
        asserts: operand that is true behind the op: else nothing comes there.
        fill: operand with which it fills all that it writes, or as many bytes as the operand `length` says.
        joins: pairs (token, group): waiting for the group waits for the token as well (`async.add_to_group`).
        acquire: operands that get one more owner: one free more is due before their memory is gone (reference counts).
        inside: operands into whose memory its results may point; or they are null, or point elsewhere (`strchr`).
        loaded: results read from memory: one that is a buffer or pointer may be any that escaped.
        aggregate: which of the operands of its `view` it shows depends on its position.
        permutes: the dimensions of its view stand in another order than those of what it shows.
        saves_stack: its first result is a point of the stack to go back to (`llvm.intr.stacksave`).
        restores_stack: stack memory taken since the point that operand 0 stands for is given back
            (`llvm.intr.stackrestore`).
        tasks: see the class; with `detached`, where it begins one.
        nowait: the word by which one that waits for tasks says that it does not.
        threads: see the class.
        suspends: control goes on here at once, and behind it when it is resumed: at its second successor, or where its
            first result is 0.
        stops: control never comes behind it, wherever it stands: the program ends, as with `abort`.
        leads: its block has to begin with it, so that nothing comes before it.
        unwinds: it ends the function with an exception, which goes on to a caller: a call does not come back so.
        detached: what its regions do may go on behind it, and no value stands for that (`omp.task`).
        first: how many operands come before those that selectors count: what is called, where that is a value.
        undefined: its result is a tensor without contents, sized by its operands: a destination.
        global_mark: number that operand 0 may be: then the result denotes memory of a global, which is not freed.
        opaque: its symbol, or its literal, is the name of a function elsewhere: it does what a well-known one does.
        guessed: the model is at least in part a guess, as where declarations say nothing of effects. Until it is
            completed the op counts as one without a model: no certain finding depends on it.
        may_read: what it reads is not known: where nothing has been written, it need not be a mistake.
        device: threads of a GPU run what is in its regions.
        acts: it does something besides, so that it is needed whatever becomes of its results: it sends, or prints.
    """

    name: str
    alloc: tuple[Alloc, ...] = ()
    free: tuple[Free, ...] = ()
    view: tuple[View, ...] = ()
    read: tuple[Selector, ...] = ()
    write: tuple[Selector, ...] = ()
    read_if_used: tuple[Selector, ...] = ()
    escape: tuple[Selector, ...] = ()
    regions: tuple[RegionEdge, ...] | None = None
    successors: tuple[tuple[Guard, int], ...] = ()
    forwards: tuple[Selector, ...] = ()
    call: Call | None = None
    function: FunctionRole | None = None
    exits: bool = False
    terminator: bool = False
    isolated: bool = False
    symbol_table: bool = False
    trip: Trip | None = None
    condition: Condition | None = None
    parallel: bool = False
    carries: Selector | None = None
    accumulates: bool = False
    compute: str | None = None
    allocation_scope: bool = False
    wait: tuple[Selector, ...] = ()
    token: int | None = None
    tag: Selector | None = None
    asserts: Selector | None = None
    fill: Selector | None = None
    length: Selector | None = None
    joins: tuple[tuple[Selector, Selector], ...] = ()
    acquire: tuple[Selector, ...] = ()
    inside: tuple[Selector, ...] = ()
    loaded: tuple[int, ...] = ()
    aggregate: Aggregate | None = None
    permutes: bool = False
    saves_stack: bool = False
    restores_stack: bool = False
    detached: bool = False
    tasks: Tasks | None = None
    nowait: str | None = None
    threads: Threads | None = None
    suspends: bool = False
    unwinds: bool = False
    stops: bool = False
    leads: bool = False
    first: int = 0
    undefined: bool = False
    global_mark: int | None = None
    acts: bool = False
    may_read: bool = False
    device: bool = False
    opaque: bool = False
    guessed: bool = False
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    """Operand groups: the keyword that introduces one in custom syntax -> its ODS name."""
    cases: str | None = None
    """The attribute that lists, in the generic form, the numbers for all successors or regions but the first."""
    segments: tuple[str, ...] = ()
    """ODS names of the operands in the order of `operandSegmentSizes`."""
    required: int = 0
    """How many of those are neither variadic nor optional."""

    @property
    def only_leads(self) -> bool:
        """Whether all that it does, where it has no results, is to say where control goes: into its regions and past
        it, or on at the end of a block."""
        leads = self.regions is not None or self.terminator or bool(self.successors)
        return leads and replace(self, **_LEADING) == OpModel(self.name)


_LEADING: dict[str, Any] = {
    **dict.fromkeys(("regions", "trip", "condition", "carries", "cases")),
    **dict.fromkeys(("parallel", "accumulates", "allocation_scope", "terminator"), False),
    **dict.fromkeys(("view", "successors", "forwards", "segments"), ()),
    "groups": {},
    "required": 0,
}
"""Nothing of what says where control goes, with which results, and how that is written."""


class Resource(NamedTuple):
    """A kind of memory and the ops that make and give it back.

    Args:
        alloc, free, copy: op names. `free` is what fixes insert; None: it ends by itself (stack, global).
        free_if: the op that frees operands under flags of its own, in the form `NAME (%a : TYPE) if (%flag)`.
        lowered: resources it is turned into by lowering: in half-lowered text its memory may go back through theirs.
        counted: its memory has owners that are counted: what frees it takes one away.
    """

    name: str
    alloc: str | None = None
    free: str | None = None
    copy: str | None = None
    lowered: tuple[str, ...] = ()
    free_if: str | None = None
    counted: bool = False


class _Described(dict[str, "OpModel | None"]):
    """The models of the names that were asked for; see `Models.of`."""

    __slots__ = ("_aliases", "_ops")

    def __init__(self, ops: Mapping[str, OpModel], aliases: Mapping[str, str]) -> None:
        super().__init__()
        self._ops, self._aliases = ops, aliases

    def __missing__(self, name: str) -> OpModel | None:
        if len(self) >= MAX_NAMES:
            self.clear()
        model = self._ops.get(self._aliases.get(name, name))
        found = self[name] = None if model is not None and model.guessed else model
        return found


@dataclass(frozen=True, slots=True)
class Models:
    """The models in use: the shipped dialects and those of the user's configuration.

    Args:
        ops: by full op name.
        aliases: other spellings of an op name: `std.alloc`, `alloc`, `memref.buffer_cast`.
        dialects: dialects every op of which is described; an op of another dialect is unknown.
        functions: what external functions do, by symbol without `@`: an `OpModel` whose operands are the
            arguments of the call and whose results are its results (`malloc`, `free`).
        memory: of a dialect the names of its types that stand for memory, None where any of them does: where that is
            not said of a dialect some operation of which is described to allocate or to free. Of others it is open.

    Attributes:
        described: what `of` gives, by name: for those who ask it of each op.
    """

    ops: Mapping[str, OpModel]
    aliases: Mapping[str, str]
    resources: Mapping[str, Resource]
    dialects: frozenset[str]
    functions: Mapping[str, OpModel] = field(default_factory=dict[str, OpModel])
    memory: Mapping[str, frozenset[str] | None] = field(default_factory=dict[str, "frozenset[str] | None"])
    described: Mapping[str, OpModel | None] = field(init=False, repr=False, compare=False)
    _opaque: dict[str, OpModel] = field(default_factory=dict[str, OpModel], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "described", _Described(self.ops, self.aliases))

    def of(self, name: str) -> OpModel | None:
        """The model of op `name`, or None for an op without one, or with a guessed one only."""
        return self.described[name]

    def is_function(self, name: str) -> bool:
        """Whether op `name`, with a region and a symbol, is a function."""
        model = self.of(name)
        return model.function is not None if model is not None else self.is_assumed_function(name)

    def is_isolated(self, name: str) -> bool:
        """Whether the regions of op `name` see no value from outside, those of functions among them."""
        model = self.of(name)
        return (model is not None and model.isolated) or self.is_function(name)

    def is_assumed_function(self, name: str) -> bool:
        """Whether op `name` is not described, and would be a function by what it is called: `mydialect.func`."""
        dialect, _, last = name.rpartition(".")
        return last == "func" and bool(dialect) and self.aliases.get(name, name) not in self.ops

    def is_guessed(self, name: str) -> bool:
        """Whether op `name` is described, but by a guess only."""
        model = self.ops.get(self.aliases.get(name, name))
        return model is not None and model.guessed

    def opaque(self, name: str, callee: str) -> OpModel | None:
        """The model of op `name` that calls a function whose name is text: that of a well-known function, or what is
        said of the op, whatever it calls."""
        known = self.functions.get(callee) or self._opaque.get(name)
        if known is None and (model := self.of(name)) is not None:
            known = self._opaque[name] = replace(model, call=None)
        return known

    def interchangeable(self, one: str, other: str) -> bool:
        """Whether memory of resource `one` may go back through `other`: the same, or what one is lowered to."""
        lowered = {name: self.resources[name].lowered for name in (one, other) if name in self.resources}
        return one == other or other in lowered.get(one, ()) or one in lowered.get(other, ())
