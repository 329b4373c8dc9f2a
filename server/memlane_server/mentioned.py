"""Files that a document mentions, as URIs. Nothing here looks at them."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import from_fs_path

from memlane.ide.file_mentions import FileMention
from memlane_server.project import file_path
from memlane_server.session import Session


def folder_of(session: Session, uri: str) -> Path | None:
    """The folder that relative paths in a document count from."""
    path = file_path(uri)
    return path.parent if path is not None else session.project.root


def target(mention: FileMention, folder: Path | None) -> str:
    """The URI of the file that is mentioned."""
    path = (folder or Path.cwd()) / mention.path
    return from_fs_path(str(path)) or path.as_posix()
