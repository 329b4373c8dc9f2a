// The generic form: a block that was empty gets what ends it.
"func.func"() ({
^bb0(%x: memref<4xf32>, %c: i1):
  %a = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32>
  "memref.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "scf.if"(%c) ({
    "memref.copy"(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    %b = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<4xf32>
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  "func.return"() : () -> ()
}) {function_type = (memref<4xf32>, i1) -> (), sym_name = "f"} : () -> ()

// Two edges of one operation get a block each, with names of their own.
"func.func"() <{function_type = (memref<8xi64>, i32) -> (), sym_name = "two_edges"}> ({
^bb0(%x: memref<8xi64>, %n: i32):
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi64>
  "memref.copy"(%x, %a) : (memref<8xi64>, memref<8xi64>) -> ()
  "cf.switch"(%n, %x, %a)[^bb2, ^bb1, ^bb2] <{case_operand_segments = array<i32: 0, 1>, case_values = dense<[0, 1]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, memref<8xi64>, memref<8xi64>) -> ()
^bb1:
  "memref.copy"(%a, %x) : (memref<8xi64>, memref<8xi64>) -> ()
  "cf.br"(%x)[^bb2] : (memref<8xi64>) -> ()
^bb2(%7: memref<8xi64>):
  "memref.copy"(%x, %x) : (memref<8xi64>, memref<8xi64>) -> ()
  "func.return"() : () -> ()
}) : () -> ()
