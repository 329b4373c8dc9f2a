"""IRDL to declarations: the operations of `irdl.dialect` definitions in an MLIR text.

IRDL names operands and results, says which are variadic and constrains their types. It has no words for effects,
views or control flow, so all of those are guessed from the types: an operand or result that may be a memref or a
type of the dialect itself may be a buffer.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects.declared import Declared, Variable
from memlane.lazy import regex
from memlane.syntax import parse
from memlane.syntax.tree.tree import Op, Tree

_WITH_NAME = regex(r"(?:(?P<name>[\w$.]+)\s*:\s*)?(?P<many>optional|variadic|single)?\s*(?P<value>%[\w$.-]+)")
_LISTED = regex(r"[\w$.]+")
_BUFFER_TYPE = regex(r"memref|!ptr|!llvm\.ptr")
_ALTERNATIVES = ("irdl.any_of", "irdl.all_of")


def is_irdl(text: str) -> bool:
    """Whether an MLIR text defines dialects."""
    return "irdl.dialect" in text


def operations(text: str) -> Iterator[Declared]:
    """The operations of all dialects that `text` defines, in text order."""
    tree: Tree = parse(text)
    for dialect in tree.walk():
        if dialect.name == "irdl.dialect":
            for op in _inside(dialect):
                if op.name == "irdl.operation":
                    yield _operation(text, _symbol(dialect), op)


def _operation(text: str, dialect: str, op: Op) -> Declared:
    parts = {part.name: part for part in _inside(op)}
    operands = tuple(_variables(text, parts.get("irdl.operands"), "operand"))
    results = tuple(_variables(text, parts.get("irdl.results"), "result"))
    regions = parts.get("irdl.regions")
    several = sum(one.many for one in operands) > 1
    return Declared(
        name=f"{dialect}.{_symbol(op)}",
        operands=operands,
        results=results,
        regions=len(regions.operands) if regions else 0,
        traits=frozenset({"AttrSizedOperandSegments"}) if several else frozenset(),
        loose_effects=frozenset({"read", "write"}),
        guessed=any(one.buffer for one in (*operands, *results)),
    )


def _variables(text: str, op: Op | None, kind: str) -> Iterator[Variable]:
    if op is None:
        return
    names = _LISTED.findall(op.attributes.get("names", ""))
    kinds = list(_LISTED.findall(op.attributes.get("variadicity", "").partition("[")[2]))
    custom = list(_WITH_NAME.finditer(text, op.name_span.end, op.span.end))
    for index, use in enumerate(op.operands):
        written = custom[index] if index < len(custom) else None
        name = names[index] if index < len(names) else (written and written["name"]) or f"{kind}{index}"
        many = kinds[index] if index < len(kinds) else (written and written["many"]) or "single"
        definer = use.value.op if use.value else None
        yield Variable(name, many=many != "single", buffer=definer is None or _may_be_buffer(text, definer))


def _may_be_buffer(text: str, constraint: Op) -> bool:
    """Whether a type that fulfils `constraint` may be a buffer."""
    todo, seen = [constraint], set[Op]()
    while todo:
        op = todo.pop()
        if op in seen:
            continue
        seen.add(op)
        of_dialect = op.name in ("irdl.base", "irdl.parametric") and "@" in text[op.name_span.end : op.span.end]
        if op.name == "irdl.any" or of_dialect:
            return True
        if op.name in _ALTERNATIVES:
            todo.extend(use.value.op for use in op.operands if use.value and use.value.op)
        elif _BUFFER_TYPE.search(text, op.name_span.end, op.span.end):
            return True
    return False


def _inside(op: Op) -> Iterator[Op]:
    return (inner for region in op.regions for block in region.blocks for inner in block.ops)


def _symbol(op: Op) -> str:
    return op.symbol or op.attributes.get("sym_name", "").strip('"')
