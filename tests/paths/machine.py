"""Executions of a program on every path, and what they show about each of its lines.

A program is a function from a `Run` to nothing. Where it has to know what nobody knows, it asks the run to choose;
`truth` repeats it until every choice was tried. Lines are 1-based.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

KINDS = ("leak", "double-free", "use-after-free", "argument-free")
STEPS = 400
PATHS = 3000


class TooLong(Exception):
    """A run that says nothing about what comes after it."""


@dataclass(slots=True, eq=False)
class Memory:
    """What one execution of an allocation gave. `owner`: the line that last took it over, its own or a call."""

    site: int
    owner: int
    argument: bool = False
    freed: bool = False
    returned: bool = False


@dataclass(slots=True)
class Run:
    """One execution. `script`: the first choices; after them the first option is taken."""

    script: list[int]
    taken: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    memory: list[Memory] = field(default_factory=list[Memory])
    reached: set[int] = field(default_factory=set[int])
    wrong: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    _known: dict[str, int] = field(default_factory=dict[str, int])
    _steps: int = 0

    def choose(self, name: str | None, options: int) -> int:
        """The value of `name`, always the same in a run; None: of something that has a new value each time."""
        if name is not None and name in self._known:
            return self._known[name]
        at = len(self.taken)
        choice = self.script[at] if at < len(self.script) else 0
        self.taken.append((choice, options))
        if name is not None:
            self._known[name] = choice
        return choice

    def reach(self, line: int) -> None:
        """An operation is executed. Raises `TooLong`."""
        self._steps += 1
        if self._steps > STEPS:
            raise TooLong
        self.reached.add(line)

    def make(self, site: int, owner: int) -> Memory:
        """Memory is allocated."""
        self.memory.append(made := Memory(site, owner))
        return made

    def use(self, memory: Memory, line: int) -> None:
        """Memory is read, written or handed out."""
        if memory.freed:
            self.wrong.add(("use-after-free", line))

    def free(self, memory: Memory, line: int) -> None:
        """Memory is freed."""
        if memory.argument:
            self.wrong.add(("argument-free", line))
        if memory.freed:
            self.wrong.add(("double-free", line))
        memory.freed = True

    def leaks(self) -> dict[int, bool]:
        """For each line that owned memory at the end or before: whether it lost some."""
        lost: dict[int, bool] = defaultdict(bool)
        for memory in self.memory:
            for line in {memory.site, memory.owner}:
                lost[line] |= not (memory.freed or memory.returned)
        return lost


@dataclass(frozen=True, slots=True)
class Truth:
    """What all runs show.

    Args:
        grades: by kind and line, True where it happened in every run that reached the line, False where in some.
        reached: the lines that some run reached.
        exhaustive: whether these were all runs; otherwise what is not in `grades` was only not seen.
    """

    grades: dict[tuple[str, int], bool]
    reached: frozenset[int]
    exhaustive: bool


def truth(program: Callable[[Run], None]) -> Truth:
    """What the executions of `program` show. Runs that take too long do not count."""
    happened = Counter[tuple[str, int]]()
    chances = Counter[tuple[str, int]]()
    reached: set[int] = set()
    exhaustive = True
    for run, ended in _runs(program):
        exhaustive &= ended
        if not ended:
            continue
        reached |= run.reached
        for line in run.reached:
            chances.update((kind, line) for kind in KINDS if kind != "leak")
        happened.update(run.wrong)
        for line, lost in run.leaks().items():
            chances["leak", line] += 1
            happened["leak", line] += lost
    grades = {key: count == chances[key] for key, count in happened.items() if count}
    return Truth(grades, frozenset(reached), exhaustive)


def _runs(program: Callable[[Run], None]) -> Iterator[tuple[Run, bool]]:
    """Each run, and whether it came to its end. The last of too many counts as one that did not."""
    script: list[int] = []
    for number in range(PATHS):
        run = Run(script)
        try:
            program(run)
            yield run, number < PATHS - 1
        except TooLong:
            yield run, False
        left = run.taken
        while left and left[-1][0] + 1 == left[-1][1]:
            left.pop()
        if not left:
            return
        script = [choice for choice, _ in left[:-1]] + [left[-1][0] + 1]
