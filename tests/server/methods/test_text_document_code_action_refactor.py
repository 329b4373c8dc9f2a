"""textDocument/codeAction, kinds below `refactor`: what can be done to a buffer without a finding, or why it cannot.

It is offered at its allocation and its deallocation; and the peak of the function at the cursor can be reduced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import BARE, Editor, Opened, cursor
from lsprotocol import types
from tests.fixes.test_reduction import steps

from memlane.checking import check

SOURCE = """\
func.func @rows(%zero: f32, %out: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %early = memref.alloc()
    : memref<256xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.alloc() : memref<256xf32>
    linalg.fill ins(%zero : f32) outs(%row : memref<256xf32>)
    memref.dealloc %row : memref<256xf32>
    %growing = memref.alloc(%i) : memref<?xf32>
    memref.store %zero, %growing[%c0] : memref<?xf32>
    %got = memref.load %growing[%c0] : memref<?xf32>
    memref.dealloc %growing : memref<?xf32>
    memref.store %got, %out[%c0] : memref<256xf32>
  }
  linalg.fill ins(%zero : f32) outs(%early : memref<256xf32>)
  memref.copy %early, %out : memref<256xf32> to memref<256xf32>
  memref.dealloc %early : memref<256xf32>
  %late = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%late : memref<256xf32>)
  memref.copy %late, %out : memref<256xf32> to memref<256xf32>
  memref.dealloc %late : memref<256xf32>
  %large = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%large : memref<1024xf32>)
  %one = memref.load %large[%c0] : memref<1024xf32>
  memref.dealloc %large : memref<1024xf32>
  memref.store %one, %out[%c0] : memref<256xf32>
  return
}
"""
PEAKS = steps("main", 4) + steps("small", 1)
MOVE, REWRITE = types.CodeActionKind.RefactorMove, types.CodeActionKind.RefactorRewrite
REDUCE = "refactor.rewrite.memlane.reducePeak"
INVOKED, AUTOMATIC = types.CodeActionTriggerKind.Invoked, types.CodeActionTriggerKind.Automatic
HOISTED = (
    "Allocate %row before the loop, and free it after (unsafe: the buffer would live while the loop takes other "
    "memory: more may be needed at once)"
)


async def offered(document: Opened, line: int, kind: str = "refactor") -> list[types.CodeAction]:
    """The actions of a kind with the cursor in the middle of a line, counted from 1; those on whole functions apart."""
    return [one for one in await document.actions(cursor(line - 1, 9), only=[kind]) if one.kind != REDUCE]


def titles(actions: list[types.CodeAction]) -> list[tuple[object, str, str]]:
    """Kind, title without why not, and that."""
    found = [(one.kind, one.title, one.disabled.reason if one.disabled else "") for one in actions]
    assert all(not reason or title.endswith(f" (refused: {reason})") for _, title, reason in found)
    return [(kind, title.partition(" (refused: ")[0], reason) for kind, title, reason in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            (5, 6, 19),
            [
                (MOVE, "Allocate %early right before its first use", ""),
                (REWRITE, "Put %early on the stack", ""),
            ],
        ),
        (
            (8, 10),
            [
                (MOVE, HOISTED, ""),
                (
                    REWRITE,
                    "Let %row use the memory of an earlier buffer",
                    "%early of the same type is allocated in another block",
                ),
            ],
        ),
        (
            (11, 14),
            [
                (
                    MOVE,
                    "Allocate %growing before the loop, and free it after",
                    "its size depends on %i, which is computed in the loop",
                ),
                (
                    REWRITE,
                    "Put %growing on the stack",
                    "a loop may allocate it again before the stack is given back, when the function returns",
                ),
            ],
        ),
        (
            (20, 23),
            [
                (REWRITE, "Let %late use the memory of %early", ""),
                (REWRITE, "Put %late on the stack", ""),
            ],
        ),
        (
            (24, 27),
            [
                (
                    REWRITE,
                    "Put %large on the stack (unsafe: the buffer takes 4 KiB, and `limits.stack-promotion` is 1 KiB)",
                    "",
                ),
            ],
        ),
        ((7, 9, 17, 29), []),
    ],
)
async def test_a_buffer_is_moved_merged_or_put_on_the_stack(
    client: Editor, lines: tuple[int, ...], expected: Any
) -> None:
    document = client.open(SOURCE)
    for line in lines:
        assert titles(await offered(document, line)) == expected


async def test_what_they_leave_has_no_findings(client: Editor) -> None:
    document = client.open(SOURCE)
    done: list[str] = []
    for line in (5, 8, 20, 24):
        for action in (one for one in await offered(document, line) if not one.disabled):
            text = document.applied(document.edits(action.edit))
            assert text != SOURCE
            assert check(text).findings == ()
            done.append(text)
    assert len(done) == 6
    assert "memref.alloca() : memref<1024xf32>" in done[-1]


async def test_kinds_below_refactor_are_told_apart(client: Editor) -> None:
    document = client.open(SOURCE)
    assert {one.kind for one in await offered(document, 5, MOVE)} == {MOVE}
    assert {one.kind for one in await offered(document, 5, REWRITE)} == {REWRITE}
    assert await offered(document, 5, "refactor.inline") == []


async def test_an_editor_that_asks_by_itself_gets_none(client: Editor) -> None:
    found = await client.open(SOURCE).actions(cursor(4, 9), trigger=AUTOMATIC)
    assert not any("refactor" in str(one.kind) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("client", [BARE], indirect=True)
async def test_clients_that_show_no_reasons_get_what_can_be_done(client: Editor) -> None:
    document = client.open(SOURCE)
    assert titles(await document.actions(cursor(7, 9), only=["refactor"])) == [(MOVE, HOISTED, "")]
    assert await document.actions(cursor(10, 9), only=["refactor"]) == []


async def test_what_repairs_a_finding_is_no_refactoring(client: Editor, folder: Path) -> None:
    (folder / "memlane.toml").write_text('select = ["ALL", "early-alloc"]\n')
    document = client.open(SOURCE, (folder / "rows.mlir").as_uri())
    assert titles(await offered(document, 5)) == [(REWRITE, "Put %early on the stack", "")]
    fixes = [title for _, title, _ in titles(await offered(document, 5, "quickfix"))]
    assert "Allocate %early right before its first use" in fixes


async def reductions(
    document: Opened, function: str, only: list[str] | None = None, trigger: types.CodeActionTriggerKind | None = None
) -> list[types.CodeAction]:
    """The actions that reduce the peak of a function."""
    at = document.at(f"@{function}", inside=0)
    return [
        one for one in await document.actions(types.Range(at, at), only=only, trigger=trigger) if one.kind == REDUCE
    ]


async def known(document: Opened, function: str) -> types.CodeAction:
    """The action once it is known: on a busy machine the first answer comes before that."""
    [action] = await reductions(document, function, ["refactor"])
    if action.edit is None:
        await document.client.code_action_resolve_async(action)
        [action] = await reductions(document, function, ["refactor"])
    return action


async def put_in(document: Opened, action: types.CodeAction) -> str:
    """All that an action puts in."""
    resolved = action if action.edit else await document.client.code_action_resolve_async(action)
    return "".join(one.new_text for one in document.edits(resolved.edit))


async def test_the_title_of_a_reduction_says_what_comes_of_it(client: Editor) -> None:
    document = client.open(PEAKS)
    action = await known(document, "main")
    assert action.title == "Memlane: reduce the peak of @main from 256 KiB to 64 KiB"
    assert "memref.dealloc %b0" in await put_in(document, action)


async def test_a_reduction_is_offered_to_users_and_where_it_helps(client: Editor) -> None:
    document = client.open(PEAKS)
    assert await reductions(document, "main", trigger=INVOKED)
    assert not await reductions(document, "main", trigger=AUTOMATIC)
    assert not await reductions(document, "main", only=["quickfix"])
    for text, function in ((PEAKS, "small"), (SOURCE, "rows")):
        document = client.open(text)
        for action in await reductions(document, function, trigger=INVOKED):  # where it is not known at once
            assert (await client.code_action_resolve_async(action)).edit is None
        assert not await reductions(document, function, trigger=INVOKED)


@pytest.mark.slow
async def test_before_a_reduction_is_known_it_has_no_numbers(client: Editor) -> None:
    document = client.open(steps("main", 100))
    [action] = await reductions(document, "main", ["refactor"])
    if action.edit is None:  # a machine may be fast
        assert action.title == "Memlane: reduce the peak of @main"
    assert (await put_in(document, action)).count("memref.dealloc") == 99
    action = await known(document, "main")
    assert action.title == "Memlane: reduce the peak of @main from 6.25 MiB to 64 KiB"
