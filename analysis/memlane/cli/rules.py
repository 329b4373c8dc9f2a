"""List all rules with their severities."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from memlane.cli import CLEAN
from memlane.cli.render.style import style_for
from memlane.doc_links import rule_url
from memlane.rules import all_rules


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")


def run(options: Namespace) -> int:
    """Print the table."""
    if options.output_format == "json":
        print(json.dumps([_record(name) for name in all_rules()], indent=2))
        return CLEAN
    style = style_for(sys.stdout)
    room = max(map(len, all_rules()))
    for name, rule in all_rules().items():
        severity = style.severity(rule.severity, f"{rule.severity.value:<11}")
        print(f"{style.paint('bold', f'{name:<{room}}')}  {severity}  {rule.summary}")
    return CLEAN


def _record(name: str) -> dict[str, str | bool]:
    rule = all_rules()[name]
    return {
        "rule": name,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "unnecessary": rule.unnecessary,
        "url": rule_url(name),
    }
