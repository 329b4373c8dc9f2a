// Functions without a body may give what they are passed, or a place in it: as a memref, a pointer, a struct or a number.

func.func private @work(f32)
func.func private @make(index) -> memref<64xf32>
func.func private @view_of(memref<64xf32>) -> memref<8xf32>
func.func private @same(memref<64xf32>) -> memref<64xf32>
func.func private @address_of(memref<64xf32>) -> index
func.func private @count(memref<64xf32>) -> index
func.func private @status(memref<64xf32>) -> i32
func.func private @sum(memref<64xf32>) -> f32
func.func private @grow(!llvm.ptr) -> !llvm.ptr
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @strchr(!llvm.ptr, i32) -> !llvm.ptr
llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
llvm.func @puts(!llvm.ptr) -> i32
llvm.func @parse(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @descriptor(!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr, i64)>

func.func @a_view(%x: f32, %i: index) {
  %p = memref.alloc() : memref<64xf32>
  // expected-warning @below [possible-leak] {{%q of 32 bytes is never freed, if it is the caller's}}
  %q = call @view_of(%p) : (memref<64xf32>) -> memref<8xf32>
  call @work(%x) : (f32) -> ()
  %v = memref.load %q[%i] : memref<8xf32>
  memref.dealloc %p : memref<64xf32>
  return
}

func.func @made_of_nothing(%n: index) {
  // expected-warning @below [leak] {{%q of 256 bytes is never freed}}
  %q = call @make(%n) : (index) -> memref<64xf32>
  return
}

// Who frees both says that they are two.
func.func @two(%x: f32, %i: index) {
  %p = memref.alloc() : memref<64xf32>
  %q = call @same(%p) : (memref<64xf32>) -> memref<64xf32>
  call @work(%x) : (f32) -> ()
  // expected-warning @below [late-free] {{%p of 256 bytes is held over 1 operation after its last use}}
  memref.dealloc %p : memref<64xf32>
  // expected-warning @below [late-free] {{%q of 256 bytes is held over 1 operation after its last use}}
  memref.dealloc %q : memref<64xf32>
  return
}

func.func @freed_as_the_result() {
  // expected-warning @below [possible-leak] {{%p of 256 bytes is never freed, unless a function that it was passed to has returned it}}
  %p = memref.alloc() : memref<64xf32>
  %q = call @same(%p) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %q : memref<64xf32>
  return
}

func.func @returned_as_the_result() -> memref<64xf32> {
  // expected-warning @below [possible-leak] {{%p of 256 bytes is never freed, unless}}
  %p = memref.alloc() : memref<64xf32>
  %q = call @same(%p) : (memref<64xf32>) -> memref<64xf32>
  return %q : memref<64xf32>
}

func.func @a_number(%x: f32) {
  %p = memref.alloc() : memref<64xf32>
  %q = call @address_of(%p) : (memref<64xf32>) -> index
  call @work(%x) : (f32) -> ()
  %i = arith.index_cast %q : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> f32
  memref.dealloc %p : memref<64xf32>
  return
}

// A number that only counts is no address; nor is a narrow one, or a flag.
func.func @lent(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<64xf32>
  %s = call @sum(%p) : (memref<64xf32>) -> f32
  %t = call @status(%p) : (memref<64xf32>) -> i32
  %n = call @count(%p) : (memref<64xf32>) -> index
  scf.for %i = %c0 to %n step %c1 {
    func.call @work(%s) : (f32) -> ()
  }
  // expected-warning @below [late-free] {{%p of 256 bytes is held over 1 operation after its last use}}
  memref.dealloc %p : memref<64xf32>
  return
}

// What a function at hand hands on is kept in its caller.
func.func private @wrap(%p: !llvm.ptr) -> !llvm.ptr {
  %q = func.call @grow(%p) : (!llvm.ptr) -> !llvm.ptr
  return %q : !llvm.ptr
}

func.func @through_a_wrapper(%x: f32, %n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%q is never freed, if it is the caller's}}
  %q = func.call @wrap(%p) : (!llvm.ptr) -> !llvm.ptr
  func.call @work(%x) : (f32) -> ()
  %v = llvm.load %q : !llvm.ptr -> f32
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}

// Memory that is passed beside may take the address.
func.func @written_to_memory(%x: f32, %n: i64) -> i8 {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %end = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %s = llvm.call @parse(%p, %end) : (!llvm.ptr, !llvm.ptr) -> i32
  func.call @work(%x) : (f32) -> ()
  %rest = llvm.load %end : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %rest : !llvm.ptr -> i8
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return %v : i8
}

// Functions of C are known: what they give is never lost.
func.func @of_c(%from: !llvm.ptr, %c: i32, %n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.call @memcpy(%p, %from, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %q = llvm.call @strchr(%p, %c) : (!llvm.ptr, i32) -> !llvm.ptr
  %r = llvm.call @puts(%q) : (!llvm.ptr) -> i32
  llvm.call @free(%0) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p is used after its buffer was freed}}
  %s = llvm.call @puts(%p) : (!llvm.ptr) -> i32
  return
}

// A descriptor names its buffer twice: the same may come back by either name.
llvm.func @parts_of_a_descriptor(%n: i64) {
  // expected-warning @below [possible-leak] {{%0 of %n bytes is never freed, unless a function that it was passed to has}}
  %0 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %0, %2[1] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64)>
  %5 = llvm.extractvalue %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %6 = llvm.call @descriptor(%4, %5) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr, i64)>
  %7 = llvm.extractvalue %6[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%7) : (!llvm.ptr) -> ()
  llvm.return
}

func.func private @made_of(memref<4xf32>) -> memref<4xf32>

// Both are freed here, so that they are two buffers: what is done with the one is no use of the other.
func.func @two_that_are_freed(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %r = func.call @made_of(%a) : (memref<4xf32>) -> memref<4xf32>
  %y = memref.load %r[%i] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  // expected-warning @below [late-free] {{%a of 16 bytes is held over 1 operation after its last use}}
  memref.dealloc %a : memref<4xf32>
  return %y : f32
}

// What comes out of a loop may be the place in it that went in.
func.func @handed_through_a_loop(%x: f32, %i: index) -> f32 {
  %p = memref.alloc() : memref<64xf32>
  memref.store %x, %p[%i] : memref<64xf32>
  // expected-warning @below [possible-leak] {{%q of 32 bytes is never freed, if it is the caller's}}
  %q = call @view_of(%p) : (memref<64xf32>) -> memref<8xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%z = %q) -> memref<8xf32> {
    scf.yield %z : memref<8xf32>
  }
  call @work(%x) : (f32) -> ()
  %v = memref.load %r[%i] : memref<8xf32>
  call @work(%x) : (f32) -> ()
  // expected-warning @below [late-free] {{%p of 256 bytes is held over 1 operation after its last use}}
  memref.dealloc %p : memref<64xf32>
  return %v : f32
}
