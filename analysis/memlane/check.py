"""Text in, findings out: the whole way from `syntax` to `rules`, for the command line, the server and tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Note, Report, Rule, Severity
from memlane.flow import Program, analyse
from memlane.judge import judge
from memlane.rules import all_rules
from memlane.syntax import parse
from memlane.syntax.tree import Tree
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class Checked:
    """A text, what it was read as, and its findings in source order."""

    text: Text
    tree: Tree
    findings: tuple[Finding, ...]


def check(source: str, config: Config | None = None) -> Checked:
    """All findings of `source` under `config` (None: the defaults, no file is looked for)."""
    config = config or Config()
    models = config.models
    tree = parse(source, models)
    found = list(_problems(tree, config))
    for chunk in tree.chunks:
        program = Program(chunk.ops, models, source)
        for flow in program.functions.values():
            poll()
            found.extend(judge(analyse(program, flow), program, config))
    found.sort(key=_order)
    return Checked(Text(source), tree, tuple(found))


def _problems(tree: Tree, config: Config) -> Iterator[Finding]:
    rules = all_rules()
    for problem in tree.problems:
        notes = tuple(Note(message, span) for message, span in problem.notes)
        hint = f"; did you mean {problem.suggestion}?" if problem.suggestion else ""
        yield from _finding(
            rules[problem.rule], Report(problem.message + hint, problem.span, notes=notes), None, config
        )


def _finding(rule: Rule, report: Report, function: str | None, config: Config) -> Iterator[Finding]:
    severity = config.severity(rule)
    if severity is Severity.OFF:
        return
    if severity is rule.severity and report.severity is not None:
        severity = report.severity
    yield Finding(rule, severity, report, function)


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.report.span.start, finding.report.span.end, finding.rule.name
