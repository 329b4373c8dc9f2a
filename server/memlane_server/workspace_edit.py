"""What a fix does, as an edit of the workspace: to its document, and to the end of configuration files.

A file that is not there yet is made first, where the client can do that; a client that cannot is not offered the fix.
"""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from memlane.findings import Addition, Edit, Fix, Span
from memlane.ide.snapshot import File
from memlane.read_file import read_text
from memlane.text import Text
from memlane_server.convert import Converter
from memlane_server.project import file_path
from memlane_server.session import Session


def workspace_edit(session: Session, file: File, convert: Converter, fix: Fix) -> types.WorkspaceEdit | None:
    """The edit that applies `fix` to the version of the document it was made for; None: the client cannot do that."""
    edit = session.workspace_edit(file, convert.edits(fix.edits))
    for added in fix.additions:
        changes = _changes(session, file, convert, added)
        if changes is None:
            return None
        edit = _with(edit, changes)
    return edit


Change = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile


def _with(edit: types.WorkspaceEdit, changes: list[Change]) -> types.WorkspaceEdit:
    if edit.document_changes is None:
        texts = {one.text_document.uri: one.edits for one in changes if isinstance(one, types.TextDocumentEdit)}
        known = {uri: list(edits) for uri, edits in (edit.changes or {}).items() if edits}
        added = {uri: [one for one in edits if isinstance(one, types.TextEdit)] for uri, edits in texts.items()}
        return types.WorkspaceEdit(changes={**known, **added})
    kept = [one for one in edit.document_changes if not isinstance(one, types.TextDocumentEdit) or one.edits]
    return types.WorkspaceEdit(document_changes=[*kept, *changes])


def _changes(session: Session, file: File, convert: Converter, added: Addition) -> list[Change] | None:
    path = added.file if added.file is not None else _new(session, file, added)
    uri = from_fs_path(str(path.absolute())) if path is not None else None
    if path is None or uri is None:
        return None
    try:
        text = Text(read_text(path)) if path.is_file() else None
    except (OSError, ValueError):  # not to be read, or no text: nothing can be added to it
        return None
    if text is None and not _makes_files(session):
        return None
    change = _placed(text.source if text is not None else "", added)
    if change is None:
        return None
    place = Converter(text or Text(""), convert.encoding).range(change.span)
    document = types.OptionalVersionedTextDocumentIdentifier(uri, None)
    edit = types.TextDocumentEdit(document, [types.TextEdit(place, change.content)])
    made = [types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))] if text is None else []
    return [*made, edit]


def _placed(source: str, added: Addition) -> Edit | None:
    """What adds to a file: lines at its end, or in a table of it; None where the table is written in another form."""
    content = f"\n{added.table}\n{added.content}" if added.table else added.content
    if added.table:
        header = re.compile(rf"^[ \t]*{re.escape(added.table)}[ \t]*(?:#.*)?\n?", re.MULTILINE).search(source)
        if header is not None:
            return _in_table(source, header.end(), added.content)
        if re.search(rf"^[ \t]*{added.table.strip('[]').rpartition('.')[2]}[ \t]*[.=]", source, re.MULTILINE):
            return None
    end = len(source)
    if not source:
        content = content.lstrip("\n")
    elif not source.endswith("\n"):
        content = f"\n{content}"
    return Edit(Span(end, end), content)


def _in_table(source: str, start: int, content: str) -> Edit:
    """A key in a table whose keys begin at `start`: in place of the same key, else before all others."""
    after = re.compile(r"^[ \t]*\[", re.MULTILINE).search(source, start)
    stop = after.start() if after is not None else len(source)
    key = re.escape(content.partition(" = ")[0])
    same = re.compile(rf"^[ \t]*([\"']?){key}\1[ \t]*=.*\n?", re.MULTILINE).search(source, start, stop)
    span = Span(*same.span()) if same is not None else Span(start, start)
    return Edit(span, content if source[:start].endswith("\n") else f"\n{content}")


def _new(session: Session, file: File, added: Addition) -> Path | None:
    """Where a new file goes: to the folder that is open, if the document is in it, else beside the document."""
    path, root = file_path(file.uri), session.project.root
    if root is not None and (path is None or path.is_relative_to(root)):
        return root / added.name
    return path.parent / added.name if path is not None else None


def _makes_files(session: Session) -> bool:
    workspace = session.capabilities.workspace
    can = workspace.workspace_edit if workspace is not None else None
    kinds = can.resource_operations or [] if can is not None else []
    return can is not None and bool(can.document_changes) and types.ResourceOperationKind.Create in kinds
