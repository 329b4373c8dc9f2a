"""`freed on 1 of 2 paths`: counted where it can be, and not where fewer paths are possible than there are branches."""

from __future__ import annotations

import pytest

from memlane.config import Config
from memlane.findings import Span
from memlane.ide.hints import HintKind, hints
from memlane.ide.snapshot import File

ALLOC = "%a = memref.alloc() : memref<131072xf32>"
FREE = "memref.dealloc %a : memref<131072xf32>"
UNKNOWN = "not freed on every path"


def lifetime(body: str) -> str:
    """The lifetime hint of `%a` in a function of that body."""
    text = f"func.func @f(%c: i1, %d: i1, %n: index, %m: index, %v: f32) {{\n{ALLOC}\n{body}\nreturn\n}}\n"
    file = File("file:///a.mlir", 1, (text,), Config())
    [hint] = hints(file, Span(text.index("memref"), text.index("memref")), frozenset({HintKind.LIFETIME}))
    return hint.label


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"scf.if %c {{ {FREE} }}", "freed on 1 of 2 paths"),
        (f"scf.if %c {{ }} else {{ {FREE} }}", "freed on 1 of 2 paths"),
        (f"scf.if %c {{ scf.if %d {{ {FREE} }} }}", "freed on 1 of 3 paths"),
        (f"scf.if %c {{ {FREE} }} else {{ scf.if %d {{ {FREE} }} }}", "freed on 2 of 3 paths"),
        # what does not touch the buffer makes no paths
        (f"scf.if %d {{ }} scf.for %i = %n to %n step %n {{ }} scf.if %c {{ {FREE} }}", "freed on 1 of 2 paths"),
        # the same condition twice: four ways, two paths
        (
            f"scf.if %c {{ linalg.fill ins(%v : f32) outs(%a : memref<131072xf32>) }} scf.if %c {{ {FREE} }}",
            UNKNOWN,
        ),
        (
            f"cf.cond_br %c, ^one, ^two\n^one:\n{FREE}\ncf.br ^end\n^two:\ncf.br ^end\n^end:",
            "freed on 1 of 2 paths",
        ),
        (f"scf.for %i = %n to %m step %n {{ {FREE} }}", UNKNOWN),
        ("", "never freed"),
    ],
)
def test_paths_are_counted(body: str, said: str) -> None:
    assert lifetime(body) == said


def test_sizes_are_said_in_units_that_people_read() -> None:
    text = f"func.func @f() {{\n{ALLOC}\nreturn\n}}\n"
    file = File("file:///a.mlir", 1, (text,), Config())
    assert [hint.label for hint in hints(file, Span(0, len(text)), frozenset({HintKind.SIZE}))] == ["512 KiB"]
