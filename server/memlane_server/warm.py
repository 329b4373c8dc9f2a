"""A check before the client has said anything: what every check needs is loaded while the editor still starts.

These are modules, shapes of statements and the models of common dialects, some 50 ms that the first document that is
opened need not wait for; and what turns messages of a kind into objects and back, which is made when the first one
comes: 1 to 2 ms a kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memlane.config import Config
from memlane.snapshot import File

if TYPE_CHECKING:
    from memlane_server.protocol import Protocol

SAMPLE = """\
func.func private @g(%a: memref<?xf32>) -> memref<?xf32>
func.func @f(%n: index, %flag: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = scf.if %flag -> memref<?xf32> {
    %c = func.call @g(%a) : (memref<?xf32>) -> memref<?xf32>
    scf.yield %c : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  memref.store %one, %b[%zero] : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}
"""


_PLACE = {"line": 0, "character": 0}
_RANGE = {"start": _PLACE, "end": _PLACE}
_DOCUMENT = {"uri": "memlane:sample"}
COMING: dict[str, dict[str, Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: {"textDocument": _DOCUMENT | {"languageId": "mlir", "version": 1, "text": ""}},
    types.TEXT_DOCUMENT_DID_CHANGE: {
        "textDocument": _DOCUMENT | {"version": 2},
        "contentChanges": [{"range": _RANGE, "text": ""}],
    },
    types.TEXT_DOCUMENT_INLAY_HINT: {"textDocument": _DOCUMENT, "range": _RANGE},
    types.TEXT_DOCUMENT_HOVER: {"textDocument": _DOCUMENT, "position": _PLACE},
    types.TEXT_DOCUMENT_DEFINITION: {"textDocument": _DOCUMENT, "position": _PLACE},
}
"""Messages that a client is likely to send first."""
_START = types.Position(0, 0)
_HERE = types.Range(_START, _START)
GOING: dict[str, object] = {
    types.TEXT_DOCUMENT_INLAY_HINT: [types.InlayHint(_START, "", padding_left=True, data=[])],
    types.TEXT_DOCUMENT_HOVER: types.Hover(types.MarkupContent(types.MarkupKind.Markdown, ""), _HERE),
    types.TEXT_DOCUMENT_DEFINITION: [types.Location("memlane:sample", _HERE)],
}
"""What it is answered."""


def warm_up() -> None:
    """Check a program that nobody sees."""
    _ = File("memlane:sample", None, (SAMPLE,), Config()).parts


def warm_messages(protocol: Protocol) -> None:
    """Read and write messages that nobody sends."""
    for method, params in COMING.items():
        number = {"id": 0} if method in GOING else {}
        protocol.structure_message({"jsonrpc": "2.0", "method": method, "params": params, **number})
    for method, result in GOING.items():
        protocol.written(0, method, result)
