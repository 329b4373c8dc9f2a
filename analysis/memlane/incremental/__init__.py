"""Checking a document again after an edit: only the functions that the edit can have changed are looked at.

What is found in a function depends on its text, on what the functions it calls do to it, and, where it is private, on
what its callers pass. Who may call whom is decided by the names that pieces of text mention, before any op is built:
more mentions than calls only cost time. Pieces an edit did not touch are the same objects in the next document
(syntax/editing/pieces.py), so a piece is the key of what is remembered about it. The first check is one with nothing
remembered.

| module | what it knows |
| --- | --- |
| `mentions` | the names that pieces define and mention; how that differs from the version before |
| `interfaces` | the summary that callers used of a function, kept without its ops |
| `functions` | the functions of a section, built on first access |
| `kept` | the ops of those looked at last, to be put right instead of built again |
| `respaced` | whether a function has the same ops in other places |
| `round` | which functions are looked at again |
| `section` | in which order; what is known of each version |
| `whole` | the same where names alone do not tell: all that an edit can reach |
| `memory` | what was found in a piece |
| `checker` | one document, version by version |
"""

from __future__ import annotations

from memlane.incremental.checker import Checker
from memlane.incremental.deferred_visits import Visit
from memlane.incremental.symbol_refs import Said, said_by
from memlane.incremental.trivia_edit import Respaced

__all__ = ["Checker", "Respaced", "Said", "Visit", "said_by"]
