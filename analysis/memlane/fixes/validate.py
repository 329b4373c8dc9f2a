"""Trials of edits: a copy of the text is checked with them, and what is found there is counted against what was."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from memlane.checking import Checked
from memlane.config import Config
from memlane.config.options import ALL
from memlane.findings import Edit, Finding, Fix
from memlane.fixes.blame import beside
from memlane.fixes.counting import Counts, Key, counted, is_grave, key_of
from memlane.fixes.edit_writer import apply
from memlane.fixes.text_versions import Versions

_Edits = tuple[Edit, ...]


class Trials:
    """Those on one checked text, each made once.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
        versions: checks texts under `strict`; None: a new one does.

    Attributes:
        strict: the configuration under which fixes are judged.
        versions: as given.
    """

    def __init__(self, checked: Checked, config: Config, versions: Versions | None = None) -> None:
        self.strict = strict(config)
        self.versions = versions or Versions(self.strict)
        self._checked = checked
        self._known = checked if asks_for_all(config) else None
        self._begin = self.versions.read
        self._before: Counts | None = None
        self._after: dict[_Edits, Counts] = {}
        self._latest: tuple[_Edits, tuple[Finding, ...]] | None = None

    @property
    def tried(self) -> int:
        """So many characters of text have been checked again."""
        return self.versions.read - self._begin

    def hold(self, edits: _Edits, findings: list[Finding]) -> bool:
        """Whether the edits make all `findings` go away and bring nothing new.

        After repairs of errors and warnings further advice may come, after advice was taken nothing at all.
        """
        return not self._excess(edits, findings)

    def brings(self, edits: _Edits) -> list[str]:
        """The rules that say after the edits that something is wrong which was not before."""
        return sorted({rule for rule, _, _ in self._excess(edits, [])})

    def blamed(self, edits: _Edits, findings: list[Finding]) -> list[Finding]:
        """Those of the findings about whose buffers something is left, or new, after edits that do not hold."""
        buffers = {(function, buffer) for _, function, buffer in self._excess(edits, findings)}
        return [finding for finding in findings if key_of(finding)[1:] in buffers]

    def beside(self, edits: _Edits, chosen: list[tuple[Finding, Fix]]) -> list[tuple[Finding, Fix]]:
        """Those of the fixes beside whose edits something is left, or new, after the edits of all."""
        findings = [finding for finding, _ in chosen]
        excess = self._excess(edits, findings)
        # What is kept of earlier ones is how many there are of each kind.
        latest = self._latest[1] if self._latest is not None and self._latest[0] == edits else self._found(edits)
        places = [found.report.span.start for found in latest if key_of(found) in excess]
        numbers = beside(edits, [fix.edits for _, fix in chosen], places)
        return [one for number, one in enumerate(chosen) if number in numbers]

    def check(self, text: str) -> Checked:
        """What is found in a text, by which fixes are judged."""
        return self.versions.check(text)

    def known(self) -> Checked:
        """The findings before, of all rules that are on by default, whether or not they are asked for."""
        if self._known is None:
            self._known = self.check(self._checked.text.source)
        return self._known

    def _excess(self, edits: _Edits, findings: list[Finding]) -> Set[Key]:
        """What there is too much of after the edits, if all `findings` are to go and nothing is to come."""
        advice = not all(map(is_grave, findings))
        before, now, wanted = self._counts_before(), self._counts(edits), counted(findings, advice)
        missed = {key for key in wanted if now.of(advice)[key] > before.of(advice)[key] - wanted[key]}
        return now.more(before, advice) | missed

    def _counts_before(self) -> Counts:
        """What is found in the text as it is."""
        if self._before is None:
            self._before = Counts(self.known().findings)
        return self._before

    def _counts(self, edits: _Edits) -> Counts:
        """What is found after the edits; all findings of a buffer try the same ones."""
        if edits not in self._after:
            self._after[edits] = Counts(self._found(edits))
        return self._after[edits]

    def _found(self, edits: _Edits) -> tuple[Finding, ...]:
        """The findings after the edits."""
        found = self.check(apply(self._checked.text.source, edits)).findings
        self._latest = edits, found
        return found


def asks_for_all(config: Config) -> bool:
    """Whether all rules that are on by default are asked for."""
    return ALL in config.values["select"]


def strict(config: Config) -> Config:
    """The configuration under which fixes are judged: those who ask for one rule do not want the others broken."""
    return replace(config, values={**config.values, "select": (ALL, *config.values["select"])})
