"""`--baseline`: findings that are known are left out, so that a project can begin with what is new.

A baseline only shrinks: an entry whose finding is gone is dropped from the file when its program is next checked, and
so are the entries of programs that no longer exist.
Entries are fingerprints, which stay when lines move, below the path of their program relative to the baseline.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from memlane.cli.atomic_write import write_output
from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.cli.render.fingerprint import fingerprints
from memlane.findings import Finding
from memlane.limits import MAX_BYTES_READ
from memlane.read_file import read_text

VERSION = 1

Entries = dict[str, dict[str, str]]
"""Path of a program -> fingerprint -> what it is, for people who read the file."""


def against_baseline(outcome: CheckOutcome, path: Path, write: bool) -> CheckOutcome:
    """`outcome` without what the baseline `path` knows. `write`: first record all of it there."""
    folder = path.absolute().parent

    def name(file: CheckedFile) -> str:
        return Path(os.path.relpath(Path(file.name).absolute(), folder)).as_posix()

    found: Entries = {name(file): {} for file in outcome.files}
    for file, finding, fingerprint in fingerprints(outcome, name):
        found[name(file)][fingerprint] = f"{finding.rule.name}: {finding.report.message}"
    try:
        known = {} if write and not path.exists() else _read(path)
        kept = found if write else {program: _both(known.get(program, {}), new) for program, new in found.items()}
        after = {
            program: entries
            for program, entries in {**known, **kept}.items()
            if entries and (program in found or (folder / program).exists())
        }
        if after != known:
            _write(path, after)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"is no baseline: {error}"
        failure = Failure(str(path), f"{reason}; make one with --write-baseline")
        return outcome._replace(failures=(*outcome.failures, failure))
    new = [(file, finding) for file, finding, mark in fingerprints(outcome, name) if mark not in kept[name(file)]]
    return outcome._replace(
        files=tuple(_left(file, [one for owner, one in new if owner is file]) for file in outcome.files)
    )


def _left(file: CheckedFile, findings: list[Finding]) -> CheckedFile:
    return file._replace(findings=tuple(findings), savings=file.savings.of(findings))


def _both(known: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    return {fingerprint: known[fingerprint] for fingerprint in known if fingerprint in found}


def _read(path: Path) -> Entries:
    try:
        data: Any = json.loads(read_text(path, MAX_BYTES_READ))
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    table = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    findings: Any = table.get("findings")
    if table.get("version") != VERSION or not isinstance(findings, dict):
        raise ValueError(f"version {VERSION} and findings are expected")
    if not all(isinstance(entries, dict) for entries in cast("dict[str, Any]", findings).values()):
        raise ValueError("findings of a program are a table")
    return cast("Entries", findings)


def _write(path: Path, entries: Entries) -> None:
    ordered = {program: dict(sorted(entries[program].items())) for program in sorted(entries)}
    text = json.dumps({"version": VERSION, "findings": ordered}, indent=2, ensure_ascii=False)
    write_output(path, text + "\n")
