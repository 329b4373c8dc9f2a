"""Trials of edits: they are applied to a copy of the text, and what is found there is counted against what was before.

Where all edits are in one chunk of the text, that is all of it that is checked again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Set
from dataclasses import replace

from memlane.checking import Checked, check
from memlane.config import Config
from memlane.config.options import ALL
from memlane.findings import Edit, Finding, Fix, Span
from memlane.fixes.blame import beside
from memlane.fixes.counting import Counts, Key, counted, is_grave, key_of
from memlane.fixes.edit_writer import apply
from memlane.fixes.fix_context import Ground, within

_Edits = tuple[Edit, ...]


class Trials:
    """Those on one checked text, each made once.

    Args:
        checked: the text and its findings.
        config: what it was checked under.
        ground: what stands behind the findings.

    Attributes:
        strict: the configuration under which fixes are judged.
        tried: so many characters of text have been checked again.
    """

    def __init__(self, checked: Checked, config: Config, ground: Ground) -> None:
        all_ = ALL in config.values["select"]
        self.strict = _strict(config)
        self.tried = 0
        self._checked, self._ground = checked, ground
        self._known = checked if all_ else None
        self._ordered: list[Finding] | None = None
        self._last: Checked | None = None
        self._all = all_
        self._before: dict[Span, Counts] = {}
        self._after: dict[tuple[_Edits, Span], Counts] = {}
        self._latest: tuple[tuple[_Edits, Span], tuple[Finding, ...]] | None = None

    def hold(self, edits: _Edits, findings: list[Finding]) -> bool:
        """Whether the edits make all `findings` go away and bring nothing new.

        After repairs of errors and warnings further advice may come, after advice was taken nothing at all.
        """
        return not self._excess(edits, findings)

    def blamed(self, edits: _Edits, findings: list[Finding]) -> list[Finding]:
        """Those of the findings about whose buffers something is left, or new, after edits that do not hold."""
        buffers = {(function, buffer) for _, function, buffer in self._excess(edits, findings)}
        return [finding for finding in findings if key_of(finding)[1:] in buffers]

    def beside(self, edits: _Edits, chosen: list[tuple[Finding, Fix]]) -> list[tuple[Finding, Fix]]:
        """Those of the fixes beside whose edits something is left, or new, after the edits of all."""
        findings = [finding for finding, _ in chosen]
        excess, key = self._excess(edits, findings), (edits, self._part(edits, findings))
        # What is kept of earlier ones is how many there are of each kind.
        latest = self._latest[1] if self._latest is not None and self._latest[0] == key else self._found(*key)
        places = [key[1].start + found.report.span.start for found in latest if key_of(found) in excess]
        numbers = beside(edits, [fix.edits for _, fix in chosen], places)
        return [one for number, one in enumerate(chosen) if number in numbers]

    def check(self, text: str) -> Checked:
        """What is found in a text, by which fixes are judged."""
        if self._last is None or self._last.text.source != text:
            self.tried += len(text)
            self._last = check(text, self.strict)
        return self._last

    def last(self, text: str) -> Checked | None:
        """What is found in a text by the rules that are asked for, where it is the one that was looked at last."""
        same = self._all and self._last is not None and self._last.text.source == text
        return self._last if same else None

    def known(self) -> Checked:
        """The findings before, of all rules that are on by default, whether or not they are asked for."""
        if self._known is None:
            self._known = check(self._checked.text.source, self.strict)
        return self._known

    def _excess(self, edits: _Edits, findings: list[Finding]) -> Set[Key]:
        """What there is too much of after the edits, if all `findings` are to go and nothing is to come."""
        part = self._part(edits, findings)
        advice = not all(map(is_grave, findings))
        before, now, wanted = self._counts_before(part), self._counts(edits, part), counted(findings, advice)
        missed = {key for key in wanted if now.of(advice)[key] > before.of(advice)[key] - wanted[key]}
        return now.more(before, advice) | missed

    def _part(self, edits: _Edits, findings: list[Finding]) -> Span:
        """The part of the text that is checked again to judge edits for findings."""
        chunk = self._ground.chunk(findings[0].report.span)
        inside = all(within(edit.span, chunk.span) for edit in edits)
        return chunk.span if inside else Span(0, len(self._checked.text.source))

    def _counts_before(self, part: Span) -> Counts:
        """What is found in a part of the text as it is."""
        if part not in self._before:
            findings = self._known_in_order()
            first = bisect_left(findings, part.start, key=_start)
            near = findings[first : bisect_right(findings, part.end, key=_start)]
            self._before[part] = Counts([finding for finding in near if within(finding.report.span, part)])
        return self._before[part]

    def _counts(self, edits: _Edits, part: Span) -> Counts:
        """What is found in a part of the text after the edits; all findings of a buffer try the same ones."""
        if (edits, part) not in self._after:
            self._after[edits, part] = Counts(self._found(edits, part))
        return self._after[edits, part]

    def _found(self, edits: _Edits, part: Span) -> tuple[Finding, ...]:
        """The findings in a part of the text after the edits."""
        moved = tuple(Edit(Span(e.span.start - part.start, e.span.end - part.start), e.content) for e in edits)
        found = self.check(apply(self._checked.text.source[part.start : part.end], moved)).findings
        self._latest = (edits, part), found
        return found

    def _known_in_order(self) -> list[Finding]:
        """The findings before, by where they are."""
        if self._ordered is None:
            self._ordered = sorted(self.known().findings, key=_start)
        return self._ordered


def _start(finding: Finding) -> int:
    return finding.report.span.start


def _strict(config: Config) -> Config:
    """The configuration under which fixes are judged: those who ask for one rule do not want the others broken."""
    return replace(config, values={**config.values, "select": (ALL, *config.values["select"])})
