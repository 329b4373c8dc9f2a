"""The outline of files with many chunks and modules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.hostile.growth import power

from memlane.config import Config
from memlane.ide.outline import OutlineEntry, outline
from memlane.ide.snapshot import File

FUNCTION = "func.func @f{0}() {{ return }}\n"


def opened(source: str) -> File:
    return File("file:///a.mlir", 1, (source,), Config())


def names(entries: list[OutlineEntry]) -> list[object]:
    return [(entry.name, names(entry.children)) if entry.children else entry.name for entry in entries]


def test_functions_are_in_the_innermost_module_around_them() -> None:
    source = (
        "func.func @a() { return }\n"
        "module @m {\n  func.func @b() { return }\n  module @n { func.func @c() { return } }\n"
        "  module @o { }\n  func.func @d() { return }\n}\n"
        "module @p { }\n"
        "func.func @e() { return }\n"
    )
    assert names(outline(opened(source))) == ["a", ("m", ["b", ("n", ["c"]), "o", "d"]), "p", "e"]


def test_a_function_whose_head_lacks_its_brace() -> None:
    """It had more values than were counted, and the last of them none that defines it."""
    source = (
        "func.func @f(%p: i1, %n: index)\n  %s = memref.alloc(%n) : memref<?xf32>\n  return %s : memref<?xf32>\n}\n"
    )
    assert names(outline(opened(source))) == [("f", ["%s"])]


def chunks(count: int) -> str:
    return "// -----\n".join(FUNCTION.format(number) for number in range(count))


def modules(count: int) -> str:
    return "".join(f"module @m{number} {{\n{FUNCTION.format(number)}}}\n" for number in range(count))


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("shape", [chunks, modules])
def test_work_grows_with_what_there_is(shape: Callable[[int], str]) -> None:
    assert power(lambda count: partial(outline, opened(shape(count))), 200) < 1.1
