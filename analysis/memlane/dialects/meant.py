"""Names in descriptions that stand for something said elsewhere: whether it is said, once all files are read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from memlane.dialects.catalogue import load_dialect
from memlane.dialects.load import Described
from memlane.dialects.model import Models
from memlane.dialects.problem import DataProblem, unknown
from memlane.dialects.toml_tables import TomlSource

_INNER = ("pointer", "dealloc_helper", "affine", "affine_max", "affine_min")
"""Functions that only what ships computes."""


def unknown_resources(said: Described, models: Models, source: TomlSource) -> Iterator[DataProblem]:
    """Resources that an op allocates from or frees to but no table declares."""
    for kind, ops in (("op", said.ops), ("function", said.functions)):
        for name, op in ops.items():
            for key, effects in (("alloc", op.alloc), ("free", op.free)):
                for effect in effects:
                    if effect.resource not in models.resources:
                        choices = tuple(sorted(models.resources))
                        message = unknown("resource", effect.resource, choices)
                        yield source.made((kind, name, key), f"{message}; declare it as [resource.NAME]", choices)


def misnamed(said: Described, models: Models, source: TomlSource) -> Iterator[DataProblem]:
    """Other names that mean nothing: of functions that compute, of operations that free."""
    for kind, ops in (("op", said.ops), ("function", said.functions)):
        for name, op in ops.items():
            if op.compute is not None and op.compute not in (*_computed(), *_INNER):
                message = unknown("function of arith", op.compute, _computed())
                yield source.made((kind, name, "compute"), message, _computed())
            if kind == "function" and name.startswith("@"):
                yield source.made((kind, name), f'a function is named without "@": [function.{name[1:]}]')
    frees: dict[str, set[str]] = {}
    for one, op in said.ops.items():
        for free in op.free:
            frees.setdefault(free.resource, set()).add(one)
    for name, resource in said.resources.items():
        freeing = tuple(sorted(frees.get(name, ())))
        if resource.free and " " not in resource.free and freeing and models.of(resource.free) is None:
            message = unknown("operation", resource.free, freeing)
            yield source.made(("resource", name, "free"), f"{message}; these free {name!r}", freeing)


@cache
def _computed() -> tuple[str, ...]:
    """The functions of `arith` that are known."""
    return tuple(sorted({op.compute for op in load_dialect("arith").ops.values() if op.compute is not None}))
