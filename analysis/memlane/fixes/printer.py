"""How deallocations, conditions and branches are written: the free op that belongs to each buffer's resource."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from weakref import WeakKeyDictionary

from memlane.dialects import builtin_models
from memlane.dialects.model import Models
from memlane.fixes.custom_free import fits, in_text, kinds, same_type, takes_no_more, written_type
from memlane.fixes.decision_tree import ALWAYS, NEVER, Branching, DecisionTree
from memlane.fixes.edit_writer import STEP
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.symbolic.types import is_descriptor
from memlane.lazy import regex
from memlane.syntax.tree.tree import Block, Op, Value
from memlane.text import Text

_POINTER = "!llvm.ptr"
ASKS = regex(r"^[ \t]*(?:scf\.if %| else \{)", re.MULTILINE)
"""The head of a condition, or of what is to be done where one does not hold."""
_ALIAS = regex(r"![A-Za-z_][\w$]*")
"""The name of a type that the file defines: types of dialects have a dot."""


def derived(name: str, suffix: str) -> str:
    """A name made of another: `%a_owned`; of a number, which takes no suffix, and of a part of a pack: `%owned`."""
    stem = re.sub(r"\W", "_", name[1:])
    return f"%{suffix}" if stem[:1].isdigit() else f"%{stem}_{suffix}"


_NAME = regex(r"%[\w$.-]+")
_present: WeakKeyDictionary[Text, frozenset[str]] = WeakKeyDictionary()
"""What `names_in` found in each text, as each fix of a text asks again."""


class TakenNames:
    """The names of values that a text has, those in comments and strings included, and those that are added to it."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._added: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._added or name in self._of_text()

    def add(self, name: str) -> None:
        """Take a name."""
        self._added.add(name)

    def _of_text(self) -> frozenset[str]:
        return names_in(self._text)


def names_in(text: Text) -> frozenset[str]:
    """The names of values in a text, those in comments and strings included."""
    found = _present.get(text)
    if found is None:
        found = _present[text] = frozenset(_NAME.findall(text.source))
    return found


def fresh(name: str, used: TakenNames | set[str]) -> str:
    """`name`, or one made of it that is not among `used`, to which it is added."""
    found, number = name, 0
    while found in used:
        found, number = f"{name}_{number}", number + 1
    used.add(found)
    return found


def dialect(block: Block | None) -> str:
    """The dialect of the operation around a block."""
    return block.region.op.name.partition(".")[0] if block is not None else ""


def free(
    value: Value,
    origins: Iterable[Origin],
    models: Models,
    fresh_name: Callable[[Value], str] | None = None,
    symbols: Callable[[], Iterable[str]] = tuple,
) -> list[str] | None:
    """The lines that free `value`, which is one of the buffers of `origins`; None: no known operation does.

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


def flagged(tree: DecisionTree, start: str, plain: list[str], inverted: Callable[[Value], str]) -> list[str]:
    """The lines that free on the paths that `tree` selects, by an operation with a flag (`free_if`).

    Args:
        start: of the statement with that operation.
        plain: the lines that free on all paths.
        inverted: gives the name of what is true where a flag is false.
    """
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return plain if tree.act else []
    if (tree.then, tree.otherwise) == (ALWAYS, NEVER):
        return [f"{start} ({tree.flag.name})"]
    if (tree.then, tree.otherwise) == (NEVER, ALWAYS):
        return [f"{start} ({inverted(tree.flag)})"]
    then, other = (flagged(one, start, plain, inverted) for one in (tree.then, tree.otherwise))
    return _if(tree.flag, then, other, inverted)


def under(branching: Branching, inverted: Callable[[Value], str]) -> list[str]:
    """The lines that do what `branching` says; `inverted`: gives the name of what is true where a flag is false."""
    lines = list(branching.lines)
    for flag, then, otherwise in branching.splits:
        lines += _if(flag, under(then, inverted), under(otherwise, inverted), inverted)
    return lines


def _if(flag: Value, then: list[str], otherwise: list[str], inverted: Callable[[Value], str]) -> list[str]:
    """A condition around lines, of which at least one side has some."""
    if not then:
        return [f"scf.if {inverted(flag)} {{", *(STEP + line for line in otherwise), "}"]
    middle = ["} else {", *(STEP + line for line in otherwise)] if otherwise else []
    return [f"scf.if {flag.name} {{", *(STEP + line for line in then), *middle, "}"]


def branches(block: Block, models: Models) -> bool:
    """Whether the function around a block is of a dialect with its own branches: then conditions are blocks."""
    return models.of(f"{dialect(block)}.cond_br") is not None


def blocks(branching: Branching, block: Block, label: Callable[[], str]) -> list[str]:
    """The lines that do in `block` what `branching` says, where conditions are blocks: what follows is in the last.

    Args:
        label: makes the name of a block that is not taken.
    """
    if not branching.splits:
        return list(branching.lines)
    rest = label()
    return [*_blocks(branching, dialect(block), rest, label), f"{rest}:"]


def _blocks(branching: Branching, own: str, rest: str, label: Callable[[], str]) -> list[str]:
    """The lines that do what `branching` says, and then go to the block `rest`."""
    if not branching.splits:
        return [*branching.lines, f"{own}.br {rest}"]
    lines = list(branching.lines)
    for number, (flag, then, otherwise) in enumerate(branching.splits, 1):
        after = label() if number < len(branching.splits) else rest
        sides = [(label() if side else after, side) for side in (then, otherwise)]
        lines.append(f"{own}.cond_br {flag.name}, {', '.join(target for target, _ in sides)}")
        for target, side in sides:
            lines += [f"{target}:", *_blocks(side, own, after, label)] if side else []
        lines += [f"{after}:"] if after != rest else []
    return lines


def branch(target: str, last: Op, models: Models) -> str:
    """The statement that goes to a block, given with its operands, in the dialect of `last`, which has gone there."""
    own = last.name.partition(".")[0]
    return f"{own if models.of(f'{own}.br') is not None else 'cf'}.br {target}"
