"""Checking a document again after an edit: only the functions that the edit can have changed are looked at.

What is found in a function depends on its text, on what the functions it calls do to it, and, where it is private, on
what its callers pass. Who may call whom is decided by the names that pieces of text mention, before any op is built:
more mentions than calls only cost time. Pieces an edit did not touch are the same objects in the next document
(syntax/editing/pieces.py), so a piece is the key of what is remembered about it. The first check is one with nothing
remembered.

| module | what it knows |
| --- | --- |
| `symbol_refs` | the names that pieces define and mention; how that differs from the version before |
| `summary_cache` | the summary that callers used of a function, kept without its ops |
| `functions` | the functions of a section, built on first access |
| `tree_cache` | the ops of those looked at last, to be put right instead of built again |
| `trivia_edit` | whether a function has the same ops in other places |
| `invalidate` | which functions are looked at again |
| `checked_section` | in which order; what is known of each version |
| `conservative_invalidate` | the same where names alone do not tell: all that an edit can reach |
| `memory` | what was found in a piece |
| `checker` | one document, version by version |
| `findings_store` | findings by portions of the text, which move with their lines |
| `viewport`, `viewport_first` | which functions are in view: they are analysed and published before all else |
"""

from __future__ import annotations

from memlane.query.checker import Checker
from memlane.query.deferred_visits import Visit
from memlane.query.symbol_refs import Said, said_by
from memlane.query.trivia_edit import Respaced

__all__ = ["Checker", "Respaced", "Said", "Visit", "said_by"]
