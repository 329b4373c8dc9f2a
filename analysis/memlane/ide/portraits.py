"""What is known of the functions of one document, for all of its versions: others keep here what they found out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from memlane.config import Config
from memlane.flow.symbolic.assumptions import Assumptions
from memlane.ide.alias_index import Notes
from memlane.ide.function_excerpt import Excerpts
from memlane.ide.limits import MAX_PROFILES
from memlane.syntax.editing.piece import Piece


class Portraits:
    """See the module. May be shared by threads.

    Attributes:
        excerpts: what functions depend on.
        remembered: see per_function_memo.py. `drafts`: see hint_cache.py.
        related: which ops of functions name the same memory.
    """

    def __init__(self) -> None:
        self.excerpts = Excerpts()
        self.remembered: dict[str, dict[object, Any]] = {}
        self.drafts: WeakKeyDictionary[Piece, Any] = WeakKeyDictionary()
        self.related: Notes = Notes()
        self._assumed: tuple[str, Config, Assumptions] | None = None
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        self._config: Config | None = None
        self._lock = Lock()

    def assumed(self, identity: str, config: Config, find: Callable[[], Assumptions]) -> Assumptions:
        """What is assumed in one version: found out once for all that is asked of it."""
        found = self._assumed
        if found is None or found[0] != identity or found[1] is not config:
            found = self._assumed = identity, config, find()
        return found[2]

    @property
    def blank(self) -> bool:
        """Whether no function was measured yet."""
        return not self._known

    def known(self, key: bytes, config: Config) -> tuple[Any] | None:
        """What was kept for a function under its key; None: nothing was."""
        with self._lock:
            if config is not self._config or key not in self._known:
                return None
            self._known.move_to_end(key)
            return (self._known[key],)

    def keep(self, key: bytes, config: Config, found: object) -> None:
        """Remember what was measured."""
        with self._lock:
            if config is not self._config:
                self._known.clear()
                self._config = config
            self._known[key] = found
            while len(self._known) > MAX_PROFILES:
                self._known.popitem(last=False)
