"""Memlane: the buffer memory of MLIR programs, checked.

    import memlane

    checked = memlane.check(text)
    for finding in checked.findings:
        line, column = checked.text.position(finding.report.span.start)
        print(f"{line + 1}:{column + 1}: {finding.rule.name}: {finding.report.message}")

What is named here is the Python interface, and stays; other modules may change. Nothing is imported before it is used:
the analysis takes a while to start, and `memlane --version` does not need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memlane.checking import Checked as Checked
    from memlane.checking import check as check
    from memlane.config import Config as Config
    from memlane.config import find_config as find_config
    from memlane.config import load_config as load_config
    from memlane.findings import Applicability as Applicability
    from memlane.findings import Buffer as Buffer
    from memlane.findings import Certainty as Certainty
    from memlane.findings import Edit as Edit
    from memlane.findings import Finding as Finding
    from memlane.findings import Fix as Fix
    from memlane.findings import Late as Late
    from memlane.findings import Note as Note
    from memlane.findings import Report as Report
    from memlane.findings import Rule as Rule
    from memlane.findings import Severity as Severity
    from memlane.findings import Span as Span
    from memlane.findings import Suppressed as Suppressed
    from memlane.fixes import fix_all as fix_all
    from memlane.fixes import with_fixes as with_fixes
    from memlane.text import Text as Text

__version__ = "0.1.0"

_FINDINGS = (
    *("Applicability", "Buffer", "Certainty", "Edit", "Finding", "Fix", "Late", "Note", "Report", "Rule"),
    *("Severity", "Span", "Suppressed"),
)
_FROM = {
    **dict.fromkeys(("check", "Checked"), "checking"),
    **dict.fromkeys(("Config", "find_config", "load_config"), "config"),
    **dict.fromkeys(_FINDINGS, "findings"),
    **dict.fromkeys(("fix_all", "with_fixes"), "fixes"),
    "Text": "text",
}
"""Where each name is from."""

__all__ = [  # pyright: ignore[reportUnsupportedDunderAll] -- the names are those of the imports above; a test compares
    "__version__",
    *_FROM,
]


def __getattr__(name: str) -> Any:
    """A name of the interface, imported when it is first used."""
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FROM[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
