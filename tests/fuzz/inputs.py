"""The inputs of a run: number `n` of seed `s` is always the same, on every machine that has the same seeds."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tests.fuzz.mutate import mutated_bytes, mutated_tokens, spliced
from tests.fuzz.programs import program
from tests.fuzz.seeds import seed
from tests.paths.agreement import as_variables
from tests.paths.programs import program as executable


def _bytes(choose: random.Random) -> str:
    data = mutated_bytes(choose, seed(choose).encode("utf-8", "surrogatepass"))
    return data.decode("utf-8", choose.choice(("replace", "surrogateescape")))


def _tokens(choose: random.Random) -> str:
    return mutated_tokens(choose, seed(choose), seed(choose))


def _splices(choose: random.Random) -> str:
    return spliced(choose, [seed(choose) for _ in range(choose.randint(2, 4))])


def _programs(choose: random.Random) -> str:
    return program(choose, choose.choice((4, 8, 14)))


def _half_programs(choose: random.Random) -> str:
    return mutated_tokens(choose, program(choose), seed(choose))


def _variables(choose: random.Random) -> str:
    return as_variables(executable(choose.randrange(100_000))[0])


def _half_variables(choose: random.Random) -> str:
    return mutated_tokens(choose, _variables(choose), seed(choose))


KINDS: Mapping[str, Callable[[random.Random], str]] = {
    "bytes": _bytes,
    "tokens": _tokens,
    "splices": _splices,
    "programs": _programs,
    "half-programs": _half_programs,
    "variables": _variables,
    "half-variables": _half_variables,
}
"""The ways to make a text."""


def text(kind: str, run: int, number: int) -> str:
    """Input `number` of a run. `run`: the seed of the run."""
    return KINDS[kind](random.Random(f"{kind} {run} {number}"))
