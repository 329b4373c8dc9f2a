"""Conditions that are made of many flags: in how many ways they may come about, and what follows from their parity.

The ways are counted over the shared graph of an expression, each part once, so that the work is linear in it. What is
known of conditions made by `xori` alone is a system of linear equations over two numbers, solved by elimination.
"""

from __future__ import annotations

from collections.abc import Mapping

from memlane.flow.symbolic.limits import MAX_CONDITION_WAYS, MAX_TRIED, MAX_TRIED_SIZE
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, balanced, links, simplify, within

CONNECTIVES = frozenset({"andi", "ori", "xori", "select"})
"""The expressions that make a flag of flags."""


def is_few(expr: Expr, truth: bool) -> bool:
    """Whether a condition is `truth` for few combinations of its parts."""
    return _ways(expr, {})[0 if truth else 1] <= MAX_CONDITION_WAYS


def _ways(expr: Expr, done: dict[Expr, tuple[int, int]]) -> tuple[int, int]:
    """How many ways there are for an expression to be true, and to be false; of many, some number that is many."""
    found = done.get(expr)
    if found is not None:
        return found
    kind = expr[0]
    if kind == "const":
        return (1, 0) if expr[1] else (0, 1)
    if kind not in CONNECTIVES:
        return 1, 1
    (holds, fails), *others = [_ways(part, done) for part in expr[1:]]
    one, other = others[0], others[-1]
    if kind == "andi":
        found = holds * one[0], fails + holds * one[1]
    elif kind == "ori":
        found = holds + fails * one[0], fails * one[1]
    elif kind == "xori":
        found = holds * one[1] + fails * one[0], holds * one[0] + fails * one[1]
    else:
        found = holds * one[0] + fails * other[0], holds * one[1] + fails * other[1]
    done[expr] = found = min(found[0], MAX_CONDITION_WAYS + 1), min(found[1], MAX_CONDITION_WAYS + 1)
    return found


def contradict(conditions: list[tuple[Expr, bool]]) -> bool:
    """Whether conditions cannot hold together, each as true or false as it is said to be, by trying the values of what
    they are made of, one after the other. False where that takes too many steps."""
    pending = [conditions]
    for _ in range(MAX_TRIED):
        if not pending:
            return True
        left = pending.pop()
        if not left or not all(within(expr, MAX_TRIED_SIZE, MAX_TRIED_SIZE) for expr, _ in left):
            return False
        atom = _first_atom(left[0][0])
        for value in (FALSE, TRUE):
            found = [(simplify(expr, {atom: value}), truth) for expr, truth in left]
            if all(expr[0] != "const" or bool(expr[1]) == truth for expr, truth in found):
                pending.append([one for one in found if one[0][0] != "const"])
    return False


def _first_atom(expr: Expr) -> Expr:
    while expr[0] in CONNECTIVES:
        expr = next(part for part in expr[1:] if part[0] != "const")
    return expr


def reduced(expr: Expr, env: Mapping[Expr, Expr | Range]) -> Expr:
    """A chain of `xori` with what is known of others put in; `expr` itself where that changes nothing."""
    atoms = parity(expr)
    known = [(key, fact) for key, fact in env.items() if key[0] == "xori" and fact in (TRUE, FALSE)]
    rows = {row[0]: (row, fact) for key, fact in known if (row := [*parity(key)])}
    pending = [pivot for pivot in rows if pivot in atoms]
    if not pending and len(atoms) == sum(1 for _ in links(expr)):
        return expr
    while pending:
        row, fact = rows[pending[0]]
        _toggle(atoms, *row, *((TRUE,) if fact == TRUE else ()))
        pending = [pivot for pivot in rows if pivot in atoms]
    return chain(atoms)


def parity(expr: Expr) -> dict[Expr, None]:
    """What a chain of `xori` is made of, in order and without what stands there twice; TRUE where that is negated."""
    atoms = dict[Expr, None]()
    _toggle(atoms, *(one for one in (links(expr) if expr[0] == "xori" else (expr,)) if one != FALSE))
    return atoms


def chain(atoms: Mapping[Expr, None]) -> Expr:
    """The condition that an odd number of `atoms` is true, no deeper than it has to be."""
    others = [atom for atom in atoms if atom != TRUE]
    found = balanced("xori", others) if others else FALSE
    if len(others) == len(atoms):
        return found
    return ("xori", found, TRUE) if others else TRUE


def _toggle(atoms: dict[Expr, None], *changed: Expr) -> None:
    for atom in changed:
        if atom in atoms:
            del atoms[atom]
        else:
            atoms[atom] = None
