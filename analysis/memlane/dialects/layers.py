"""Models on top of models: what a configuration file describes, over what ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from memlane.dialects.load import Described
from memlane.dialects.model import Models

V = TypeVar("V")


class Layered(Mapping[str, V]):
    """`over`, and `base` where it has no entry. `base` is not read before it is needed."""

    __slots__ = ("base", "over")

    def __init__(self, base: Mapping[str, V], over: Mapping[str, V]) -> None:
        self.base = base
        self.over = over

    def __getitem__(self, key: str) -> V:
        return self.over[key] if key in self.over else self.base[key]

    def __iter__(self) -> Iterator[str]:
        yield from self.over
        yield from (key for key in self.base if key not in self.over)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        """Equal over the same base: comparing configurations must not load every dialect."""
        if not isinstance(other, Layered):
            return NotImplemented
        layered = cast("Layered[object]", other)
        return self.base is layered.base and self.over == layered.over

    def __hash__(self) -> int:
        return hash((id(self.base), frozenset(self.over)))


def extended(models: Models, said: Described) -> Models:
    """`models` with what a file says on top: an op, alias, resource or function replaces the one of its name."""
    if said == Described():
        return models
    return replace(
        models,
        ops=_over(models.ops, said.ops),
        aliases={**models.aliases, **said.aliases},
        resources={**models.resources, **said.resources},
        functions=_over(models.functions, said.functions),
        memory=_memory(models.memory, said.memory),
    )


def _memory(
    base: Mapping[str, frozenset[str] | None], over: Mapping[str, frozenset[str] | None]
) -> Mapping[str, frozenset[str] | None]:
    """Which types stand for memory (`Models.memory`): that an operation allocates or frees says nothing of a dialect of
    which they are listed."""
    new = {dialect: names for dialect, names in over.items() if names is not None or dialect not in base}
    return {**base, **new}


def _over(base: Mapping[str, V], over: Mapping[str, V]) -> Mapping[str, V]:
    if isinstance(base, Layered):
        return Layered(base.base, {**base.over, **over})
    return Layered(base, over)
