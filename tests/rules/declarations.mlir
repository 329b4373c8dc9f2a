// Declarations as `--mlir-print-op-generic` prints them have a region with nothing in it. Those of well-known functions
// do what these do, and what others give belongs to the caller.

"builtin.module"() ({
  "llvm.func"() <{function_type = !llvm.func<ptr (i64)>, linkage = #llvm.linkage<external>, sym_name = "malloc"}> ({
  }) : () -> ()
  "llvm.func"() <{function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "free"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> memref<4xf32>, sym_name = "make", sym_visibility = "private"}> ({
  }) : () -> ()
  "llvm.func"() <{function_type = !llvm.func<void (i64)>, linkage = #llvm.linkage<external>, sym_name = "lost"}> ({
  ^bb0(%size: i64):
    // expected-warning @below [leak] {{buffer %a of %size bytes is never freed}}
    %a = "llvm.call"(%size) <{callee = @malloc, operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> !llvm.ptr
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{function_type = !llvm.func<void (i64)>, linkage = #llvm.linkage<external>, sym_name = "freed"}> ({
  ^bb0(%size: i64):
    %a = "llvm.call"(%size) <{callee = @malloc, operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> !llvm.ptr
    "llvm.call"(%a) <{callee = @free, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.ptr) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "given"}> ({
    // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
    %a = "func.call"() <{callee = @make}> : () -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
