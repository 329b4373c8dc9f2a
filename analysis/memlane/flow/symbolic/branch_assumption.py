"""Taking a way: what is known of numbers and flags where a condition holds, and whether it can."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memlane.flow.symbolic.comparisons import UNSIGNED, compared, possible
from memlane.flow.symbolic.connectives import CONNECTIVES, contradict, is_few, reduced
from memlane.flow.symbolic.limits import MAX_CHOICES
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.scalar import (
    FALSE,
    FLAG,
    TRUE,
    Expr,
    Facts,
    Keep,
    constant,
    is_flag,
    links,
    operands,
    rebuild,
    simplify,
    split,
)
from memlane.flow.symbolic.width_casts import within_type


def assume(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """The environments in which the flag `expr` is `truth`: none when it cannot be, several when cases differ.

    Facts that `keep` refuses are not remembered.
    """
    expr = simplify(expr, env)
    kind = expr[0]
    if kind == "const":
        if bool(expr[1]) == truth:
            yield env
    elif kind in CONNECTIVES:
        few = is_few(expr, truth)
        for after in _ways(expr, truth, env, keep) if few else _undivided(expr, truth, env, keep):
            yield after
            if after is env:  # nothing is remembered of this way: it stands for all
                break
    elif kind == "cmpi":
        for after in _compare(expr, truth, env, keep):
            yield from _settled(after, env, keep)
    else:
        yield from _settled(_with(env, expr, TRUE if truth else FALSE, keep), env, keep)


def _ways(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """The same of what is made of two flags or more."""
    kind = expr[0]
    if kind in ("andi", "ori"):
        either = truth == (kind == "ori")
        if not either:
            yield from _all_of([*links(expr)], truth, env, keep)
            return
        for first in assume(expr[1], truth, env, keep):
            yield first
        for first in assume(expr[1], not truth, env, keep):
            yield from assume(expr[2], truth, first, keep)
        return
    for choice in (True, False):
        other = expr[2 if choice or kind == "xori" else 3]
        wanted = truth if kind == "select" else choice != truth
        if other[0] == "const" and bool(other[1]) != wanted:
            continue  # found out behind the choice, a chain of them would be a power
        for first in assume(expr[1], choice, env, keep):
            yield from assume(other, wanted, first, keep)


def _all_of(parts: list[Expr], truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """The environments in which each of some flags is `truth`. What these decide is looked at once for all that are
    values: after each by itself, a condition of n flags would be looked at n times."""
    values = [part for part in parts if part[0] == "leaf"]
    known = {part: TRUE if truth else FALSE for part in values if keep(part)}
    found = [*_settled({**env, **known}, env, keep)] if known else [env]
    for part in parts:
        if part[0] != "leaf":
            found = [after for before in found for after in assume(part, truth, before, keep)]
    yield from found


def _undivided(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """The same of a condition that may come about in too many ways: it is one fact, until what else is known leaves few
    ways. One that follows from other such facts by their parity is decided."""
    if expr[0] == "xori":
        rest = reduced(expr, env)
        if rest != expr:
            yield from assume(rest, truth, env, keep)
            return
    before = [(key, fact == TRUE) for key, fact in env.items() if key[0] in CONNECTIVES and fact in (TRUE, FALSE)]
    if not contradict([(expr, truth), *before]):
        yield from _settled(_with(env, expr, TRUE if truth else FALSE, keep), env, keep)


def _settled(env: Facts, before: Facts, keep: Keep) -> Iterator[Facts]:
    """The environments in which the undivided conditions of `env` hold, too, now that more is known than `before`."""
    if env is before:
        yield env
        return
    for key in env:
        if key[0] in CONNECTIVES and env[key] in (TRUE, FALSE) and key in before:
            others = {other: fact for other, fact in env.items() if other != key}
            if simplify(key, others) != key:
                yield from assume(key, env[key] == TRUE, others, keep)
                return
    yield env


def assume_case(expr: Expr, case: int | None, others: Collection[int], env: Facts, keep: Keep) -> Iterator[Facts]:
    """The environments in which a number is `case`; None: none of `others`."""
    known = simplify(expr, env)
    if known[0] == "const":
        if known[1] == case or (case is None and known[1] not in others):
            yield env
    elif case is not None:
        yield from assume(("cmpi", "eq", expr, constant(case)), True, env, keep)
    else:
        kept, found = keep(known), [env]
        if not kept and known[0] == "leaf" and known not in env and not is_flag(known):
            span = within_type(known)
            if span is None or len(others) <= span.high - span.low:
                yield env  # it has other values
                return
        for other in others:
            equal: Expr = ("cmpi", "eq", expr, constant(other))
            found = [after for before in found for after in assume(equal, False, before, keep if kept else _all)]
        yield from found if kept else found[:1] and [env]


def _all(_: Expr) -> bool:
    """What tells whether all of several conditions can hold, where none of them is asked again."""
    return True


def _compare(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    _, predicate, left, right = expr
    number = right[0] == "const" and predicate not in UNSIGNED
    choice = None if (number and left[0] == "leaf") or not keep(expr) else _choice(expr)
    if choice is not None:
        cases = _by_choice(expr, choice, truth, env, keep)
        if choice[0] == "leaf":
            yield from cases
            return
        # Bounds of tiles are chosen by comparisons: if distinguished, each loop of a nest would double the paths.
        if next(cases, None) is None:
            return
    if number:
        whole = left[0] == "trunci" and keep(left[2])
        yield from (_refine_whole if whole else _refine)(expr, truth, env, keep)
    else:
        after = compared(expr, truth, env) if keep(expr) else env
        if after is not None and (after is env or possible(expr, after)):
            yield after


def _refine(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    _, predicate, left, right = expr
    known = env.get(left)
    range_ = None
    for before in (known,) if isinstance(known, Range) else _unknown(left):
        inside, outside = split(predicate, before, right[1])
        range_ = inside if truth else outside
        if range_ is not None:
            break
    if range_ is not None:
        after = _with(env, left, range_, keep)
        if after is env or possible(left, after):
            yield after


def _by_choice(expr: Expr, choice: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """A comparison of one of two numbers, or of a flag, for each value of the flag; each outcome once."""
    found: list[Facts] = []
    for chosen, value in ((True, TRUE), (False, FALSE)):
        decided = _decided(expr, choice, value)
        for first in assume(choice, chosen, env, keep):
            for after in assume(decided, truth, first, keep):
                if after not in found:
                    found.append(after)
                    yield after


def _choice(expr: Expr) -> Expr | None:
    """A flag of which the numbers that are compared depend; None without one, or with too many numbers."""
    found: dict[Expr, None] = {}
    pending = list(expr[2:])
    while pending:
        part = pending.pop()
        if part[0] != "const" and is_flag(part):
            found[part] = None
        elif part[0] == "select":
            found[part[1]] = None
            pending.extend(part[2:])
        else:
            pending.extend(operands(part))
        if len(found) > MAX_CHOICES:
            return None
    return next(iter(found), None)


def _decided(expr: Expr, choice: Expr, value: Expr) -> Expr:
    """An expression with a value for a flag."""
    if expr == choice:
        return value
    found = rebuild(expr, lambda part: _decided(part, choice, value))
    assert found is not None
    return found


def _refine_whole(expr: Expr, truth: bool, env: Facts, keep: Keep) -> Iterator[Facts]:
    """As `_refine`, of a number that is cut off and asked for as a whole, too: it fits, is below or is above that."""
    _, predicate, cut, right = expr
    bits, number = cut[1:]
    known, low, high = env.get(number), -(1 << bits - 1), (1 << bits - 1) - 1
    before = known if isinstance(known, Range) else Range()
    fits = before.cut(low, high)
    if fits is not None:
        yield from assume(("cmpi", predicate, number, right), truth, _with(env, number, fits, keep), keep)
    for other in (before.cut(-INFINITY, low - 1), before.cut(high + 1, INFINITY)):
        if other is not None:
            yield from _refine(expr, truth, _with(env, number, other, keep), keep)


def _unknown(expr: Expr) -> tuple[Range, ...]:
    """What an unknown number may be: an index is a size or a position, negative only where the program asks."""
    if is_flag(expr):
        return (FLAG,)
    if expr[0] == "dim":
        return (Range(0),)
    index = expr[0] == "leaf" and expr[1].type == "index"
    return (Range(0), Range()) if index else (Range(),)


def _with(env: Facts, expr: Expr, fact: Expr | Range, keep: Keep) -> Facts:
    if not keep(expr):
        return env
    return {**env, expr: fact}
