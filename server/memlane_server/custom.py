"""Messages that are Memlane's own, in the form in which pygls knows those of LSP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

LANES = "memlane/lanes"
CURSOR = "memlane/cursor"
LANES_CHANGED = "memlane/lanesChanged"

Id = int | str


@dataclass(frozen=True, slots=True)
class LanesParams:
    """Of `memlane/lanes`: a document, and which function: by name, by a position in it, or all."""

    text_document: types.TextDocumentIdentifier
    function: str | None = None
    position: types.Position | None = None


@dataclass(frozen=True, slots=True)
class LanesRequest:
    """The request `memlane/lanes`."""

    id: Id
    params: LanesParams
    method: str = LANES
    jsonrpc: str = "2.0"


@dataclass(frozen=True, slots=True)
class CursorParams:
    """Of `memlane/cursor`: a place in a document."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


@dataclass(frozen=True, slots=True)
class CursorRequest:
    """The request `memlane/cursor`."""

    id: Id
    params: CursorParams
    method: str = CURSOR
    jsonrpc: str = "2.0"


def given_back(data: object, *kinds: type[object]) -> tuple[Any, ...]:
    """Data of ours that a client gives back; raises `JsonRpcInvalidParams` where it is not what it was given."""
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise JsonRpcInvalidParams("these data are not the server's")
    items = tuple(cast("Sequence[object]", data))
    if len(items) != len(kinds) or not all(map(isinstance, items, kinds)):
        raise JsonRpcInvalidParams("these data are not the server's")
    return items


MESSAGES: dict[str, type[Any]] = {LANES: LanesRequest, CURSOR: CursorRequest}
"""By method."""


def register(converter: Any) -> None:
    """Teach a converter these messages."""

    def document(given: dict[str, Any]) -> types.TextDocumentIdentifier:
        return converter.structure(given["textDocument"], types.TextDocumentIdentifier)

    def position(given: dict[str, Any]) -> types.Position:
        return converter.structure(given["position"], types.Position)

    def lanes(given: dict[str, Any], _: object) -> LanesRequest:
        params = given["params"]
        where = position(params) if params.get("position") is not None else None
        function = converter.structure(params["function"], str) if params.get("function") is not None else None
        return LanesRequest(given["id"], LanesParams(document(params), function, where))

    def cursor(given: dict[str, Any], _: object) -> CursorRequest:
        params = given["params"]
        return CursorRequest(given["id"], CursorParams(document(params), position(params)))

    converter.register_structure_hook(LanesRequest, lanes)
    converter.register_structure_hook(CursorRequest, cursor)
