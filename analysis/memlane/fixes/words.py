"""How deallocations, conditions and branches are written: the free op that belongs to each buffer's resource."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from memlane.dialects import builtin_models
from memlane.dialects.model import Models
from memlane.fixes.choice import ALWAYS, NEVER, Tree
from memlane.fixes.own import fits, in_text, kinds, same_type, takes_no_more, written_type
from memlane.fixes.writing import STEP, Writer
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.scalars.types import is_descriptor
from memlane.syntax.tree.tree import Block, Op, Value

_POINTER = "!llvm.ptr"
_ALIAS = re.compile(r"![A-Za-z_][\w$]*")
"""The name of a type that the file defines: types of dialects have a dot."""


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


def free(
    value: Value,
    origins: Iterable[Origin],
    models: Models,
    fresh_name: Callable[[Value], str] | None = None,
    symbols: Callable[[], Iterable[str]] = tuple,
) -> list[str] | None:
    """The lines that free `value`, which is one of the buffers of `origins`; None: there is none we know of.

    Of the descriptor of a memref what is freed is its first element (MLIR, "LLVM IR Target", "Ranked MemRef Types").

    Args:
        fresh_name: makes one for the address in a descriptor; None: one line is wanted.
        symbols: gives what there is to call: where memrefs have been lowered, that tells to what.
    """
    type_ = written_type(value)
    if type_ is None:
        return None
    lowered = () if type_.startswith("memref") else tuple(_resources(symbols(), models))
    origins = tuple(origins)
    made = [origin.value for origin in origins]
    resources = {_lowered(origin.resource, models, lowered) for origin in origins}
    resource = models.resources.get(resources.pop()) if len(resources) == 1 else None
    if resource is None or resource.free is None:
        return None
    name, _, callee = resource.free.partition(" ")
    said = in_text(type_)
    if callee:
        part = f"{name.partition('.')[0]}.extractvalue"
        own = part not in builtin_models().ops
        if own or type_.startswith(_POINTER):
            call = f"{name} {callee}({value.name}) : ({said}) -> ()"
            return [call] if not own or same_type(value, made) else None
        if not is_descriptor(type_) or fresh_name is None:
            return None
        address = fresh_name(value)
        read = f"{address} = {part} {value.name}[0] : {said}"
        return [read, f"{name} {callee}({address}) : ({_POINTER}) -> ()"]
    if not type_.startswith(("memref", "!")):
        return None
    if name in builtin_models().ops:  # these take memrefs and nothing else
        return [f"{name} {value.name} : {said}"] if _is_memref(type_, value, origins) else None
    own = takes_no_more(name, models) and fits(value, kinds(made))
    return [f'"{name}"({value.name}) : ({said}) -> ()'] if own else None


def _is_memref(type_: str, value: Value, origins: Collection[Origin]) -> bool:
    """Whether a value is a memref: its type says so, or is an alias (`!t`) for what an allocation that takes no other
    type gives."""
    made = any(one.value is value and one.kind is OriginKind.ALLOCATION for one in origins)
    return type_.startswith("memref") or (made and _ALIAS.fullmatch(type_) is not None)


def _resources(symbols: Iterable[str], models: Models) -> Iterator[str]:
    """The kinds of memory that functions of these names make or give back."""
    for model in (models.functions.get(symbol) for symbol in symbols):
        if model is not None:
            yield from (effect.resource for effect in (*model.alloc, *model.free))


def _lowered(name: str, models: Models, known: Collection[str]) -> str:
    """What a kind of memory has become by lowering, of those that are known; itself where none is."""
    resource = models.resources.get(name)
    return next((other for other in resource.lowered if other in known), name) if resource is not None else name


def allocates(symbol: str | None, models: Models) -> bool:
    """Whether a function of this name, defined elsewhere, makes buffers."""
    model = models.functions.get(symbol) if symbol is not None else None
    return model is not None and bool(model.alloc)


def name(lines: list[str] | None) -> str | None:
    """The name of the operation that frees in the lines of `free`."""
    return lines[-1].split("(")[0].split()[0].strip('"') if lines is not None else None


def called(lines: list[str]) -> tuple[str, str] | None:
    """The name of the function that the lines of `free` call, and the type it takes; None: they call none."""
    found = re.search(r"@([\w$.-]+)\(.*\) : \((.*)\) -> \(\)$", lines[-1])
    return (found[1], found[2]) if found is not None else None


def free_if(value: Value, origins: Iterable[Origin], models: Models) -> str | None:
    """The start of the statement that frees `value` under a flag of its own; None: there is no such operation."""
    resources = {origin.resource for origin in origins}
    resource = models.resources.get(resources.pop()) if len(resources) == 1 else None
    if resource is None or resource.free_if is None or not (value.type or "").startswith("memref"):
        return None
    return f"{resource.free_if} ({value.name} : {in_text(value.type)}) if"


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


def under(tree: Tree, lines: list[str]) -> list[str]:
    """The lines that execute `lines` on the paths that `tree` selects."""
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return lines if tree.act else []
    then = [STEP + line for line in under(tree.then, lines)]
    other = [STEP + line for line in under(tree.otherwise, lines)]
    if not other:
        return [f"scf.if {tree.flag.name} {{", *then, "}"]
    return [f"scf.if {tree.flag.name} {{", *then, "} else {", *other, "}"]


def conditional(tree: Tree, lines: list[str], block: Block, models: Models, label: Callable[[], str]) -> list[str]:
    """The lines that execute `lines` in `block` on the paths that `tree` selects.

    In functions of a dialect with its own branches these are blocks, and what follows is in the last of them.

    Args:
        label: makes the name of a block that is not taken.
    """
    dialect = _dialect(block)
    if tree.flag is None or models.of(f"{dialect}.cond_br") is None:
        return under(tree, lines)
    rest = label()
    return [*_blocks(tree, lines, dialect, rest, label), f"{rest}:"]


def _blocks(tree: Tree, freeing: list[str], dialect: str, rest: str, label: Callable[[], str]) -> list[str]:
    """The lines that execute `freeing` on the paths that `tree` selects, and then go to the block `rest`."""
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return [*freeing, f"{dialect}.br {rest}"]
    then, other = (rest if branch == NEVER else label() for branch in (tree.then, tree.otherwise))
    lines = [f"{dialect}.cond_br {tree.flag.name}, {then}, {other}"]
    for target, inner in ((then, tree.then), (other, tree.otherwise)):
        if target != rest:
            lines += [f"{target}:", *_blocks(inner, freeing, dialect, rest, label)]
    return lines


def branch(target: str, last: Op, models: Models) -> str:
    """The statement that goes to a block, given with its operands, in the dialect of `last`, which has gone there."""
    dialect = last.name.partition(".")[0]
    return f"{dialect if models.of(f'{dialect}.br') is not None else 'cf'}.br {target}"
