"""The paths on which places to free buffers are looked for, from those that tell least to all there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from memlane.fixes.movable import movable
from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.peak.exploded_liveness import Lift, Lives
from memlane.flow.peak.exploded_paths import ExplodedPaths, Many
from memlane.syntax.tree.tree import Op


def followed(follow: Callable[..., Lives], counted: bool, flags: bool) -> Iterator[Lives]:
    """The explored paths, first without distinguishing flags, then with all of them.

    Where there are too many, decisions are free choices: what is right on all ways there would be then is right on
    those there are. Raises `BudgetExceeded`.
    """
    for facts in (True,) if flags else (False, True):
        told = partial(follow, facts=facts, counted=counted)
        lives: Lives | None = None
        try:
            for lives in few_first(told):
                yield lives
        except BudgetExceeded:
            if not facts:
                with suppress(BudgetExceeded):
                    yield follow(facts=True, counted=counted, last=True)
            yield follow(plain=True)
            return
        if lives is not None and lives.paths.all_facts():
            return


class ClusterPaths:
    """The paths of one cluster without the deallocations that may be moved. They are explored once for each set of
    options: which operations count as uses does not change the paths.

    Args:
        program, flow, cluster: what to follow.

    Attributes:
        program, flow, cluster: as given.
        taken_out: the deallocations that are not there.
    """

    def __init__(self, program: Program, flow: FunctionFlow, cluster: Cluster) -> None:
        self.program, self.flow, self.cluster = program, flow, cluster
        self.taken_out = movable(program, flow, cluster)
        self._found: dict[frozenset[tuple[str, Any]], ExplodedPaths | type[BudgetExceeded]] = {}

    def lives(
        self,
        uses: frozenset[Op] = frozenset(),
        lift: Lift = Lift.NOTHING_TAKEN,
        handed: bool = True,
        **options: Any,
    ) -> Lives:
        """What is used ahead on paths.

        Args:
            uses, lift, handed: see `Lives`.
            options: see `ExplodedPaths`.

        Raises:
            BudgetExceeded: there are too many paths.
        """
        key = frozenset(options.items())
        if key not in self._found:
            try:
                self._found[key] = ExplodedPaths(self.program, self.flow, self.cluster, self.taken_out, **options)
            except BudgetExceeded as error:
                self._found[key] = type(error)
        found = self._found[key]
        if isinstance(found, type):
            raise found
        return Lives(found, uses & self.taken_out, lift, handed)

    def forget(self) -> None:
        """Drop the explored paths; which options give too many stays known."""
        self._found = {key: found for key, found in self._found.items() if isinstance(found, type)}


def few_first(follow: Callable[..., Lives]) -> Iterator[Lives]:
    """The paths. Where there are many, before that those that forget more: what is settled there is settled."""
    try:
        lives = follow(few=True)
    except Many:
        with suppress(BudgetExceeded):
            yield follow(last=True)
        lives = _all(follow)
    yield lives


def _all(follow: Callable[..., Lives]) -> Lives:
    """All paths; where these are too many, those that do not tell apart what the names of choices stand for."""
    try:
        return follow()
    except BudgetExceeded:
        return follow(chosen=True)
