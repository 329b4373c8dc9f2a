// Where the stack goes back to a point that was saved, all memory taken from it since is released.

func.func private @use(memref<?xf32>)

func.func @restored(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [use-after-free] {{%a is used after the stack was restored: its memory is released}}
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}

// What was there before the point was saved stays, and what is made behind is another matter.
func.func @around(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %s = llvm.intr.stacksave : !llvm.ptr
  %b = memref.alloca(%n) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  llvm.intr.stackrestore %s : !llvm.ptr
  %c = memref.alloca(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  call @use(%c) : (memref<?xf32>) -> ()
  return
}

// Memory of the heap is not released.
func.func @on_the_heap(%n: index) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloc(%n) : memref<?xf32>
  llvm.intr.stackrestore %s : !llvm.ptr
  call @use(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @used_by_a_call(%n: index) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [use-after-free] {{%a is used}}
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

func.func @through_a_view(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %part = memref.subview %a[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [use-after-free] {{%part is used}}
  %v = memref.load %part[%c0] : memref<2xf32, strided<[1], offset: 1>>
  return %v : f32
}

func.func @out_of_a_branch(%n: index, %x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %s = llvm.intr.stacksave : !llvm.ptr
  %r = scf.if %c -> memref<?xf32> {
    %a = memref.alloca(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %b = memref.alloca(%n) : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [use-after-free] {{%r is used}}
  %v = memref.load %r[%c0] : memref<?xf32>
  return %v : f32
}

// Two points, one inside the other: the inner one keeps what the outer one does not.
func.func @nested(%n: index) {
  %outer = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  %inner = llvm.intr.stacksave : !llvm.ptr
  %b = memref.alloca(%n) : memref<?xf32>
  llvm.intr.stackrestore %inner : !llvm.ptr
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-error @below [use-after-free] {{%b is used}}
  call @use(%b) : (memref<?xf32>) -> ()
  llvm.intr.stackrestore %outer : !llvm.ptr
  // expected-error @below [use-after-free] {{%a is used}}
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

func.func @straight_to_the_outer(%n: index) {
  %outer = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  %inner = llvm.intr.stacksave : !llvm.ptr
  %b = memref.alloca(%n) : memref<?xf32>
  llvm.intr.stackrestore %outer : !llvm.ptr
  // expected-error @below [use-after-free] {{%a is used}}
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-error @below [use-after-free] {{%b is used}}
  call @use(%b) : (memref<?xf32>) -> ()
  return
}

func.func @in_one_branch(%n: index, %c: i1) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  scf.if %c {
    llvm.intr.stackrestore %s : !llvm.ptr
  }
  // expected-warning @below [possible-use-after-free] {{its memory is released on some path}}
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// The same condition asked again: it is used where it is still there.
func.func @in_the_other_branch(%n: index, %c: i1) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  scf.if %c {
    llvm.intr.stackrestore %s : !llvm.ptr
  }
  scf.if %c {
  } else {
    call @use(%a) : (memref<?xf32>) -> ()
  }
  return
}

func.func @in_each_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = memref.alloca(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %s = llvm.intr.stacksave : !llvm.ptr
    %a = memref.alloca(%n) : memref<?xf32>
    call @use(%a) : (memref<?xf32>) -> ()
    llvm.intr.stackrestore %s : !llvm.ptr
    call @use(%before) : (memref<?xf32>) -> ()
  }
  call @use(%before) : (memref<?xf32>) -> ()
  return
}

func.func @saved_before_the_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-use-after-free] {{%a is used}}
    func.call @use(%a) : (memref<?xf32>) -> ()
    llvm.intr.stackrestore %s : !llvm.ptr
  }
  return
}

// Which of two points it is, is not known.
func.func @either(%n: index, %c: i1) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  %t = llvm.intr.stacksave : !llvm.ptr
  %b = memref.alloca(%n) : memref<?xf32>
  %r = arith.select %c, %s, %t : !llvm.ptr
  llvm.intr.stackrestore %r : !llvm.ptr
  // expected-warning @below [possible-use-after-free] {{%a is used}}
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-error @below [use-after-free] {{%b is used}}
  call @use(%b) : (memref<?xf32>) -> ()
  return
}

// A point of another function may be any.
func.func @of_the_caller(%n: index, %s: !llvm.ptr) {
  %a = memref.alloca(%n) : memref<?xf32>
  llvm.intr.stackrestore %s : !llvm.ptr
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// What a callee saves and restores is its own.
func.func @callee(%n: index) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  llvm.intr.stackrestore %s : !llvm.ptr
  return
}
func.func @caller(%n: index) {
  %a = memref.alloca(%n) : memref<?xf32>
  call @callee(%n) : (index) -> ()
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

func.func @inside_a_scope(%n: index) {
  memref.alloca_scope {
    %s = llvm.intr.stacksave : !llvm.ptr
    %a = memref.alloca(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    llvm.intr.stackrestore %s : !llvm.ptr
    // expected-error @below [use-after-free] {{%a is used}}
    func.call @use(%a) : (memref<?xf32>) -> ()
  }
  return
}

// It must not be freed, released or not.
func.func @freed(%n: index) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [invalid-free] {{%a is stack memory and must not be freed}}
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @returned(%n: index) -> memref<?xf32> {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloca(%n) : memref<?xf32>
  llvm.intr.stackrestore %s : !llvm.ptr
  // expected-error @below [dangling-stack] {{%a}}
  return %a : memref<?xf32>
}

// Lowered: the point goes through a block argument, the memory through an address in it.
llvm.func @block_arguments(%n: i64, %x: f64) -> f64 {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = llvm.alloca %n x f64 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f64, !llvm.ptr
  llvm.br ^bb1(%s, %a : !llvm.ptr, !llvm.ptr)
^bb1(%t: !llvm.ptr, %b: !llvm.ptr):
  llvm.intr.stackrestore %t : !llvm.ptr
  %g = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, f64
  // expected-error @below [use-after-free] {{%g is used}}
  %v = llvm.load %g : !llvm.ptr -> f64
  llvm.return %v : f64
}

// As C compilers keep it: in a variable.
llvm.func @in_a_variable(%n: i64, %x: f64) -> f64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %saved = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %s = llvm.intr.stacksave : !llvm.ptr
  llvm.store %s, %saved : !llvm.ptr, !llvm.ptr
  %a = llvm.alloca %n x f64 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f64, !llvm.ptr
  %t = llvm.load %saved : !llvm.ptr -> !llvm.ptr
  llvm.intr.stackrestore %t : !llvm.ptr
  llvm.store %s, %saved : !llvm.ptr, !llvm.ptr
  // expected-error @below [use-after-free] {{%a is used}}
  %v = llvm.load %a : !llvm.ptr -> f64
  llvm.return %v : f64
}

llvm.func @by_the_name_of_the_intrinsic(%n: i64, %x: f64) -> f64 {
  %s = llvm.call_intrinsic "llvm.stacksave.p0"() : () -> !llvm.ptr
  %a = llvm.alloca %n x f64 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f64, !llvm.ptr
  llvm.call_intrinsic "llvm.stackrestore.p0"(%s) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%a is used}}
  %v = llvm.load %a : !llvm.ptr -> f64
  llvm.return %v : f64
}

llvm.func @generic(%n: i64, %x: f64) -> f64 {
  %s = "llvm.intr.stacksave"() : () -> !llvm.ptr
  %a = "llvm.alloca"(%n) <{elem_type = f64}> : (i64) -> !llvm.ptr
  "llvm.store"(%x, %a) : (f64, !llvm.ptr) -> ()
  "llvm.intr.stackrestore"(%s) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%a is used}}
  %v = "llvm.load"(%a) : (!llvm.ptr) -> f64
  "llvm.return"(%v) : (f64) -> ()
}

// Of Fortran. Memory of constant size is taken where the function begins: it stays, and no loop takes more of it.
func.func private @fill(!fir.ref<!fir.array<?xf64>>, !fir.ref<f64>)
func.func @fortran(%n: index) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = fir.alloca !fir.array<?xf64>, %n
  %scalar = fir.alloca f64
  %declared:2 = hlfir.declare %a {uniq_name = "a"} : (!fir.ref<!fir.array<?xf64>>) -> (!fir.ref<!fir.array<?xf64>>, !fir.ref<!fir.array<?xf64>>)
  fir.call @fill(%declared#0, %scalar) : (!fir.ref<!fir.array<?xf64>>, !fir.ref<f64>) -> ()
  llvm.intr.stackrestore %s : !llvm.ptr
  %v = fir.load %scalar : !fir.ref<f64>
  // expected-error @below [use-after-free] {{%declared#0 is used}}
  fir.call @fill(%declared#0, %scalar) : (!fir.ref<!fir.array<?xf64>>, !fir.ref<f64>) -> ()
  return
}

func.func @fortran_loop(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %scalar = fir.alloca f64
  // expected-warning @below [stack-growth] {{stack allocation in a loop}}
  %a = fir.alloca !fir.array<?xf64>, %m
  fir.call @fill(%a, %scalar) : (!fir.ref<!fir.array<?xf64>>, !fir.ref<f64>) -> ()
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}

// What was taken in a round is used in the next one, in which the stack goes back before it is taken again.
func.func @in_the_next_round(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = llvm.intr.stacksave : !llvm.ptr
  %init = memref.alloca(%n) : memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> memref<?xf32> {
    llvm.intr.stackrestore %s : !llvm.ptr
    %b = memref.alloca(%n) : memref<?xf32>
    // expected-error @below [use-after-free] {{%a is used}}
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.yield %b : memref<?xf32>
  }
  return
}
