"""Text in, findings out: the whole way from `syntax` to `rules`, for the command line, the server and tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.findings import Finding
from memlane.text import Text

if TYPE_CHECKING:
    from memlane.config import Config
    from memlane.syntax.tree import Tree


@dataclass(frozen=True, slots=True)
class Checked:
    """A text, what it was read as, and its findings in source order."""

    text: Text
    tree: Tree
    findings: tuple[Finding, ...]


def check(source: str, config: Config | None = None) -> Checked:
    """All findings of `source` under `config` (None: the defaults, no file is looked for)."""
    raise NotImplementedError
