// Memory of the stack: it ends with the function, or with an operation that says so, and is not freed.

func.func @returned() -> memref<4xf32> {
  %a = memref.alloca() : memref<4xf32>
  // expected-error @below [dangling-stack] {{%a is stack memory, which is released here}}
  return %a : memref<4xf32>
}

func.func @out_of_its_scope(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<4xf32>) {
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    // expected-error @below [dangling-stack] {{%r is stack memory, which is released here}}
    memref.alloca_scope.return %a : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}

// A region is no scope unless its operation says so.
func.func @out_of_a_region(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<4xf32> {
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}

// The memory is that of the function, outside the scope.
func.func @through_a_scope(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %r = memref.alloca_scope -> (memref<4xf32>) {
    memref.alloca_scope.return %a : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}

// Its contents are as unknown as those of any new memory.
func.func @unwritten() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}

func.func @written_in_a_loop(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}

func.func private @fill(memref<4xf32>)

func.func @written_by_a_callee() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  func.call @fill(%a) : (memref<4xf32>) -> ()
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}

llvm.func @variadic(...) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %list = llvm.alloca %one x !llvm.array<24 x i8> : (i32) -> !llvm.ptr
  llvm.intr.vastart %list : !llvm.ptr
  llvm.intr.vaend %list : !llvm.ptr
  llvm.return
}

// A size that is not known is told by the values that give it.
func.func @unknown(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.execute_region {
      // expected-warning @below [stack-growth] {{stack allocation in a loop: %n bytes more in each iteration}}
      %p = llvm.alloca %n x i8 : (index) -> !llvm.ptr
      scf.yield
    }
  }
  return
}

// What lowering makes of memref.alloca_scope in a loop.
llvm.func @restored(%n: i64, %x: f32) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^bb1(%zero : i64)
^bb1(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %stack = llvm.intr.stacksave : !llvm.ptr
  %a = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f32, !llvm.ptr
  llvm.intr.stackrestore %stack : !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next : i64)
^bb3:
  llvm.return
}

// Restoring it once is not enough.
llvm.func @restored_behind(%n: i64, %x: f32) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %stack = llvm.intr.stacksave : !llvm.ptr
  llvm.br ^bb1(%zero : i64)
^bb1(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  // expected-warning @below [stack-growth] {{more in each iteration}}
  %a = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next : i64)
^bb3:
  llvm.intr.stackrestore %stack : !llvm.ptr
  llvm.return
}
