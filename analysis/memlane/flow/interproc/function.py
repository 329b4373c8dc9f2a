"""One function of a program, as the others and the analyses know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memlane.flow.alias.alias import Aliases
from memlane.flow.cfg.callee import is_private
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import count_groups
from memlane.flow.dataflow.context import Context, Known, expression_of, is_repeated
from memlane.flow.derived import Memoized
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op, take_apart

if TYPE_CHECKING:
    from memlane.flow.memo.function_memo import Standing

_NOTHING: Mapping[Callable[..., Any], Any] = {}


class Question(NamedTuple):
    """What a function does with arguments as a caller has them; see `Callees.outcomes`.

    Args:
        constants: the numbers among them, and functions.
        wanted: the results that are asked for, whether or not its summary has them now: after an edit it may.
    """

    callee: FunctionFlow
    partition: tuple[int | None, ...]
    constants: tuple[Known, ...]
    wanted: tuple[int, ...]

    @property
    def groups(self) -> int:
        """How many buffers are passed."""
        return count_groups(self.partition)

    def context(self) -> Context:
        """How the function is entered then."""
        if self.constants.count(None) == len(self.constants):
            return Context(self.partition)
        known: dict[Expr, Expr] = {
            ("leaf", argument): expr
            for argument, one in zip(formals_of(self.callee.graph), self.constants, strict=False)
            if (expr := expression_of(one)) is not None
        }
        return Context(self.partition, known)


class Passed(NamedTuple):
    """What a call passes, independent of its callee.

    Args:
        partition: per argument the number of its buffer, None where it has none.
        constants: per argument the number it is, where that is known.
        caller: the function of the call, where it passes one buffer twice, or an argument of its own; else "".
        own: per argument the position of the caller's own argument that it is, if that is a number; empty: of none.
    """

    partition: tuple[int | None, ...]
    constants: tuple[int | None, ...]
    caller: str = ""
    own: tuple[int | None, ...] = ()

    def when(self, entered: Passed | None) -> Passed:
        """The same where the function of the call is passed some numbers itself; None: these are unknown."""
        known = entered.constants if entered is not None else ()
        numbers = tuple(
            known[at] if at is not None and at < len(known) else number
            for number, at in zip(self.constants, self.own, strict=False)
        )
        caller = self.caller if is_repeated(self.partition) else ""
        return Passed(self.partition, numbers or self.constants, caller)


ANYTHING = Passed((), ())
"""What a caller outside of the module passes."""


class Body(NamedTuple):
    """What a function is made of.

    Args:
        ops: see `FunctionFlow.ops`; None: not listed.
        standing: what is known of its ops where they are kept for the next version.
    """

    op: Op
    graph: Graph
    ops: Sequence[Op] | None = None
    standing: Standing | None = None


class FunctionFlow(Memoized):
    """One function: its graph, its clusters, and whether others in the module call it. Its memo has what is found out
    of it and those that it calls, by what finds it out (scc_fixpoint.py), whether or not its ops are there.

    Args:
        build: gives its body, when it is first asked for; puts it into its program.
        known: what is known of it already; see `memo`.

    Attributes:
        aliases: see `Program.aliases`.
        calls: those in it of functions of the module; `callers`: those of it, perhaps.
        choices: the calls in it of one of several functions, all of the module.
        passed: what its callers pass, where they are outside of the module.
        addresses: the functions of the module whose address it takes. `addressed`: its own address is taken: it may
            have unknown callers.
        standing: see `Body`.
    """

    __slots__ = (
        "_build",
        "_graph",
        "_op",
        "_operations",
        "_ops",
        "addressed",
        "addresses",
        "aliases",
        "callers",
        "calls",
        "choices",
        "name",
        "passed",
        "standing",
    )

    def __init__(
        self, name: str, build: Callable[[FunctionFlow], Body], known: Mapping[Callable[..., Any], Any] = _NOTHING
    ) -> None:
        super().__init__()
        self.memo.update(known)
        self.name = name
        self._build = build
        self._op: Op | None = None
        self._graph: Graph | None = None
        self._operations = 0
        self._ops: Sequence[Op] | None = None
        self.aliases: Aliases | None = None
        self.calls: dict[Op, FunctionFlow] = {}
        self.choices: dict[Op, tuple[FunctionFlow, ...]] = {}
        self.callers: list[Op] = []
        self.addresses: list[FunctionFlow] = []
        self.addressed = False
        self.passed: tuple[Passed, ...] | None = None
        self.standing: Standing | None = None

    @property
    def op(self) -> Op:
        """The function-like op."""
        return self._op if self._op is not None else self._body().op

    @property
    def graph(self) -> Graph:
        """Its control flow."""
        return self._graph if self._graph is not None else self._body().graph

    @property
    def body(self) -> Body | None:
        """What it is made of, where that is there."""
        if self._op is None or self._graph is None:
            return None
        return Body(self._op, self._graph, self._ops, self.standing)

    def _body(self) -> Body:
        body = self._build(self)
        self._op, self._graph, self._ops, self.standing = body
        return body

    def forget(self) -> None:
        """Let go of its ops and what is known of them; they are built again when they are asked for.

        No reference to any of them may remain: they are taken apart.
        """
        if self._op is not None:
            take_apart(self._op)
        self.leave()

    def leave(self) -> None:
        """Release its ops to another owner, and drop what is known of them."""
        self._op = self._ops = self._graph = self.aliases = self.standing = None
        self.calls, self.choices, self.callers = {}, {}, []
        self.addresses, self.addressed = [], False

    @property
    def ops(self) -> Sequence[Op]:
        """Its ops, itself and nested ones included, in text order. Not to be changed."""
        if self._ops is None:
            self._ops = [*self.op.walk()]
        return self._ops

    @property
    def operations(self) -> int:
        """How many ops it has, itself included."""
        if not self._operations:
            self._operations = sum(1 for _ in self.op.walk()) if self._ops is None else len(self._ops)
        return self._operations

    @property
    def callees(self) -> Iterable[FunctionFlow]:
        """The functions of the module that it calls, perhaps several times."""
        _ = self.op
        return chain(self.calls.values(), *self.choices.values()) if self.choices else self.calls.values()

    @property
    def private(self) -> bool:
        """Whether only this module may call it."""
        return is_private(self.op)

    @property
    def entry(self) -> bool:
        """Whether execution may start here: public functions, and private ones without callers whose address is not
        taken."""
        return not self.private or not (self.callers or self.addressed or self.passed)


class DeferredFunctions(Protocol):
    """Functions that a program may call and that are built when it looks into them."""

    def __contains__(self, symbol: object, /) -> bool:
        """Whether there is a function of that name."""
        ...

    def find(self, symbol: str) -> FunctionFlow | None:
        """The function of that name: always the same object."""
        ...

    def calling(self, flow: FunctionFlow) -> tuple[bool, Iterable[FunctionFlow]]:
        """Whether an op in a function may end the program, and what it calls; see `nonreturning.Calling`."""
        ...
