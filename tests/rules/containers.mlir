// Buffers in containers of which nobody knows the places: each round of a loop takes another one.

func.func @filled_and_freed(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<8xmemref<4xf32>>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %all[%i] : memref<8xmemref<4xf32>>
    %part = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    memref.store %f, %part[%c0] : memref<2xf32, strided<[1]>>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @of_any_size(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %down = arith.subi %n, %i : index
    %at = arith.subi %down, %c1 : index
    %a = memref.load %all[%at] : memref<?xmemref<4xf32>>
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}

// In blocks.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @lowered(%n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %all = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.br ^bb1(%zero : i64)
^bb1(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^bb2, ^bb3(%zero : i64)
^bb2:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %all[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next : i64)
^bb3(%j: i64):
  %again = llvm.icmp "slt" %j, %n : i64
  llvm.cond_br %again, ^bb4, ^bb5
^bb4:
  %from = llvm.getelementptr %all[%j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %b = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  %after = llvm.add %j, %one : i64
  llvm.br ^bb3(%after : i64)
^bb5:
  llvm.return
}

// Along a list, from what was loaded in the round before.
llvm.func @along_a_list(%n: i64) {
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(16 : i64) : i64
  llvm.br ^bb1(%zero, %null : i64, !llvm.ptr)
^bb1(%i: i64, %first: !llvm.ptr):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^bb2, ^bb3(%first : !llvm.ptr)
^bb2:
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %first, %a : !llvm.ptr, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next, %a : i64, !llvm.ptr)
^bb3(%p: !llvm.ptr):
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %none, ^bb5, ^bb4
^bb4:
  %second = llvm.load %p : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb3(%second : !llvm.ptr)
^bb5:
  llvm.return
}
llvm.func @asked_after_it_is_freed(%n: i64) {
  %null = llvm.mlir.zero : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %null, %a : !llvm.ptr, !llvm.ptr
  llvm.br ^bb1(%a : !llvm.ptr)
^bb1(%p: !llvm.ptr):
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %none, ^bb3, ^bb2
^bb2:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p is used after}}
  %second = llvm.load %p : !llvm.ptr -> !llvm.ptr
  llvm.br ^bb1(%second : !llvm.ptr)
^bb3:
  llvm.return
}

// But not where each round takes the same one, nor twice in one round, nor in a second loop.
func.func @the_same_in_each_round(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.load %all[%k] : memref<?xmemref<4xf32>>
    // expected-warning @below [possible-double-free] {{%b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func @twice_in_one_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %a : memref<4xf32>
    %b = memref.load %all[%i] : memref<?xmemref<4xf32>>
    // expected-warning @below [possible-double-free] {{%b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func @in_two_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %a : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func @freed_where_it_was_put(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %a : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}

// Memory of the caller in the same container does not matter: it is not to be freed.
func.func @beside_that_of_the_caller(%x: memref<8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %box = memref.alloca() : memref<2xmemref<8xf32>>
  // expected-warning @below [leak] {{buffer %own of 32 bytes is never freed}}
  %own = memref.alloc() : memref<8xf32>
  memref.copy %x, %own : memref<8xf32> to memref<8xf32>
  memref.store %x, %box[%c0] : memref<2xmemref<8xf32>>
  memref.store %own, %box[%c1] : memref<2xmemref<8xf32>>
  %either = memref.load %box[%i] : memref<2xmemref<8xf32>>
  %v = memref.load %either[%c0] : memref<8xf32>
  return %v : f32
}

func.func @freed_beside_that_of_the_caller(%x: memref<8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %box = memref.alloca() : memref<2xmemref<8xf32>>
  %own = memref.alloc() : memref<8xf32>
  memref.copy %x, %own : memref<8xf32> to memref<8xf32>
  memref.store %x, %box[%c0] : memref<2xmemref<8xf32>>
  memref.store %own, %box[%c1] : memref<2xmemref<8xf32>>
  %either = memref.load %box[%i] : memref<2xmemref<8xf32>>
  %v = memref.load %either[%c0] : memref<8xf32>
  memref.dealloc %own : memref<8xf32>
  return %v : f32
}
