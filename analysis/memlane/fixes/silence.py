"""Silencing a finding where it stands, or its rule in the configuration: the other ways to make it go."""

from __future__ import annotations

from memlane.config import NAMES, Config
from memlane.findings import Addition, Applicability, Finding, Fix, Rule
from memlane.fixes.stub import PROJECT, own_file
from memlane.suppressions import CommentedLine, ignoring
from memlane.text import Text

WHY = "TODO: say why"
"""The placeholder for the reason in a new comment."""


def silence(text: Text, finding: Finding, lines: dict[int, CommentedLine] | None = None) -> Fix:
    """The edit that puts a comment at the finding that silences it, and asks for the reason; `lines`: of `ignoring`."""
    edits = ignoring(text, [finding], WHY, lines)
    return Fix(f"Ignore {finding.rule.name} here", edits, Applicability.UNSAFE)


def turn_off(config: Config, rule: Rule) -> Fix:
    """The edit of the configuration file that turns a rule off; a new file, where there is none."""
    file = own_file(config)
    table = f"[{'tool.memlane.' if file is not None and file.name == PROJECT else ''}severity]"
    added = Addition(file, NAMES[0], f'{rule.name} = "off"\n', table)
    name = file.name if file is not None else NAMES[0]
    return Fix(f"Turn {rule.name} off in {name}", (), Applicability.UNSAFE, additions=(added,))
