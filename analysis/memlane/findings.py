"""What an analysis says: frozen values that speak in offsets, never in lines or LSP types.

A rule yields `Report`s about one function; `check.py` joins each with its `Rule`, the severity that the
configuration gives it and its function, and the result is a `Finding`. Renderers and the server turn
findings into text, JSON or LSP diagnostics; nothing here knows of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of the source: offsets in code points, `start` inclusive, `end` exclusive."""

    start: int
    end: int


class Severity(Enum):
    """How bad a finding is (design.md section 4). Ordered: ERROR is the most severe."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    OFF = "off"


class Certainty(Enum):
    """Whether a finding holds on every path that reaches its place, or only on some."""

    ALWAYS = "always"
    SOME = "some"


class Applicability(Enum):
    """SAFE keeps the meaning for every execution by the models in use; UNSAFE may change it, and needs a review."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Rule:
    """The declaration of a rule. Its page is the docstring of the module that declares it.

    Args:
        name: kebab-case, never reused.
        severity: what it is reported as when nothing else is configured.
        summary: one line, as in the list of rules.
        unnecessary: the finding is waste that harms nothing (LSP tag `Unnecessary`).
        once: of findings with the same message only the first of a module is shown.
        fixes: the best grade that its fixes have; None: it has none.
        holds: what it finds is memory that is held longer than it has to be.
    """

    name: str
    severity: Severity
    summary: str
    unnecessary: bool = False
    once: bool = False
    fixes: Applicability | None = None
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A further place that explains a finding: one step of the path alloc -> free -> use."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`. The edits of one fix do not overlap."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Addition:
    """Text to put at the end of another file.

    Args:
        file: the configuration file to add to; None: a new one, called `name`, is to be made.
        name: what a new file is called.
        content: whole lines, the first of them empty.
        table: the header of the table that the lines are keys of: they go into it where the file has it, in place of
            the same keys there.
    """

    file: Path | None
    name: str
    content: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: edits that apply together, to the version of the text they were made for.

    Args:
        reason: why an unsafe fix needs a person's look; "" for a safe one.
        additions: what goes to other files, besides or instead. Only editors apply such fixes.
    """

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability
    reason: str = ""
    additions: tuple[Addition, ...] = ()

    @property
    def title(self) -> str:
        """What it does, and why it needs a look if it does."""
        return f"{self.message} (unsafe: {self.reason})" if self.reason else self.message


@dataclass(frozen=True, slots=True)
class Buffer:
    """The buffer a finding is about.

    Args:
        name: the SSA name of its first value, with `%`.
        span: where that name is defined.
        size: bytes where the type says them.
        expression: the size as text where it is dynamic (`4*%n*5`); None where it is unknown.
    """

    name: str
    span: Span
    size: int | None = None
    expression: str | None = None


@dataclass(frozen=True, slots=True)
class Late:
    """How late a deallocation is.

    Args:
        after: the op (its name token) after which it could stand; None: at the start of a block, or in several places.
        operations: the fewest between that and the deallocation on any path, constants and deallocations apart.
        before: of each place where the buffer could be freed instead the op (its name token) that follows.
    """

    after: Span | None
    operations: int
    before: tuple[Span, ...] = ()


def gathered(notes: Iterable[Note]) -> Iterator[Note]:
    """The notes; a step that is made again and again, as around a loop, becomes one that says how often."""
    for note, same in groupby(notes):
        times = sum(1 for _ in same)
        yield note if times == 1 else replace(note, message=f"{note.message} ({times} times)")


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule found at one place.

    Args:
        span: the place: the op's name token for rules about memory.
        severity: only where it differs from its rule's.
        doubt: the name of an op with regions that no description explains, on which this rests, or "". Such a report is
            never more than a hint, and nothing is repaired for it.
        unfixed: why there is no fix, or none that was wanted, where fixes were looked for; else "".
    """

    message: str
    span: Span
    certainty: Certainty = Certainty.ALWAYS
    buffer: Buffer | None = None
    notes: tuple[Note, ...] = ()
    late: Late | None = None
    fix: Fix | None = None
    severity: Severity | None = None
    doubt: str = ""
    unfixed: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A report, its rule, and the severity it has here. `function` is the symbol without `@`, or None."""

    rule: Rule
    severity: Severity
    report: Report
    function: str | None


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that a comment in the text silences, and the reason that the comment gives, if any."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Saving:
    """What a function could save.

    Args:
        function: its name.
        peak, ideal: bytes that live at once, and that would if each buffer lived from its first use to its last.
        fixable: each finding about its memory is a late deallocation with a place where it could stand.
        moves: that would leave the peak far from the ideal, for which allocations have to move as well.
    """

    function: str
    peak: int
    ideal: int
    fixable: bool
    moves: bool = False

    @property
    def factor(self) -> float:
        """The peak as a multiple of the ideal."""
        return self.peak / self.ideal if self.ideal else float("inf")


class Savings(NamedTuple):
    """Those of a text, largest first, and how many functions with such findings were not measured."""

    found: tuple[Saving, ...] = ()
    unmeasured: int = 0

    def of(self, findings: Sequence[Finding]) -> Savings:
        """Those of functions with some of `findings`."""
        functions = {one.function for one in findings if one.rule.holds}
        found = tuple(one for one in self.found if one.function in functions)
        return Savings(found, min(self.unmeasured, len(functions) - len(found)))


NO_SAVINGS = Savings()
