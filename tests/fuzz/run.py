"""One input to one target, within its budget: what the tests and the command have in common."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import incremental_edits, messages, typed_sessions
from tests.fuzz.budget import allowed, bounded
from tests.fuzz.inputs import KINDS, text
from tests.fuzz.mutate import mutated_tokens
from tests.fuzz.targets import TARGETS, configuration

ROOT = Path(__file__).resolve().parents[2]
EDITS = 50
"""Edits of one job."""
CHANGES = 15
"""Changes of one session."""
OTHER_SECONDS = 120.0
"""Processor time that a job may take whose input is no single text."""


class Job(NamedTuple):
    """An input: number `number` of kind `kind` of the run `seed`, and what it is given to."""

    target: str
    kind: str
    seed: int
    number: int

    def text(self) -> str:
        """The input, where it is one text."""
        return text(self.kind, self.seed, self.number) if self.kind in KINDS else ""

    def __str__(self) -> str:
        return " ".join(map(str, self))


def _configuration(job: Job) -> None:
    choose = random.Random(str(job))
    files = [path for folder in ("analysis/memlane/dialects", "examples") for path in (ROOT / folder).glob("*.toml")]
    texts = [path.read_text(encoding="utf-8")[:4000] for path in sorted(files)] + [SETTINGS]
    with tempfile.TemporaryDirectory() as folder:
        configuration(mutated_tokens(choose, choose.choice(texts), choose.choice(texts)), Path(folder))


SETTINGS = """\
extend = "../other.toml"
select = ["leak", "late-free"]
ignore = ["possible-leak"]
models = ["a.toml", "/dev/null"]
[severity]
leak = "warning"
[assume]
dynamic-size = 4
[op."npu.alloc"]
alloc = [{ result = 0, resource = "npu" }]
"""

OTHERS: Mapping[str, tuple[Sequence[str], Callable[[Job], object]]] = {
    "configuration": (("toml",), _configuration),
    "messages": (tuple(messages.WAYS), lambda job: messages.WAYS[job.kind](random.Random(str(job)))),
    "edits": (("typed",), lambda job: incremental_edits.type_on(job.seed * 1_000 + job.number, EDITS)),
    "inner-edits": (("typed",), lambda job: incremental_edits.type_inside(job.seed * 1_000 + job.number, EDITS)),
    "readings": (("typed",), lambda job: incremental_edits.type_on(job.seed * 1_000 + job.number, 4 * EDITS, False)),
    "sessions": (("typed",), lambda job: typed_sessions.converse(job.seed * 1_000 + job.number, CHANGES)),
}
"""Targets whose input is no single program: the kinds of input, and what is done."""


def jobs(seed: int, count: int, targets: Sequence[str]) -> Iterator[Job]:
    """`count` inputs of each kind for each target."""
    for number in range(count):
        for target in targets:
            for kind in KINDS if target in TARGETS else OTHERS[target][0]:
                yield Job(target, kind, seed, number)


def do(job: Job) -> None:
    """Give the input to the target. Raises whatever is wrong, `TooSlow` when its time is up."""
    if job.target in TARGETS:
        source = job.text()
        with bounded(allowed(job.target, source)):
            TARGETS[job.target](source)
    else:
        with bounded(OTHER_SECONDS):
            OTHERS[job.target][1](job)
