"""The real server with a `check` that does what the text says: tests of timing need checks of known length.

`LEAK` is a finding; `SLOW` works for half a second and polls; `STUBBORN` works for half a second and does not poll;
`CRASH` raises.
"""

from __future__ import annotations

import re
import sys
import time

from memlane.cancellation import poll
from memlane.config import Config
from memlane.findings import Finding, Note, Report, Rule, Severity, Span
from memlane.incremental import Checker
from memlane.parts import Part, Parts
from memlane.syntax import Document
from memlane.view import View

RULE = Rule("leak", Severity.ERROR, "a buffer is never freed", unnecessary=True)


def results(self: Checker, document: Document, config: Config, view: View | None = None) -> Parts:
    """Findings as the text says."""
    source = document.source
    if "CRASH" in source:
        raise ValueError("the text says so")
    for word in re.findall("SLOW|STUBBORN", source):
        for _ in range(50):
            time.sleep(0.01)
            if word == "SLOW":
                poll()
    findings = tuple(
        Finding(RULE, RULE.severity, Report("lost", Span(*m.span()), notes=(Note("here", Span(0, 1)),)), None)
        for m in re.finditer("LEAK", source)
    )
    return Parts(document, (Part(None, findings),))


if __name__ == "__main__":
    Checker.results = results
    from memlane_server.server import main

    sys.exit(main(sys.argv[1:]))
