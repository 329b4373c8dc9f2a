"""The last line of output for people: how much was found."""

from __future__ import annotations

from collections import Counter

from memlane.cli.check_result import BAD, CheckOutcome
from memlane.cli.render.style import Style, visible
from memlane.findings import Applicability, Finding, Severity

NAMES = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFORMATION: ("information", "information"),
    Severity.HINT: ("hint", "hints"),
}


def summary(outcome: CheckOutcome, style: Style) -> str:
    """`Found 2 errors and 1 warning in 3 files; 1 more is silenced by comments.`

    After fixes: `Found 4 findings in 3 files (1 fixed, 3 remaining: 2 errors and 1 warning)`.
    """
    return unfixed(outcome) + _found(outcome, style)


def repairs(outcome: CheckOutcome, style: Style) -> str:
    """What fixes took away, by file: `2 × leak`; "" where that is nothing."""
    lines: list[str] = []
    for file in outcome.files:
        if file.fixed:
            lines.append(style.paint("bold", f"{visible(file.name)}:"))
            lines += [f"  {count} × {rule}" for rule, count in Counter(file.fixed).items()]
    return "\n".join(["Fixed:", *lines, "", ""]) if lines else ""


def unfixed(outcome: CheckOutcome) -> str:
    """After fixes, a line for each reason: `2 not fixed: it is unknown which buffers the value may be.`"""
    grave = (finding for _, finding in outcome.findings() if finding.severity in BAD)
    reasons = Counter(finding.report.unfixed for finding in grave)
    return "".join(f"{count} not fixed: {reason}.\n" for reason, count in reasons.items() if reason)


def fixable(outcome: CheckOutcome, style: Style) -> str:
    """`[*] 702 fixable with --fix.`; "up to" where not all of them were looked for; "" for none."""
    left = [finding for _, finding in outcome.findings() if not finding.report.unfixed]
    sure = sum(map(_is_fixed, left))
    some = 0 if outcome.fixes else sum(one.rule.fixes is Applicability.SAFE and not _is_fixed(one) for one in left)
    up_to = "up to " if some else ""
    return f"{style.paint('bold', '[*]')} {up_to}{sure + some} fixable with --fix.\n" if sure + some else ""


def _is_fixed(finding: Finding) -> bool:
    """Whether a safe fix is known, or the place where a deallocation is to stand instead."""
    fix, late = finding.report.fix, finding.report.late
    return fix.applicability is Applicability.SAFE if fix is not None else late is not None and bool(late.before)


def _found(outcome: CheckOutcome, style: Style) -> str:
    counts = Counter(finding.severity for _, finding in outcome.findings())
    files = plural(len(outcome.files), "file", "files")
    silent = sum(len(file.suppressed) for file in outcome.files)
    rest = f"; {silent} more {'is' if silent == 1 else 'are'} silenced by comments" if silent else ""
    fixed = sum(len(file.fixed) for file in outcome.files)
    if fixed:
        every = plural(fixed + counts.total(), "finding", "findings")
        left = f"{counts.total()} remaining" + (f": {_listed(counts, style)}" if counts else "")
        return f"Found {every} in {files} ({fixed} fixed, {left}){rest}."
    if not counts:
        rest = rest.replace(" more", "")
        return f"No findings in {files}{rest}."
    return f"Found {_listed(counts, style)} in {files}{rest}."


def _listed(counts: Counter[Severity], style: Style) -> str:
    parts = [
        style.severity(severity, plural(counts[severity], one, many))
        for severity, (one, many) in NAMES.items()
        if counts[severity]
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def plural(count: int, one: str, many: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {one if count == 1 else many}"
