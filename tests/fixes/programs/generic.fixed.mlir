// The generic form: a block that was empty gets what ends it.
"func.func"() ({
^bb0(%x: memref<4xf32>, %c: i1):
  %a = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32>
  "memref.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "scf.if"(%c) ({
    "memref.copy"(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
    %b = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    "scf.yield"() : () -> ()
  }, {
    memref.dealloc %a : memref<4xf32>
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  "func.return"() : () -> ()
}) {function_type = (memref<4xf32>, i1) -> (), sym_name = "f"} : () -> ()
