// config: ignore=["late-free"]
// Buffers in objects that functions are passed: what is kept at one place is not what is loaded from another.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr)
llvm.func @copy(!llvm.ptr, !llvm.ptr)
llvm.func internal @sum(%v: !llvm.ptr) -> i64 {
  %p = llvm.load %v : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> i64
  llvm.return %x : i64
}

llvm.func @two_members(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, ptr)> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr)>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v) : (!llvm.ptr) -> ()
  %s = llvm.call @sum(%v) : (!llvm.ptr) -> i64
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.store %s, %b : i64, !llvm.ptr
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @two_objects(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, i64)> : (i64) -> !llvm.ptr
  %w = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %b, %w : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v) : (!llvm.ptr) -> ()
  llvm.call @use(%w) : (!llvm.ptr) -> ()
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %w : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.call @free(%w) : (!llvm.ptr) -> ()
  llvm.return
}

// A function that is passed both may copy one into the other.
llvm.func @copied_by_a_function(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %v = llvm.alloca %one x !llvm.struct<(ptr, i64)> : (i64) -> !llvm.ptr
  %w = llvm.alloca %one x !llvm.struct<(ptr, i64)> : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.store %null, %w : !llvm.ptr, !llvm.ptr
  llvm.call @copy(%w, %v) : (!llvm.ptr, !llvm.ptr) -> ()
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %w : !llvm.ptr -> !llvm.ptr
  // expected-warning @below [possible-double-free] {{the buffer of %y is freed a second time}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

// Nor are they apart where the text stores one buffer at both places, or what it has loaded from one.
llvm.func @stored_twice(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %part = llvm.getelementptr %a[0] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %part, %second : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v) : (!llvm.ptr) -> ()
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  // expected-warning @below [possible-double-free] {{the buffer of %y is freed a second time}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @moved_on(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v) : (!llvm.ptr) -> ()
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %second : !llvm.ptr, !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  // expected-warning @below [possible-double-free] {{the buffer of %y is freed a second time}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}
// Or where a function may keep the buffer in the other place.
llvm.func internal @put(%v: !llvm.ptr, %p: !llvm.ptr) {
  llvm.store %p, %v : !llvm.ptr, !llvm.ptr
  llvm.return
}
llvm.func @put_there(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %v = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.call @put(%second, %a) : (!llvm.ptr, !llvm.ptr) -> ()
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  // expected-warning @below [possible-double-free] {{the buffer of %y is freed a second time}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

// Of a memref of memrefs.
func.func private @look(%v: memref<2xmemref<4xf32>>)
func.func @two_elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %v[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %v[%c1] : memref<2xmemref<4xf32>>
  call @look(%v) : (memref<2xmemref<4xf32>>) -> ()
  %x = memref.load %v[%c0] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  %y = memref.load %v[%c1] : memref<2xmemref<4xf32>>
  memref.dealloc %y : memref<4xf32>
  return
}

// Places that no constants tell are those of one memory, and not of another.
func.func @two_matrices(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %w = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %v[%i] : memref<?xmemref<4xf32>>
    %b = memref.alloc() : memref<4xf32>
    memref.store %b, %w[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %v[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %x : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.load %w[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %y : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %z = memref.load %w[%i] : memref<?xmemref<4xf32>>
    // expected-warning @below [possible-double-free] {{the buffer of %z is freed a second time}}
    memref.dealloc %z : memref<4xf32>
  }
  memref.dealloc %v : memref<?xmemref<4xf32>>
  memref.dealloc %w : memref<?xmemref<4xf32>>
  return
}
// Two results may be one buffer.
func.func private @same() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [aliased-results] {{the buffer of %a is returned more than once}}
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @two_results(%n: index, %k: index) {
  %v = memref.alloca(%n) : memref<?xmemref<4xf32>>
  %r:2 = call @same() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %r#1, %v[%k] : memref<?xmemref<4xf32>>
  memref.dealloc %r#0 : memref<4xf32>
  %x = memref.load %v[%n] : memref<?xmemref<4xf32>>
  // expected-warning @below [possible-double-free] {{the buffer of %x is freed a second time}}
  memref.dealloc %x : memref<4xf32>
  return
}
// Its address may have been a number before it is stored.
llvm.func @by_number(%n: i64, %k: i64) {
  %v = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %to = llvm.getelementptr %v[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %p, %to : !llvm.ptr, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  %x = llvm.load %to : !llvm.ptr -> !llvm.ptr
  // expected-error @below [double-free] {{the buffer of %x is freed a second time}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}
