"""Whether the paths that findings show can be taken: what their notes say of flags, against what the flags are made of.

Asked of functions that run each operation at most once; what is made in loops may differ from round to round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product

from memlane.checking import Checked
from memlane.syntax.tree.tree import Op, Value

_SAID = re.compile(r"(%[\w$.-]+(?:#\d+)?) is (true|false)$")
_CHOOSING = re.compile(r"(?:scf\.if|(?:cf|llvm)\.cond_br)$")
_ONCE = re.compile(r"(?:scf\.if|scf\.index_switch|memref\.alloca_scope|(?:func|llvm)\.func|builtin\.module)$")
_MADE: dict[str, Callable[[int, int], int]] = {
    f"{dialect}.{name}{ending}": made
    for dialect, ending in (("arith", "i"), ("llvm", ""))
    for name, made in (("xor", int.__xor__), ("and", int.__and__), ("or", int.__or__))
}
_MOST = 12
"""Unknown flags of a path of which all values are tried."""


def impossible(checked: Checked) -> Iterator[str]:
    """The paths, as their notes tell them, that no values of the flags lead along."""
    places: dict[int, Op] = {op.name_span.start: op for op in checked.tree.walk() if _CHOOSING.match(op.name)}
    for finding in checked.findings:
        said: dict[Value, set[bool]] = {}
        for note in finding.report.notes:
            found, op = _SAID.match(note.message), places.get(note.span.start)
            value = op.operands[0].value if op is not None and op.operands else None
            if found is not None and value is not None and value.name == found[1] and _is_asked_once(value):
                said.setdefault(value, set()).add(found[2] == "true")
        if said and not _is_possible(said):
            yield f"{finding.rule.name} at {finding.report.span.start}: " + ", ".join(
                note.message for note in finding.report.notes
            )


def _is_asked_once(value: Value) -> bool:
    """Whether the value is one on each path: it is made where control comes once, from such."""
    block = value.block if value.op is None else value.op.parent
    while block is not None:
        op = block.region.op
        if not _ONCE.match(op.name) or (len(block.region.blocks) > 1 and block.index > 0):
            return False
        block = op.parent
    return True


def _is_possible(said: dict[Value, set[bool]]) -> bool:
    if any(len(values) > 1 for values in said.values()):
        return False
    unknown = list(dict.fromkeys(leaf for value in said for leaf in _unknown(value)))
    if len(unknown) > _MOST:
        return True
    for values in product(range(2), repeat=len(unknown)):
        known: dict[Value, int] = dict(zip(unknown, values, strict=True))
        if all(_value(flag, known) in truth for flag, truth in said.items()):
            return True
    return False


def _parts(value: Value) -> list[Value] | None:
    """The flags that one is computed of; None where nothing says how."""
    op = value.op
    if op is None or value.type != "i1":
        return None
    parts = [use.value for use in op.operands if use.value is not None]
    flags = all(part.type == "i1" for part in parts) and len(parts) == len(op.operands)
    known = op.name in (*_MADE, "arith.select", "llvm.select") or _is_equal(op)
    return parts if flags and known else None


def _is_equal(op: Op) -> bool:
    return op.name == "arith.cmpi" and op.keywords[:1] in (("eq",), ("ne",))


def _is_constant(value: Value) -> bool:
    return value.op is not None and value.op.literal in ("true", "false")


def _unknown(value: Value) -> Iterator[Value]:
    seen, pending = {value}, [value]
    while pending:
        one = pending.pop()
        parts = _parts(one)
        if parts is None and not _is_constant(one):
            yield one
        new = [part for part in dict.fromkeys(parts or ()) if part not in seen]
        seen.update(new)
        pending += new


def _value(flag: Value, known: dict[Value, int]) -> int:
    pending = [flag]
    while pending:
        one, op = pending[-1], pending[-1].op
        parts = None if one in known else _parts(one)
        missing = [part for part in parts or () if part not in known]
        pending += missing
        if missing:
            continue
        pending.pop()
        if one in known or op is None:
            continue
        if parts is None:
            known[one] = int(op.literal == "true")
        elif len(parts) == 3:
            known[one] = known[parts[1]] if known[parts[0]] else known[parts[2]]
        elif _is_equal(op):
            known[one] = int((known[parts[0]] == known[parts[1]]) == (op.keywords[0] == "eq"))
        else:
            known[one] = reduce(_MADE[op.name], (known[part] for part in parts))
    return known[flag]
