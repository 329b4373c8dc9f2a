"""Text in, findings out: the whole way from `syntax` to `rules`, for the command line, the server and tests."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.config import Config
from memlane.findings import Finding, Suppressed
from memlane.query import Checker, Visit
from memlane.query.findings_store import Parts
from memlane.syntax import Document
from memlane.syntax.tree.tree import Tree
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class Checked:
    """A text, what it was read as, and its findings in source order; those that its comments silence are apart."""

    text: Text
    tree: Tree
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()


def check(source: str, config: Config | None = None, visit: Visit | None = None) -> Checked:
    """All findings of `source` under `config` (None: the defaults, no file is looked for).

    Args:
        visit: sees the functions that are checked, but for those of a text that is checked as a whole.
    """
    config = config or Config()
    document, checker = Document(source, config.models), Checker(once=True)
    found = checker.results(document, config, visit=visit)
    checker.settle()
    return checked(Text(source), found)


def check_document(text: Text, document: Document, checker: Checker, config: Config) -> Checked:
    """All findings of `document`, whose text is `text`; `checker` remembers those of its earlier versions."""
    return checked(text, checker.results(document, config))


def checked(text: Text, parts: Parts) -> Checked:
    """The findings together. `text` is that of their document."""
    return Checked(text, parts.document.tree, parts.findings, parts.suppressed)
