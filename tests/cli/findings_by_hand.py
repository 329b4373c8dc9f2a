"""Findings made by hand, so that what is shown is tested apart from what is found."""

from __future__ import annotations

from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.findings import (
    Applicability,
    Buffer,
    Certainty,
    Edit,
    Finding,
    Fix,
    Late,
    Note,
    Report,
    Rule,
    Severity,
    Span,
)
from memlane.text import Text

SOURCE = """func.func @f(%n: index, %x: memref<4xf32>) {
  %a = memref.alloc(%n) : memref<?x5xf32>
  "use"(%a) : (memref<?x5xf32>) -> ()
  "work"(%x) : (memref<4xf32>) -> ()
  "work"(%x) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<?x5xf32>
  %数 = memref.alloc() : memref<256xf32>
  return
}
"""

LATE = Rule("late-free", Severity.WARNING, "a buffer is freed later than it could be")
LEAK = Rule("possible-leak", Severity.ERROR, "a buffer is never freed on some path")
HINT = Rule("unused-buffer", Severity.HINT, "a buffer that nobody reads", unnecessary=True)


def span(text: str, nth: int = 0) -> Span:
    """Where `text` stands in `SOURCE`, for the nth time."""
    start = -1
    for _ in range(nth + 1):
        start = SOURCE.index(text, start + 1)
    return Span(start, start + len(text))


def late() -> Finding:
    """With everything that a finding can have."""
    where = span('  "work"(%x)')
    report = Report(
        "buffer %a is held over 2 operations",
        span("memref.dealloc"),
        buffer=Buffer("%a", span("%a"), None, "20*%n"),
        notes=(Note("%a is allocated here", span("memref.alloc")), Note("last use", span('"use"'))),
        late=Late(span('"use"'), 2),
        fix=Fix(
            "free it after its last use",
            (
                Edit(Span(where.start, where.start), "  memref.dealloc %a : memref<?x5xf32>\n"),
                Edit(Span(SOURCE.index("  memref.dealloc"), SOURCE.index("  %数")), ""),
            ),
            Applicability.SAFE,
        ),
    )
    return Finding(LATE, Severity.WARNING, report, "f")


def leak() -> Finding:
    """With little, and after a character that is wide."""
    at = span("memref.alloc()")
    report = Report(
        "buffer %数 is lost",
        Span(at.start, at.end - 2),
        Certainty.SOME,
        Buffer("%数", span("%数"), 1024),
    )
    return Finding(LEAK, Severity.ERROR, report, "f")


def hint() -> Finding:
    """Advice, outside any function."""
    return Finding(HINT, Severity.HINT, Report("nobody reads it", span("func.func")), None)


def outcome(*findings: Finding, failures: tuple[Failure, ...] = ()) -> CheckOutcome:
    """A run over one file."""
    return CheckOutcome((CheckedFile("dir/f.mlir", Text(SOURCE), findings),), failures)
