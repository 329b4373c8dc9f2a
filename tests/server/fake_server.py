"""The real server with a `check` that does what the text says: tests of timing need checks that last as they say.

`LEAK` is a finding; `CRASH` raises; `SLOW` works for half a second and polls. `HOLD` works until nobody wants the
result any more, and `HOLD<path>` until then or until there is a file at the path; `STUBBORN<path>` does not poll
meanwhile. A check that holds says `began` on stderr, and `stopped` where it was. `EARLY` tells the first finding
before that.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from memlane.cancellation import Cancelled, poll
from memlane.config import Config
from memlane.findings import Finding, Note, Report, Rule, Severity, Span
from memlane.query import Checker
from memlane.query.deferred_visits import Visit
from memlane.query.findings_store import Parts
from memlane.query.viewport import Viewport
from memlane.syntax import Document

RULE = Rule("leak", Severity.ERROR, "a buffer is never freed", unnecessary=True)


def hold(opened: Path | None, polls: bool) -> None:
    """Work until there is a file at `opened`; `polls`: or until nobody wants the result."""
    print("began", file=sys.stderr, flush=True)
    try:
        while opened is None or not opened.exists():
            time.sleep(0.01)
            if polls:
                poll()
    except Cancelled:
        print("stopped", file=sys.stderr, flush=True)
        raise


def results(
    self: Checker, document: Document, config: Config, view: Viewport | None = None, visit: Visit | None = None
) -> Parts:
    """Findings as the text says."""
    source = document.source
    if "CRASH" in source:
        raise ValueError("the text says so")
    for _ in range(50 * source.count("SLOW")):
        time.sleep(0.01)
        poll()
    findings = tuple(
        Finding(RULE, RULE.severity, Report("lost", Span(*m.span()), notes=(Note("here", Span(0, 1)),)), None)
        for m in re.finditer("LEAK", source)
    )
    if "EARLY" in source and view is not None and view.tell is not None:
        view.tell(Parts(document, {}, loose={0: findings[:1]}))
    for word, path in re.findall(r"(HOLD|STUBBORN)(?:<(.+?)>)?", source):
        hold(Path(path) if path else None, word == "HOLD")
    return Parts(document, {}, loose={0: findings})


if __name__ == "__main__":
    Checker.results = results
    from memlane_server.server import main

    sys.exit(main(sys.argv[1:]))
