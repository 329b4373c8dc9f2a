"""Findings against facts measured by execution (`shared/cases`): precision and recall per kind.

A finding is right when a site of its kind with grade `all` or `some` owns its line, and wrong when the site is
`never` in a program all of whose paths were run. Sites that no path reaches decide nothing. A leak may be reported
at the allocation or at the call that took the buffer over; a use inside a function at the call that led there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlane.checking import check
from memlane.findings import Finding, Late
from memlane.text import Text

FOLDER = Path(__file__).parents[3] / "shared" / "cases"

KINDS = ("leak", "double-free", "use-after-free", "invalid-free", "argument-free", "late-free")
GRADES = ("all", "some")


@dataclass(frozen=True, slots=True)
class Site:
    """A place that a fact speaks of: its lines (any of which a finding may own), its grade and its kind."""

    kind: str
    lines: frozenset[int]
    grade: str
    optional: bool = False


@dataclass(slots=True)
class Score:
    """Counts per kind and grade: `found` of `sites`; `right` of `reported`. Misses and false alarms are listed.

    `late_measured` late deallocations were found; those that name another place than measured are listed too.
    """

    sites: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    found: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    reported: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    right: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    missed: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    late_measured: int = 0
    late_elsewhere: list[str] = field(default_factory=list[str])

    def table(self) -> str:
        """The table as text, one line per kind and grade."""
        rows = [f"{'kind':16} {'grade':5} {'recall':>14} {'precision':>14}"]
        for kind in KINDS:
            for grade in GRADES:
                key = kind, grade
                if self.sites[key] or self.reported[key]:
                    recall = _share(self.found[key], self.sites[key])
                    rows.append(f"{kind:16} {grade:5} {recall} {_share(self.right[key], self.reported[key])}")
        return "\n".join(rows)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 100:6.1f}% {part:3}/{whole:<3}"


def programs() -> list[Path]:
    """The programs that have facts, in order."""
    return sorted(path for path in FOLDER.glob("*/*.mlir") if path.with_suffix(".json").exists())


def measure(paths: Iterable[Path]) -> Score:
    """Check each program and compare."""
    score = Score()
    for path in paths:
        facts = json.loads(path.with_suffix(".json").read_text())
        checked = check(path.read_text())
        _compare(path, facts, checked.findings, checked.text, score)
        _compare_late(path, facts, checked.findings, checked.text, score)
    return score


def _compare(path: Path, facts: list[dict[str, Any]], findings: tuple[Finding, ...], text: Text, score: Score) -> None:
    name = f"{path.parent.name}/{path.stem}"
    exhaustive = facts[0]["exhaustive"]
    sites = list(_sites(facts))
    reports = [_reported(finding, text) for finding in findings]
    for kind, line, grade in reports:
        owners = [site for site in sites if site.kind == kind and line in site.lines]
        if kind not in KINDS or any(site.grade == "unreached" or site.optional for site in owners):
            continue
        if not exhaustive and all(site.grade == "never" for site in owners):
            continue
        score.reported[kind, grade] += 1
        if any(site.grade == grade for site in owners):
            score.right[kind, grade] += 1
        else:
            score.wrong.append(f"{name}:{line} {kind} {grade}, truth {[site.grade for site in owners]}")
    for site in sites:
        if site.grade not in GRADES or site.optional:
            continue
        score.sites[site.kind, site.grade] += 1
        if any(k == site.kind and line in site.lines and g == site.grade for k, line, g in reports):
            score.found[site.kind, site.grade] += 1
        else:
            score.missed.append(f"{name}:{sorted(site.lines)} {site.kind} {site.grade}")


def _compare_late(
    path: Path, facts: list[dict[str, Any]], findings: tuple[Finding, ...], text: Text, score: Score
) -> None:
    """Whether a late deallocation names the line after which it could stand, and over how much it is held."""
    late = {text.position(f.report.span.start).line + 1: f.report.late for f in findings if f.report.late is not None}
    for fact in facts:
        found = late.get(fact["line"]) if fact["kind"] == "dealloc" and fact["late"] else None
        if found is None or any(site.optional and site.kind == "late-free" for site in _of_dealloc(fact)):
            continue
        score.late_measured += 1
        least = fact["late"]["ops_between"]
        # Measured was one block: where it dies in another, or in several places, it is held for as long at least.
        if found.operations != least if _is_there(found, fact["late"], text) else found.operations < least:
            where = f"{path.parent.name}/{path.stem}:{fact['line']}"
            score.late_elsewhere.append(f"{where} {found}, {fact['late']}")


def _is_there(late: Late, measured: dict[str, Any], text: Text) -> bool:
    """Whether the one place that is named is the measured one."""
    if len(late.before) != 1:
        return False
    if late.after is None:
        return measured["at_block_start"] and _line(late.before[0].start, text) == measured["before_line"]
    return _line(late.after.start, text) == measured["after_line"]


def _line(offset: int, text: Text) -> int:
    return text.position(offset).line + 1


def _reported(finding: Finding, text: Text) -> tuple[str, int, str]:
    kind = finding.rule.name.removeprefix("possible-")
    grade = "all" if finding.report.certainty.value == "always" else "some"
    return kind, text.position(finding.report.span.start).line + 1, grade


def _sites(facts: list[dict[str, Any]]) -> Iterator[Site]:
    for fact in facts:
        line = fact["line"]
        if fact["kind"] == "alloc":
            for owner in fact["owners"]:
                yield Site("leak", frozenset({owner["line"], line}), owner["leaks"])
            if not fact["owners"]:
                yield Site("leak", frozenset({line}), fact["leaks"])
        elif fact["kind"] == "dealloc":
            yield from _of_dealloc(fact)
        elif fact["kind"] == "access":
            yield Site("use-after-free", frozenset({line, *fact["call_lines"]}), fact["use_after_free"])
        elif fact["kind"] == "return":
            yield Site("use-after-free", frozenset({line}), fact["dangling"])


def _of_dealloc(fact: dict[str, Any]) -> Iterator[Site]:
    lines = frozenset({fact["line"], *fact["call_lines"]})
    yield Site("double-free", lines, fact["double_free"])
    yield Site("invalid-free", lines, fact["invalid_free"])
    # A global that is freed is graded as both; the finding is that it is no heap memory.
    yield Site("argument-free", lines, fact["frees_argument"], optional=fact["invalid_free"] in GRADES)
    bad = any(fact[key] in GRADES for key in ("double_free", "invalid_free", "frees_argument", "too_early"))
    unreached = fact["double_free"] == "unreached"
    # Measured was one block: what is late there is late. What is in time there may be late over several blocks.
    yield Site("late-free", frozenset({fact["line"]}), "all" if fact["late"] and not unreached else "unreached", bad)
