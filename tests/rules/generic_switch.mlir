// In the generic form an attribute says which numbers lead where, and the way for all others comes first.

func.func @known() {
  %two = "arith.constant"() <{value = 2 : index}> : () -> index
  %a = memref.alloc() : memref<4xf32>
  "scf.index_switch"(%two) <{cases = array<i64: 2>}> ({
    memref.dealloc %a : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    "scf.yield"() : () -> ()
  }, {
    memref.dealloc %a : memref<4xf32>
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// What is made in one case is freed in it, in another operation.
func.func @twice(%k: index, %in: memref<4xf32>) {
  %r = "scf.index_switch"(%k) <{cases = array<i64: 0, 5>}> ({
    "scf.yield"(%in) : (memref<4xf32>) -> ()
  }, {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %in, %a : memref<4xf32> to memref<4xf32>
    "scf.yield"(%a) : (memref<4xf32>) -> ()
  }, {
    // expected-warning @below [leak] {{%b}}
    %b = memref.alloc() : memref<4xf32>
    memref.copy %in, %b : memref<4xf32> to memref<4xf32>
    "scf.yield"(%b) : (memref<4xf32>) -> ()
  }) : (index) -> memref<4xf32>
  memref.copy %r, %in : memref<4xf32> to memref<4xf32>
  "scf.index_switch"(%k) <{cases = array<i64: 0>}> ({
    "scf.yield"() : () -> ()
  }, {
    memref.dealloc %r : memref<4xf32>
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

func.func @no_case(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  "scf.index_switch"(%k) <{cases = array<i64>}> ({
    memref.dealloc %a : memref<4xf32>
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

func.func @blocks(%in: memref<4xf32>) {
  %seven = "arith.constant"() <{value = -7 : i32}> : () -> i32
  %a = memref.alloc() : memref<4xf32>
  "cf.switch"(%seven, %a)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 0, 1>, case_values = dense<[0, -7]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, memref<4xf32>) -> ()
^bb1:
  memref.copy %a, %in : memref<4xf32> to memref<4xf32>
  return
^bb2:
  return
^bb3(%b: memref<4xf32>):
  memref.dealloc %b : memref<4xf32>
  return
}

// What `mlir-opt` prints of the same.
func.func @without_a_sign(%in: memref<4xf32>) {
  %c-7_i32 = arith.constant -7 : i32
  %a = memref.alloc() : memref<4xf32>
  cf.switch %c-7_i32 : i32, [
    default: ^bb1,
    0: ^bb2,
    4294967289: ^bb3(%a : memref<4xf32>)
  ]
^bb1:
  memref.copy %a, %in : memref<4xf32> to memref<4xf32>
  return
^bb2:
  return
^bb3(%b: memref<4xf32>):
  memref.dealloc %b : memref<4xf32>
  return
}

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @lowered() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  "llvm.switch"(%one)[^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  llvm.return
^bb2:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
