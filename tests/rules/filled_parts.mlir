// Views that begin where a variable does are parts of it: filled, all else stays as it is.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

func.func @one_of_two(%n: i64) {
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %v = memref.alloca() : memref<2x!llvm.ptr>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  memref.store %a, %v[%c1] : memref<2x!llvm.ptr>
  %first = memref.subview %v[0] [1] [1] : memref<2x!llvm.ptr> to memref<1x!llvm.ptr, strided<[1]>>
  linalg.fill ins(%null : !llvm.ptr) outs(%first : memref<1x!llvm.ptr, strided<[1]>>)
  %l = memref.load %v[%c1] : memref<2x!llvm.ptr>
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  return
}

func.func @both(%n: i64) {
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %v = memref.alloca() : memref<2x!llvm.ptr>
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  memref.store %a, %v[%c1] : memref<2x!llvm.ptr>
  linalg.fill ins(%null : !llvm.ptr) outs(%v : memref<2x!llvm.ptr>)
  %l = memref.load %v[%c1] : memref<2x!llvm.ptr>
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  return
}

func.func @memref_in_one_of_two() {
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %v[%c1] : memref<2xmemref<4xf32>>
  %first = memref.subview %v[0] [1] [1] : memref<2xmemref<4xf32>> to memref<1xmemref<4xf32>, strided<[1]>>
  // expected-warning @below [uninitialized-read] {{%b}}
  linalg.fill ins(%b : memref<4xf32>) outs(%first : memref<1xmemref<4xf32>, strided<[1]>>)
  %l = memref.load %v[%c1] : memref<2xmemref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  // expected-warning @below [late-free] {{%b}}
  memref.dealloc %b : memref<4xf32>
  return
}

// What is not followed may be either: no leak on all paths is told, for the flag is still set.
func.func @flag_of_two() {
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %f = memref.alloca() : memref<2xi1>
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %true, %f[%c1] : memref<2xi1>
  %first = memref.subview %f[0] [1] [1] : memref<2xi1> to memref<1xi1, strided<[1]>>
  linalg.fill ins(%false : i1) outs(%first : memref<1xi1, strided<[1]>>)
  %l = memref.load %f[%c1] : memref<2xi1>
  scf.if %l {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// The first element of a view is that of the variable, too.
func.func @first_by_two_names(%n: i64) {
  %c0 = arith.constant 0 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %v = memref.alloca() : memref<2x!llvm.ptr>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  memref.store %null, %v[%c0] : memref<2x!llvm.ptr>
  %first = memref.subview %v[0] [1] [1] : memref<2x!llvm.ptr> to memref<!llvm.ptr, strided<[]>>
  memref.store %a, %first[] : memref<!llvm.ptr, strided<[]>>
  %l = memref.load %v[%c0] : memref<2x!llvm.ptr>
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  return
}
