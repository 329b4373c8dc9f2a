"""Literate tests: `.mlir` files that say in comments what is to be found in them, as MLIR's own tests do.

    // expected-warning @below {{never freed}}
    %a = memref.alloc() : memref<4xf32>
    memref.dealloc %b : memref<4xf32>  // expected-error [double-free] {{freed twice}}

The level is `error`, `warning`, `remark` (information and hints) or `note`; the place is the comment's line if
nothing else is said (`@below`, `@above`, `@+2`, `@-1`); a rule's name in brackets is optional; the text is a part
of the message. All findings must be expected and all that is expected must be found. A file that expects a note
must expect all of them. A file that expects nothing says `// expected-nothing`. `// config: KEY=VALUE` sets
something for the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.checking import check
from memlane.config import load_config
from memlane.findings import Severity

EXPECTED = re.compile(
    r"""expected-(?P<level>error|warning|remark|note)
        \s* (?P<place>@below|@above|@[+-]\d+)?
        \s* (?:\[(?P<rule>[a-z-]+)\])?
        \s* \{\{(?P<text>.+?)\}\}""",
    re.VERBOSE,
)
NOTHING = re.compile(r"expected-nothing\s*$")
CONFIG = re.compile(r"^// config: (.+)$", re.MULTILINE)
LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "remark",
    Severity.HINT: "remark",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a comment says. `line` is 0-based; `rule` is "" where the comment names none."""

    level: str
    line: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A finding or a note, in the same terms. `line` is 0-based."""

    level: str
    line: int
    rule: str
    text: str

    def fits(self, expected: Expected) -> bool:
        """Whether this is what was expected."""
        return (
            (self.level, self.line) == (expected.level, expected.line)
            and expected.rule in ("", self.rule)
            and expected.text in self.text
        )


def mismatches(source: str) -> list[str]:
    """What is wrong between the comments of `source` and what is found in it; nothing if they agree."""
    wrong, expected, nothing = _read(source)
    if not expected and not nothing:
        wrong.append("expects nothing and does not say so with `// expected-nothing`")
    if expected and nothing:
        wrong.append("says `// expected-nothing` and expects something")
    found = list(_found(source, notes=any(one.level == "note" for one in expected)))
    for one in expected:
        fitting = next((candidate for candidate in found if candidate.fits(one)), None)
        if fitting is None:
            rule = f" [{one.rule}]" if one.rule else ""
            wrong.append(f"line {one.line + 1}: not found: {one.level}{rule} {{{{{one.text}}}}}")
        else:
            found.remove(fitting)
    wrong += [f"line {one.line + 1}: not expected: {one.level} [{one.rule}] {one.text}" for one in found]
    return wrong


def _read(source: str) -> tuple[list[str], list[Expected], bool]:
    """Malformed comments, the expectations, and whether the file says that there are none."""
    wrong: list[str] = []
    expected: list[Expected] = []
    nothing = False
    for number, line in enumerate(re.split(r"\r\n|\n|\r", source)):
        comment = line.partition("//")[2]
        matches = list(EXPECTED.finditer(comment))
        nothing = nothing or NOTHING.search(comment) is not None
        if comment.count("expected-") != len(matches) + len(NOTHING.findall(comment)):
            wrong.append(f"line {number + 1}: malformed: {comment.strip()}")
        expected += [Expected(m["level"], number + _lines(m["place"]), m["rule"] or "", m["text"]) for m in matches]
    return wrong, expected, nothing


def _lines(place: str | None) -> int:
    words = {None: 0, "@below": 1, "@above": -1}
    return words[place] if place in words else int(str(place)[1:])


def _found(source: str, notes: bool) -> Iterator[Found]:
    config, problems = load_config(None, CONFIG.findall(source))
    assert not problems, [str(problem) for problem in problems]
    checked = check(source, config)
    for finding in checked.findings:
        report = finding.report
        line = checked.text.position(report.span.start).line
        yield Found(LEVELS[finding.severity], line, finding.rule.name, report.message)
        if notes:
            for note in report.notes:
                yield Found("note", checked.text.position(note.span.start).line, finding.rule.name, note.message)
