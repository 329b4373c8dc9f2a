"""The paths on which places to free buffers are looked for, from those that tell least to all there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.peak.exploded_liveness import Lives, Many


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
        if lives is not None and lives.all_facts():
            return


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
