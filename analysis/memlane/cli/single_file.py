"""Checking one file: reading it, what was kept of earlier runs, repairs, and writing these."""

from __future__ import annotations

import traceback
from pathlib import Path

from memlane.cli import files
from memlane.cli.check_result import CheckedFile, Failure
from memlane.cli.settings import Settings


def check_file(path: Path, settings: Settings) -> CheckedFile | Failure:
    """What came of one file."""
    source = files.read(path)
    if isinstance(source, Failure):
        return source
    result = check_text(str(path), source, settings)
    explained = (
        settings.repair.apply and isinstance(result, CheckedFile) and result.findings
    )  # why it was left, with each
    if settings.cache is not None and isinstance(result, CheckedFile) and not explained:
        settings.cache.put(
            settings.cache_key(result.text.source, path), (result.findings, result.suppressed, result.savings)
        )
    if isinstance(result, CheckedFile) and result.before is not None and settings.repair.write:
        return files.write(path, result.text.source, result.before, settings.found_in(path)) or result
    return result


def check_text(name: str, source: str, settings: Settings) -> CheckedFile | Failure:
    """What came of a text that is called `name`."""
    try:
        result, fixed, saved = settings.repair.checked(source, settings.for_file(Path(name)))
    except (MemoryError, SystemError):
        # CPython's own "error return without exception set" is what becomes of a MemoryError in some of its functions.
        return Failure(name, "needs more memory than there is")
    except Exception:
        # A bug of ours must not cost the user the findings of the other files. Nothing else catches everything.
        traceback.print_exc()
        return Failure(name, "cannot be checked because of a bug in Memlane (above); please report it with the file")
    before = source if result.text.source != source else None
    return CheckedFile(name, result.text, result.findings, before, result.suppressed, fixed, saved)
