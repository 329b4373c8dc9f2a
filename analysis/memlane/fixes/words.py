"""How deallocations, conditions and branches are written: the free op that belongs to each buffer's resource."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.dialects import builtin_models
from memlane.dialects.model import Models
from memlane.fixes.choice import Tree
from memlane.fixes.writing import STEP
from memlane.flow.alias import Origin
from memlane.syntax.tree import Value


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
    if name in builtin_models().ops:
        return f"{name} {value.name} : {value.type}"
    return f'"{name}"({value.name}) : ({value.type}) -> ()'


def under(tree: Tree, statement: str) -> list[str]:
    """The lines that execute `statement` on the paths that `tree` selects."""
    if tree.flag is None or tree.then is None or tree.otherwise is None:
        return [statement] if tree.act else []
    then = [STEP + line for line in under(tree.then, statement)]
    other = [STEP + line for line in under(tree.otherwise, statement)]
    if not other:
        return [f"scf.if {tree.flag.name} {{", *then, "}"]
    return [f"scf.if {tree.flag.name} {{", *then, "} else {", *other, "}"]


def branch(target: str) -> str:
    """The statement that goes to a block, given with its operands."""
    return f"cf.br {target}"
