"""How many findings there are of each kind, to tell what edits bring and take away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Set

from memlane.findings import Finding, Severity

GRAVE = (Severity.ERROR, Severity.WARNING)
"""Findings that say that something is wrong; the others are advice."""
FREED_WRONGLY = frozenset(
    {
        "argument-free",
        "double-free",
        "free-before-wait",
        "invalid-free",
        "late-free",
        "leak",
        "mismatched-free",
        "possible-double-free",
        "possible-leak",
        "possible-use-after-free",
        "sinkable-free",
        "use-after-free",
    }
)
"""The rules about where, how often and how a buffer is freed: freeing it elsewhere repairs their findings."""
Key = tuple[str, "str | None", "str | None"]
"""What is counted together: rule, function, and the name of the buffer where that is freed wrongly."""


class Counts:
    """How many of some findings there are of each kind: of what is wrong, and of advice as well."""

    def __init__(self, findings: Collection[Finding]) -> None:
        self._of = {advice: counted(findings, advice) for advice in (False, True)}
        self._more: dict[bool, Set[Key]] = {}

    def of(self, advice: bool) -> Counter[Key]:
        """Those with advice, or without."""
        return self._of[advice]

    def more(self, before: Counts, advice: bool) -> Set[Key]:
        """Of which there are more than before, which is always the same: many findings may ask."""
        if advice not in self._more:
            now, then = self._of[advice], before.of(advice)
            self._more[advice] = {key for key in now if now[key] > then[key]}
        return self._more[advice]


def is_grave(finding: Finding) -> bool:
    """Whether a finding says that something is wrong."""
    return finding.severity in GRAVE


def key_of(finding: Finding) -> Key:
    """Findings that are counted together.

    Advice on one buffer may become that on another. What an operation does with one of several buffers (it reads what
    was never written) is one finding, which may name another of them after a repair.
    """
    buffer = finding.report.buffer if is_grave(finding) and finding.rule.name in FREED_WRONGLY else None
    return finding.rule.name, finding.function, buffer.name if buffer is not None else None


def counted(findings: Iterable[Finding], advice: bool) -> Counter[Key]:
    """How many findings there are of each kind; of advice only if that is asked for."""
    return Counter(key_of(finding) for finding in findings if advice or is_grave(finding))
