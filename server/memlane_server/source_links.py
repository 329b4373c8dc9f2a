"""Where the files are that the locations of a document name: links to those in the open folders, and to no others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from memlane.source_frames import SourceFrame
from memlane_server.project import file_path


class SourceLinks:
    """Those of one document. Of files in the open folders it is asked whether they are there; none is opened.

    Args:
        uri: of the document: relative paths count from its folder, or else from an open one.
        folders: the open ones.
    """

    def __init__(self, uri: str, folders: Iterable[Path]) -> None:
        path = file_path(uri)
        self._folders = tuple(folders)
        self._bases = (*([path.parent] if path is not None else []), *self._folders)
        self._known: dict[str, str | None] = {}

    def location(self, frame: SourceFrame) -> types.Location | None:
        """The place of a frame; None: it is in no open folder, or not there."""
        if frame.path not in self._known:
            self._known[frame.path] = self._uri(frame.path)
        uri = self._known[frame.path]
        place = types.Position(max(0, frame.line - 1), max(0, frame.column - 1))
        return types.Location(uri, types.Range(place, place)) if uri is not None else None

    def _uri(self, name: str) -> str | None:
        try:
            paths = [(base / name).resolve() for base in self._bases]
            folders = [folder.resolve() for folder in self._folders]
            inside = (path for path in paths if any(path.is_relative_to(folder) for folder in folders))
            found = next((path for path in inside if path.is_file()), None)
        except (OSError, ValueError, RuntimeError):  # no path of this system
            return None
        return from_fs_path(str(found)) if found is not None else None
