"""textDocument/codeAction: repairs of findings, comments that silence them, their rule; the reason where none exists.

They are offered wherever the cursor is in the statement of a finding.

What takes long, all safe fixes, has its edit at once only for clients that cannot ask for it by codeAction/resolve."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from lsp_client import BARE, CLIENTS, Editor, Opened, Start, cursor, every_client, initialization, many
from lsprotocol import types
from programs import LEAKS

from memlane.checking import check
from memlane.config import load_config

FIX_ALL = "source.fixAll.memlane"
T = "memref<4xf32>"
SOMETIMES_OWNED = f"""func.func private @cond() -> i1
func.func @pick(%x: {T}) -> {T} {{
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}
func.func @f(%x: {T}) {{
  %r = func.call @pick(%x) : ({T}) -> {T}
  return
}}
"""
UNKNOWN = 'func.func @f(%a: memref<4xf32>) {\n  "npu.run"(%a) : (memref<4xf32>) -> ()\n  return\n}\n'
STUB = '[op."npu.run"]\nread = [0]\nwrite = [0]\n'
PLAIN = ["Ignore unknown-effects here", "Memlane: explain unknown-effects"]


def supports(client: Editor) -> types.CodeActionClientCapabilities:
    """What a client can do with actions."""
    document = client.capabilities.text_document if client.capabilities is not None else None
    able = document.code_action if document is not None else None
    return able or types.CodeActionClientCapabilities()


@every_client
async def test_quick_fix_goes_with_its_diagnostic(client: Editor) -> None:
    document = client.open(LEAKS)
    shown = [evolve(one, source=None) for one in await document.findings()]  # ALE leaves the source out
    action, silence, *_ = await document.actions(document.range("memref.alloc"), shown)
    assert silence.title == "Ignore leak here"
    assert (action.kind, action.is_preferred) == (types.CodeActionKind.QuickFix, True)
    assert [one.code for one in many(action.diagnostics)] == ["leak"]
    repaired = document.applied(document.edits(action.edit))
    assert "memref.dealloc %lost" in repaired
    assert not [one for one in check(repaired).findings if one.rule.name == "leak"]


@every_client
async def test_fix_all_is_given_to_who_asks_for_it(client: Editor) -> None:
    document = client.open(LEAKS)
    for only, wanted in ((["source.fixAll"], 1), ([FIX_ALL], 1), (["refactor"], 0)):
        found = await document.actions(document.whole, only=only)
        assert [one.kind for one in found].count(FIX_ALL) == wanted
        assert all(str(one.kind).startswith(only[0]) for one in found)
    kinds = {str(one.kind).partition(".")[0] for one in await document.actions(document.whole)}
    assert {types.CodeActionKind.QuickFix.value} <= kinds <= {"quickfix", "refactor"}


@pytest.mark.slow
@every_client
async def test_what_takes_long_is_worked_out_when_the_user_wants_it(client: Editor) -> None:
    document = client.open(LEAKS)
    [action] = await document.actions(document.whole, only=[FIX_ALL])
    support = supports(client).resolve_support
    later = support is not None and "edit" in support.properties
    assert (action.edit is None) == later
    if later:
        action = await client.code_action_resolve_async(action)
    assert "memref.dealloc %lost" in document.applied(document.edits(action.edit))


@every_client
async def test_a_client_that_shows_them_is_told_why_there_is_no_fix(client: Editor) -> None:
    document = client.open(SOMETIMES_OWNED)
    leak = next(one for one in await document.findings() if "leak" in str(one.code))
    disabled = [one for one in await document.actions(leak.range, [leak]) if one.disabled]
    if not supports(client).disabled_support:
        assert disabled == []
        return
    [action] = disabled
    assert action.disabled is not None and action.edit is None
    assert action.disabled.reason.startswith("the caller owns the result of @pick on some paths only")
    assert [one.code for one in many(action.diagnostics)] == [leak.code]


async def test_what_a_comment_silences_for_nothing_can_go(client: Editor) -> None:
    document = client.open(LEAKS.replace("f32>\n", "f32>  // memlane: ignore[leak, double-free] not ours\n", 1))
    [found] = await document.findings()
    assert found.code == "unused-suppression"
    titles = [action.title for action in await document.actions(found.range, [found])]
    assert "Remove double-free from the comment" in titles


def makes_files(name: str) -> bool:
    """Whether a client can make files by an edit."""
    workspace = initialization(name).capabilities.workspace
    edit = workspace.workspace_edit if workspace is not None else None
    return edit is not None and bool(edit.document_changes) and "create" in many(edit.resource_operations)


ABLE = [name for name in CLIENTS if makes_files(name)]
UNABLE = [BARE, *(name for name in CLIENTS if not makes_files(name))]


async def unknown(start: Start, name: str, folder: Path) -> tuple[Opened, list[types.CodeAction]]:
    """What a client is offered for an operation that is not described."""
    client = await start(initialization(name, root_uri=folder.as_uri(), workspace_folders=None))
    document = client.open(UNKNOWN, (folder / "a.mlir").as_uri())
    return document, await document.actions(cursor(1, 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", ABLE)
async def test_a_new_file_is_made_in_the_folder_that_is_open(start: Start, name: str, tmp_path: Path) -> None:
    _, (describe, *_) = await unknown(start, name, tmp_path)
    assert describe.title.startswith("Describe npu.run in memlane.toml (unsafe: ")
    assert describe.edit is not None
    made, added = many(describe.edit.document_changes)
    file = (tmp_path / "memlane.toml").as_uri()
    assert made == types.CreateFile(file, options=types.CreateFileOptions(ignore_if_exists=True))
    assert isinstance(added, types.TextDocumentEdit)
    assert added.text_document == types.OptionalVersionedTextDocumentIdentifier(file, None)
    assert isinstance(added.edits[0], types.TextEdit) and STUB in added.edits[0].new_text


@pytest.mark.slow
@pytest.mark.parametrize("name", [ABLE[0], BARE])
@pytest.mark.parametrize("end", ["", "\n"])
async def test_a_file_that_is_there_gets_it_at_its_end(start: Start, name: str, tmp_path: Path, end: str) -> None:
    file = tmp_path / "memlane.toml"
    before = f'# \N{WHITE HEAVY CHECK MARK}\nignore = ["leak"]{end}'
    file.write_text(before, encoding="utf-8")
    document, (describe, *_) = await unknown(start, name, tmp_path)
    toml = Opened(document.client, file.as_uri(), before)
    assert describe.edit is not None and (describe.edit.document_changes is None) == (name == BARE)
    [change] = toml.edits(describe.edit)
    assert change.range.start == toml.place(len(before))
    assert change.new_text.startswith("\n# " if end else "\n\n# ")
    assert STUB in change.new_text


@pytest.mark.slow
@pytest.mark.parametrize("name", UNABLE)
async def test_a_client_that_cannot_make_files_is_not_offered_one(start: Start, name: str, tmp_path: Path) -> None:
    _, found = await unknown(start, name, tmp_path)
    assert [one.title for one in found if not one.disabled] == PLAIN


@pytest.mark.slow
async def test_a_file_that_is_no_text_gets_nothing(start: Start, tmp_path: Path) -> None:
    (tmp_path / "memlane.toml").write_bytes(b'ignore = ["leak"]\n# \xff\n')
    _, found = await unknown(start, ABLE[0], tmp_path)
    assert [one.title for one in found if not one.disabled] == PLAIN


LEAK_EACH = "".join(
    f"func.func @f{number}() {{\n  %a = memref.alloc() : memref<4xf32>\n  return\n}}\n" for number in range(3)
)


async def titles(document: Opened, line: int, character: int) -> list[str]:
    """Those of what is offered at a place."""
    return [one.title for one in await document.actions(cursor(line, character))]


async def titled(document: Opened, line: int, title: str) -> types.CodeAction | None:
    """What is offered at the start of a line, by its title."""
    return {one.title: one for one in await document.actions(cursor(line, 0))}.get(title)


async def test_actions_are_offered_wherever_the_cursor_is_in_a_statement(client: Editor) -> None:
    document = client.open(LEAK_EACH)
    first, *others = [await titles(document, 1, character) for character in (0, 2, 8, 33)]
    assert others == [first] * 3
    assert [title for title in first if "leak" in title] == [
        "Memlane: apply all safe fixes of leak in the file (3 findings)",
        "Ignore leak here",
        "Turn leak off in memlane.toml",
        "Memlane: explain leak",
    ]
    assert not any("leak" in title for title in await titles(document, 0, 3))


async def test_later_lines_of_a_statement_count_and_what_is_in_its_regions_does_not(client: Editor) -> None:
    text = "func.func @f(\n    %c: i1) {\n  %a = memref.alloc(\n  )\n    : memref<4xf32>\n  scf.if %c {\n"
    text += "    %b = memref.alloc() : memref<8xf32>\n  }\n  return\n}\n"
    document = client.open(text)
    for line, buffer in ((2, "%a"), (3, "%a"), (4, "%a"), (6, "%b")):
        found = await titles(document, line, 2)
        assert [one for one in found if one.startswith("Free ")] == [f"Free {buffer} after its last use"]
        assert "Ignore leak here" in found
    for line in (0, 1, 5, 7, 8):
        assert not any("leak" in title for title in await titles(document, line, 2))


async def test_all_fixes_of_a_rule_leave_the_other_rules(client: Editor) -> None:
    twice = "func.func @g(%x: memref<4xf32>) {\n  %a = memref.alloc() : memref<4xf32>\n"
    twice += "  memref.dealloc %a : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n"
    document = client.open(LEAK_EACH + twice)
    action = await titled(document, 1, "Memlane: apply all safe fixes of leak in the file (3 findings)")
    assert action is not None
    repaired = document.applied(document.edits((await client.code_action_resolve_async(action)).edit))
    assert [finding.rule.name for finding in check(repaired).findings] == ["double-free"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[severity]\nleak = "off"\n'),
        ("select = ['ALL']", "select = ['ALL']\n\n[severity]\nleak = \"off\"\n"),
        ('[severity]\nleak = "hint"\n', '[severity]\nleak = "off"\n'),
        (
            '[severity]  # mine\n"late-free" = "hint"\n[limits]\n',
            '[severity]  # mine\nleak = "off"\n"late-free" = "hint"\n[limits]\n',
        ),
        ("[severity]", '[severity]\nleak = "off"\n'),
        ('severity = { leak = "hint" }\n', None),
        ('severity.leak = "hint"\n', None),
    ],
)
async def test_a_rule_is_turned_off_in_the_configuration_file(
    client: Editor, folder: Path, before: str, after: str | None
) -> None:
    file = folder / "memlane.toml"
    if before:
        file.write_text(before)
    document = client.open(LEAK_EACH, (folder / "a.mlir").as_uri())
    action = await titled(document, 1, "Turn leak off in memlane.toml")
    assert (action is None) == (after is None)
    if action is None:
        return
    assert action.edit is not None
    *made, change = many(action.edit.document_changes)
    assert bool(made) == (not before)
    assert isinstance(change, types.TextDocumentEdit)
    [edit] = change.edits
    assert isinstance(edit, types.TextEdit)
    written = Opened(client, file.as_uri(), before).applied([edit])
    assert written == after
    file.write_text(written)
    config, problems = load_config(file)
    assert not problems
    assert check(LEAK_EACH, config).findings == ()


async def test_explaining_a_rule_shows_its_page(client: Editor) -> None:
    action = await titled(client.open(LEAK_EACH), 1, "Memlane: explain leak")
    assert action is not None and action.command is not None
    client.shown_documents.clear()
    assert await client.run(action.command.command, *action.command.arguments or ()) is True
    [shown] = client.shown_documents
    assert shown.uri.endswith("/rules/leak/")
    assert shown.external is True
