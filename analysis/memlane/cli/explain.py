"""Explain rules: show the page of a rule."""

from __future__ import annotations

import difflib
import inspect
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill

from memlane.cli import CLEAN, FAILED
from memlane.cli.limits import MAX_PROSE_COLUMNS
from memlane.cli.render.style import Style, style_for
from memlane.cli.terminal_output import tell
from memlane.doc_links import rule_url
from memlane.rules import modules

PLAIN = Style()


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rules", nargs="+", metavar="RULE", help="name of a rule; `memlane rules` lists them")


def run(options: Namespace) -> int:
    """Print the pages. Exit code 2 where a name is no rule's."""
    code = CLEAN
    for name in options.rules:
        if name in modules():
            print(page_of(name, style_for(sys.stdout)))
        else:
            tell(unknown_rule(name))
            code = FAILED
    return code


def unknown_rule(name: str) -> str:
    """The message for an unknown name of a rule."""
    near = difflib.get_close_matches(name, list(modules()), n=1)
    return f"there is no rule {name!r}" + (f"; did you mean {near[0]!r}?" if near else "; `memlane rules` lists them")


def page_of(name: str, style: Style = PLAIN) -> str:
    """The page of the rule `name`, for a terminal."""
    module = modules()[name]
    title = style.paint("bold", f"{name} ({module.RULE.severity.value})")
    body = list(_wrapped(inspect.cleandoc(module.__doc__ or "").splitlines(), style))
    lines = [style.paint("bold", line) if line.startswith("#") else line for line in body]
    return "\n".join([title, "", *lines, "", rule_url(name), ""])


def _wrapped(lines: list[str], style: Style) -> Iterator[str]:
    """Paragraphs in the width of a terminal; other lines, and all lines of a file, as they are."""
    if not style.terminal:
        yield from lines
        return
    code = False
    for prose, group in groupby(lines, lambda line: line != "" and (line[0].isalnum() or line[0] in "`*(")):
        block = list(group)
        fences = sum(line.startswith("```") for line in block)
        if prose and not code and not fences:
            yield from fill(" ".join(block), min(style.columns, MAX_PROSE_COLUMNS), break_on_hyphens=False).splitlines()
        else:
            yield from block
        code ^= fences % 2 == 1
