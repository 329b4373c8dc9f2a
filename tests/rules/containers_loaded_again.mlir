// config: ignore=["late-free"]
// What is stored in a container at an unknown place is what is loaded there, where nothing may have written between.

// Loaded twice from what the function is passed.
func.func @two_loads(%box: memref<?xmemref<4xf32>>, %k: index) {
  %x = memref.load %box[%k] : memref<?xmemref<4xf32>>
  %y = memref.load %box[%k] : memref<?xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  return
}

// The other place may be the same.
func.func @other_between(%k: index, %j: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  memref.store %b, %box[%j] : memref<2xmemref<4xf32>>
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}
func.func private @ext(memref<2xmemref<4xf32>>)
func.func private @nothing()

// Who is passed it may store another one.
func.func @passed(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  call @ext(%box) : (memref<2xmemref<4xf32>>) -> ()
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}

// Who is not passed it does not.
func.func @not_passed(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  call @nothing() : () -> ()
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}

// Used by its other name.
func.func @used(%k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %a[%c0] : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%x is used after its buffer was freed}}
  %r = memref.load %x[%c0] : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return %r : f32
}

// Freed once, by that.
func.func @right(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}

// Never freed.
func.func @leaked(%k: index) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  %z = arith.constant 0.0 : f32
  memref.store %z, %a[%c0] : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  %r = memref.load %x[%c0] : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return %r : f32
}

// A place that is computed in the text.
func.func @affine(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<9xmemref<4xf32>>
  affine.store %a, %box[%k + 1] : memref<9xmemref<4xf32>>
  %x = affine.load %box[%k + 1] : memref<9xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %box : memref<9xmemref<4xf32>>
  return
}

// Lowered.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @gep(%n: i64, %k: i64) {
  %v = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %v[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %from = llvm.getelementptr %v[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %x = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @free(%v) : (!llvm.ptr) -> ()
  llvm.return
}

// Stored in both branches: that is not followed.
func.func @branches(%k: index, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  scf.if %c {
    memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  } else {
    memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  }
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}

// In one round.
func.func @round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %box = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %box[%i] : memref<?xmemref<4xf32>>
    %x = memref.load %box[%i] : memref<?xmemref<4xf32>>
    memref.dealloc %x : memref<4xf32>
    // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %box : memref<?xmemref<4xf32>>
  return
}

// Another one is stored before it is loaded again.
func.func @anew(%k: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%k] : memref<2xmemref<4xf32>>
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  memref.store %b, %box[%k] : memref<2xmemref<4xf32>>
  %y = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %y : memref<4xf32>
  memref.dealloc %box : memref<2xmemref<4xf32>>
  return
}
