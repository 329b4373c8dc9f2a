"""How deallocations, conditions and branches are written: the free op that belongs to each buffer's resource."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memlane.dialects import builtin_models
from memlane.dialects.model import Models
from memlane.fixes.choice import ALWAYS, NEVER, Tree
from memlane.fixes.writing import STEP, Writer
from memlane.flow.alias import Origin
from memlane.syntax.tree import Block, Op, Value


def derived(name: str, suffix: str) -> str:
    """A name made of another: `%a_owned`; of a number, which takes no suffix, and of a part of a pack: `%owned`."""
    stem = re.sub(r"\W", "_", name[1:])
    return f"%{suffix}" if stem[:1].isdigit() else f"%{stem}_{suffix}"


def fresh(name: str, used: set[str]) -> str:
    """`name`, or one made of it that is not among `used`, to which it is added."""
    found, number = name, 0
    while found in used:
        found, number = f"{name}_{number}", number + 1
    used.add(found)
    return found


@dataclass(slots=True)
class Constants:
    """Truth values written before operations, each once."""

    known: dict[tuple[Op, bool], str] = field(default_factory=dict[tuple[Op, bool], str])

    def name(self, writer: Writer, used: set[str], before: Op, truth: bool) -> str:
        """The name of a constant that stands before `before`; a new one is none of `used`, to which it is added."""
        known = self.known.get((before, truth))
        if known is None:
            known = self.known[before, truth] = fresh("%true" if truth else "%false", used)
            writer.before(before, [f"{known} = {_constant(before, 'true' if truth else 'false')}"])
        return known


def _constant(before: Op, truth: str) -> str:
    """A truth value, in the dialect of the function around if that has its own: others are not lowered there."""
    own = f"{_dialect(before.parent)}.mlir.constant"
    return f"{own}({truth}) : i1" if own in builtin_models().ops else f"arith.constant {truth}"


def _dialect(block: Block | None) -> str:
    return block.region.op.name.partition(".")[0] if block is not None else ""


def free(value: Value, origins: Iterable[Origin], models: Models) -> str | None:
    """The statement that frees `value`, which is one of the buffers of `origins`; None: there is none we know of."""
    resources = {origin.resource for origin in origins}
    if len(resources) != 1 or value.type is None:
        return None
    resource = models.resources.get(resources.pop())
    if resource is None or resource.free is None:
        return None
    name, _, callee = resource.free.partition(" ")
    if callee:
        return f"{name} {callee}({value.name}) : ({value.type}) -> ()"
    if not value.type.startswith(("memref", "!")):
        return None
    if name in builtin_models().ops:  # these take memrefs and nothing else
        return f"{name} {value.name} : {value.type}" if value.type.startswith("memref") else None
    return f'"{name}"({value.name}) : ({value.type}) -> ()'


def free_if(value: Value, origins: Iterable[Origin], models: Models) -> str | None:
    """The start of the statement that frees `value` under a flag of its own; None: there is no such operation."""
    resources = {origin.resource for origin in origins}
    resource = models.resources.get(resources.pop()) if len(resources) == 1 else None
    if resource is None or resource.free_if is None or not (value.type or "").startswith("memref"):
        return None
    return f"{resource.free_if} ({value.name} : {value.type}) if"


def flagged(tree: Tree, start: str, used: set[str]) -> list[str]:
    """The lines that free on the paths that `tree` selects, by an operation with a flag (`free_if`).

    `used`: names that are taken.
    """
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        always = fresh("%true", used)
        return [f"{always} = arith.constant true", f"{start} ({always})"] if tree.act else []
    if (tree.then, tree.otherwise) == (ALWAYS, NEVER):
        return [f"{start} ({tree.flag.name})"]
    if (tree.then, tree.otherwise) == (NEVER, ALWAYS):
        true, negated = fresh("%true", used), fresh(derived(tree.flag.name, "not"), used)
        inverted = f"{negated} = arith.xori {tree.flag.name}, {true} : i1"
        return [f"{true} = arith.constant true", inverted, f"{start} ({negated})"]
    then = [STEP + line for line in flagged(tree.then, start, used)]
    other = [STEP + line for line in flagged(tree.otherwise, start, used)]
    ends = ["} else {", *other, "}"] if other else ["}"]
    return [f"scf.if {tree.flag.name} {{", *then, *ends]


def under(tree: Tree, statement: str) -> list[str]:
    """The lines that execute `statement` on the paths that `tree` selects."""
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return [statement] if tree.act else []
    then = [STEP + line for line in under(tree.then, statement)]
    other = [STEP + line for line in under(tree.otherwise, statement)]
    if not other:
        return [f"scf.if {tree.flag.name} {{", *then, "}"]
    return [f"scf.if {tree.flag.name} {{", *then, "} else {", *other, "}"]


def conditional(tree: Tree, statement: str, block: Block, models: Models, label: Callable[[], str]) -> list[str]:
    """The lines that execute `statement` in `block` on the paths that `tree` selects.

    In functions of a dialect with its own branches these are blocks, and what follows is in the last of them.

    Args:
        label: makes the name of a block that is not taken.
    """
    dialect = _dialect(block)
    if tree.flag is None or models.of(f"{dialect}.cond_br") is None:
        return under(tree, statement)
    rest = label()
    return [*_blocks(tree, statement, dialect, rest, label), f"{rest}:"]


def _blocks(tree: Tree, statement: str, dialect: str, rest: str, label: Callable[[], str]) -> list[str]:
    """The lines that execute `statement` on the paths that `tree` selects, and then go to the block `rest`."""
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return [statement, f"{dialect}.br {rest}"]
    then, other = (rest if branch == NEVER else label() for branch in (tree.then, tree.otherwise))
    lines = [f"{dialect}.cond_br {tree.flag.name}, {then}, {other}"]
    for target, inner in ((then, tree.then), (other, tree.otherwise)):
        if target != rest:
            lines += [f"{target}:", *_blocks(inner, statement, dialect, rest, label)]
    return lines


def branch(target: str, last: Op, models: Models) -> str:
    """The statement that goes to a block, given with its operands, in the dialect of `last`, which has gone there."""
    dialect = last.name.partition(".")[0]
    return f"{dialect if models.of(f'{dialect}.br') is not None else 'cf'}.br {target}"
