"""What is asked once for each of many things does not look at all of them each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.checking import check
from memlane.cli.files import Search, find
from memlane.fixes import fix_all
from memlane.ide.semantic_tokens import tokens_of
from memlane.ide.snapshot import File
from tests.hostile.growth import CONFIG, Work, power
from tests.hostile.test_growth import MOST

T = "memref<4xf32>"


def handed_up(count: int) -> str:
    """Functions of which each gives what the next one gives; nobody frees it."""
    one = "func.func private @g{0}() -> {T} {{\n  %a = call @g{1}() : () -> {T}\n  return %a : {T}\n}}\n"
    last = f"func.func private @g{count}() -> {T} {{\n  %a = memref.alloc() : {T}\n  return %a : {T}\n}}\n"
    user = f"func.func @f() {{\n  %a = call @g0() : () -> {T}\n  return\n}}\n"
    return "".join(one.format(number, number + 1, T=T) for number in range(count)) + last + user


@pytest.mark.slow
def test_a_buffer_that_is_handed_up_from_far_below_is_freed() -> None:
    """Without recursion, from function to function."""
    text = handed_up(1200)
    call = f"  %a = call @g0() : () -> {T}\n"
    assert fix_all(text, CONFIG) == text.replace(call, f"{call}  memref.dealloc %a : {T}\n")


@pytest.mark.slow
def test_growth_of_tokens_of_results_under_one_name() -> None:
    def told(count: int) -> Work:
        types = ", ".join(["f32"] * count)
        file = File("file:///f.mlir", 1, (f'%a:{count} = "x.y"() : () -> ({types})\n',), CONFIG)
        op = next(file.checked.tree.walk())
        assert len([*tokens_of(file, op)]) == 2
        return lambda: [*tokens_of(file, op)]

    assert power(told, 200) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_comments_that_speak_of_themselves() -> None:
    def checked(count: int) -> Work:
        line = "  %v{0} = arith.addf %x, %x : f32  // memlane: ignore[leak, unused-suppression]\n"
        text = f"func.func @f(%x: f32) {{\n{''.join(map(line.format, range(count)))}  return\n}}\n"
        assert not check(text, CONFIG).findings
        return lambda: check(text, CONFIG)

    assert power(checked, 100) < MOST


def test_folders_are_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not for each of them with all that are around it."""
    folder = tmp_path
    for _ in range(20):
        folder = folder / "d"
        folder.mkdir()
        (folder / "f.mlir").write_text("")
    resolved: list[Path] = []
    resolve = Path.resolve

    def counted(self: Path, strict: bool = False) -> Path:
        resolved.append(self)
        return resolve(self, strict)

    monkeypatch.setattr(Path, "resolve", counted)
    found, failures = find([str(tmp_path)], lambda _: Search(tmp_path))
    assert (len(found), failures) == (20, [])
    assert len(resolved) < 4
