"""Project: which configuration file holds for a document, read again when it changed on disk.

A file that cannot be read, or says something wrong, keeps the last good configuration; its problems are kept for the
diagnostics that are shown in the configuration file itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.config import Config


class Project:
    """The configuration files met so far."""

    def config(self, uri: str, explicit: str | None) -> Config | None:
        """The configuration for the document `uri`; `explicit`: a file to use for all documents."""
        return None
