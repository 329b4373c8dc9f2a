"""What was found in a text before, by a server or by `memlane check`: shown as a document is opened.

To check a long text takes seconds. What it will find is known where the same text was checked under the same
configuration by the same version. That is shown while the check goes on as ever: hovers, fixes and edits need more of
it than its findings.
"""

from __future__ import annotations

import logging

from memlane.findings import NO_SAVINGS
from memlane.ide.limits import MIN_PARTIAL_TEXT
from memlane.ide.snapshot import File
from memlane.results.cache import PEAKS, Cache, cache_folder, cache_key, is_off, text_digest

log = logging.getLogger(__name__)


class FoundBefore:
    """The cache of results, for documents. May be shared by threads."""

    def __init__(self) -> None:
        folder = None if is_off() else cache_folder()
        self._cache = Cache(folder, log.warning) if folder is not None else None

    def show(self, file: File) -> None:
        """Show what was found before in a document that was opened, if all of it has yet to be read."""
        cache = self._cache
        if cache is None or not file.unread or file.show is None or len(file.text.source) < MIN_PARTIAL_TEXT:
            return
        text = text_digest(file.text.source)
        entries = (cache.get(cache_key(text, file.config, asked)) for asked in ((), (PEAKS,)))
        found = next((entry for entry in entries if entry is not None), None)
        if found is not None:
            file.show_known(found[0])

    def keep(self, file: File) -> None:
        """Keep what was found in a document that has been checked, unless it is known."""
        cache, parts = self._cache, file.parts_already
        if cache is None or parts is None or len(file.text.source) < MIN_PARTIAL_TEXT:
            return
        key = cache_key(text_digest(file.text.source), file.config)
        if cache.get(key) is None:
            cache.put(key, (parts.findings, parts.suppressed, NO_SAVINGS))
