"""A check before the client has said anything: what every check needs is loaded while the editor still starts.

These are modules, shapes of statements and the models of common dialects, some 60 ms that the first document that is
opened need not wait for; and what turns messages of a kind into objects and back, which is made when the first one
comes: 1 to 2 ms a kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memlane.config import Config
from memlane.ide.snapshot import File

if TYPE_CHECKING:
    from memlane_server.protocol import Protocol

SAMPLE = """\
#map = affine_map<(d0) -> (d0)>
memref.global "private" constant @table : memref<4xf32> = dense<0.0>
func.func private @g(%a: memref<?xf32>) -> memref<?xf32>
func.func private @h(%a: memref<?xf32>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %size = memref.dim %a, %zero : memref<?xf32>
  %part = memref.subview %a[%zero] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %cast = memref.cast %a : memref<?xf32> to memref<*xf32>
  %again = memref.reinterpret_cast %a to offset: [0], sizes: [%size], strides: [1] : memref<?xf32> to memref<?xf32>
  %x = memref.load %part[%zero] : memref<?xf32, strided<[1], offset: ?>>
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func @f(%n: index, %flag: i1) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %more = arith.addi %n, %step : index
  %a = memref.alloc(%n) : memref<?xf32>
  %t = memref.get_global @table : memref<4xf32>
  %s = memref.alloca() : memref<4xf32>
  memref.copy %t, %s : memref<4xf32> to memref<4xf32>
  %b = scf.if %flag -> memref<?xf32> {
    %c = func.call @g(%a) : (memref<?xf32>) -> memref<?xf32>
    scf.yield %c : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  %sum = scf.for %i = %zero to %n step %step iter_args(%v = %one) -> (f32) {
    %m = memref.alloc() : memref<4x4xf32>
    %k = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %e = memref.expand_shape %k [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    linalg.matmul ins(%m, %m : memref<4x4xf32>, memref<4x4xf32>) outs(%e : memref<4x4xf32>)
    memref.dealloc %m : memref<4x4xf32>
    %w = func.call @h(%a, %i) : (memref<?xf32>, index) -> f32
    scf.yield %w : f32
  }
  affine.for %i = 0 to 4 {
    %q = affine.apply #map(%i)
    %r = affine.load %t[%q] : memref<4xf32>
    affine.store %r, %s[%i] : memref<4xf32>
  }
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.mulf %in, %out : f32
    linalg.yield %z : f32
  }
  memref.store %sum, %b[%zero] : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  %less = arith.cmpi slt, %n, %more : index
  cf.cond_br %less, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<?xf32>
  cf.br ^bb2
^bb2:
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
    """Check a built-in program, to load what checks need."""
    _ = File("memlane:sample", None, (SAMPLE,), Config()).parts


def warm_messages(protocol: Protocol) -> None:
    """Read and write sample messages, to load what messages need."""
    for method, params in COMING.items():
        number = {"id": 0} if method in GOING else {}
        protocol.structure_message({"jsonrpc": "2.0", "method": method, "params": params, **number})
    for method, result in GOING.items():
        protocol.written(0, method, result)
