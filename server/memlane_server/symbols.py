"""Symbols by name, in open documents and in files of the open folders. Other files are read, not parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from memlane.cancellation import poll
from memlane.dialects import builtin_models
from memlane.findings import Span
from memlane.ide.completion import in_order
from memlane.ide.snapshot import File
from memlane.lazy import regex
from memlane.read_file import read_text
from memlane.text import Text
from memlane_server.convert import Converter
from memlane_server.limits import MAX_FILES, MAX_SEARCHED_BYTES, MAX_SYMBOLS

_HEAD = regex(
    r'^[ \t]*"?(?P<op>[a-z_][\w.]*)"?[ \t]+(?:[a-z]+[ \t]+|"[a-z]+"[ \t]+)*@(?P<name>[\w$.-]+|"[^"\n]*")', re.MULTILINE
)
_FUNCTION = types.SymbolKind.Function
SKIPPED = {"node_modules", "__pycache__"}


def search(query: str, files: Iterable[File], folders: Iterable[Path], encoding: str) -> list[types.WorkspaceSymbol]:
    """The symbols whose name has the letters of `query` in their order."""
    wanted = query.lstrip("@").lower()
    opened = {file.uri: file.text for file in files}
    found: list[types.WorkspaceSymbol] = []
    for uri, text in (*opened.items(), *_on_disk(folders, set(opened))):
        poll()
        found += _of_text(uri, text, wanted, encoding)
        if len(found) >= MAX_SYMBOLS:
            return found[:MAX_SYMBOLS]
    return found


def _of_text(uri: str, text: Text, wanted: str, encoding: str) -> Iterator[types.WorkspaceSymbol]:
    convert = Converter(text, encoding)
    for name, kind, span in heads(text.source):
        if in_order(wanted, name.lower()):
            yield types.WorkspaceSymbol(convert.location(uri, span), f"@{name}", kind)


@lru_cache(maxsize=64)
def heads(source: str) -> tuple[tuple[str, types.SymbolKind, Span], ...]:
    """The symbols that lines begin to define: name, kind and place."""
    models = builtin_models()
    found: list[tuple[str, types.SymbolKind, Span]] = []
    for match in _HEAD.finditer(source):
        op = match["op"]
        model = models.of(models.aliases.get(op, op))
        if model is not None and model.call is not None:
            continue
        function = model is not None and model.function is not None
        module = model is not None and model.symbol_table and not function
        kind = (
            types.SymbolKind.Function if function else types.SymbolKind.Module if module else types.SymbolKind.Constant
        )
        found.append((match["name"].strip('"'), kind, Span(match.start("name") - 1, match.end("name"))))
    return tuple(found)


def _on_disk(folders: Iterable[Path], opened: set[str]) -> Iterator[tuple[str, Text]]:
    """Files of the folders that are not open, up to a limit."""
    left = MAX_SEARCHED_BYTES
    for number, path in enumerate(path for folder in folders for path in walk(folder)):
        uri = from_fs_path(str(path))
        if number >= MAX_FILES or left <= 0:
            return
        poll()
        try:
            if uri is None or uri in opened or path.stat().st_size > left:
                continue
            source = read_text(path, left)
        except (OSError, UnicodeDecodeError):
            continue  # gone, or no text: it has no symbols
        left -= len(source)
        yield uri, Text(source)


def walk(folder: Path) -> Iterator[Path]:
    """The programs in a folder, hidden ones apart."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(files):
            path = Path(root, name)
            if name.endswith(".mlir") and path.is_file():  # devices and pipes may never end
                yield path
