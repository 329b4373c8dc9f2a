"""Values on which it depends where control goes: which, and which of them it depends on more than once."""

from __future__ import annotations

from collections.abc import Set

from memlane.syntax.tree.tree import Value


class Decisions:
    """See the module.

    Attributes:
        shared: what more than one decision depends on, or one that is made again while it is the same.
    """

    def __init__(self) -> None:
        self.shared: set[Value] = set()
        self._some: set[Value] = set()
        self._many: frozenset[Value] = frozenset()

    def add(self, leaf: Value, twice: bool = False) -> bool:
        """One decision more depends on a value, or two do. Gives whether it is the first one."""
        first = leaf not in self._some and leaf not in self._many
        (self._some if first else self.shared).add(leaf)
        if twice:
            self.shared.add(leaf)
        return first

    def add_all(self, leaves: frozenset[Value], again: bool) -> None:
        """One decision more depends on each of many values, or, `again`, more than one."""
        self.shared |= leaves if again else (leaves & self._some) | (leaves & self._many)
        self._many = self._many | leaves if self._many else leaves

    def all(self, others: Set[Value]) -> Set[Value]:
        """All that decisions depend on, and others."""
        more = (self._some | others) - self._many
        return self._many | more if more else self._many
