"""Static peaks against peaks measured by execution (`shared/cases`, facts of kind `program`).

A function is compared where its sizes are known; `closed` is what the measurement calls optimal, where deallocations
count as uses. In `AMBIGUOUS` the program asks whether an index is negative: the analysis takes it seriously, the
measurement never chooses such a number.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlane.config import Config
from memlane.flow import Program
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.peak import peak_of
from memlane.flow.symbolic.amounts import Amount
from memlane.syntax import parse

FOLDER = Path(__file__).parents[3] / "shared" / "cases"
AMBIGUOUS = {("clean/0039", "run")}
KEYS = ("peak_bytes", "optimal_peak_bytes")


@dataclass(slots=True)
class Agreement:
    """Counts per measured key: `equal`, `above`, `below`, `unknown` (a size is); and each that is not equal."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    differing: list[str] = field(default_factory=list[str])

    def table(self) -> str:
        """The counts as text."""
        words = ("equal", "above", "below", "unknown")
        rows = [f"{'':20}" + "".join(f"{word:>9}" for word in words)]
        rows += [f"{key:20}" + "".join(f"{self.counts[key, word]:9}" for word in words) for key in KEYS]
        return "\n".join(rows)


def compare() -> Agreement:
    """Analyse every entry of every program."""
    found = Agreement()
    for path in sorted(FOLDER.glob("*/*.json")):
        name = f"{path.parent.name}/{path.stem}"
        entries = next(fact for fact in json.loads(path.read_text()) if fact["kind"] == "program")["entries"]
        for function, measured in _entries(path, entries):
            peak = peak_of(*function)
            for key, amounts in zip(KEYS, (peak.peak, peak.closed), strict=True):
                verdict = _verdict(amounts, measured[key])
                found.counts[key, verdict] += 1
                if verdict in ("above", "below") and (name, function[1].name) not in AMBIGUOUS:
                    found.differing.append(f"{name} @{function[1].name} {key}: {measured[key]}, {amounts}")
    return found


def _entries(path: Path, entries: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    models = Config().models
    for chunk in parse(path.with_suffix(".mlir").read_text(), models).chunks:
        program = Program(chunk.ops, models)
        ledger = Ledger(program)
        for flow in program.functions.values():
            if flow.name in entries:
                yield (ledger, flow), entries[flow.name]


def _verdict(amounts: tuple[Amount, ...], measured: int) -> str:
    known = amounts[0].bytes if len(amounts) == 1 else None
    if known is None:
        return "unknown"
    return "equal" if known == measured else "above" if known > measured else "below"
