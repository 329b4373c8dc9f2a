// Buffers that go in or out of regions of operations that nobody described: hints that name the operation, nothing more.

func.func private @use(memref<16xf32>)

// Freed in a region inside another one.
func.func @nested(%x: f32) {
  // expected-remark @below [possible-leak] {{my.inner}}
  %a = memref.alloc() : memref<16xf32>
  my.outer {
    my.inner {
      // expected-remark @below [possible-double-free] {{my.inner}}
      memref.dealloc %a : memref<16xf32>
    }
  }
  return
}

// In a loop.
func.func @infor(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below [possible-leak] {{my.region}}
    %a = memref.alloc() : memref<16xf32>
    my.region {
      // expected-remark @below [possible-double-free] {{my.region}}
      memref.dealloc %a : memref<16xf32>
      my.done
    }
  }
  return
}

// Results, in the generic form, in another order than what is yielded.
func.func @generic() {
  // expected-remark @below [unknown-effects] {{my.pair}}
  %0:2 = "my.pair"() ({
    // expected-remark @below [possible-leak] {{my.pair}}
    %a = memref.alloc() : memref<16xf32>
    // expected-remark @below [possible-leak] {{my.pair}}
    %b = memref.alloc() : memref<16xf32>
    // expected-remark @below [unknown-effects] {{my.yield}}
    "my.yield"(%b, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  }) : () -> (memref<16xf32>, memref<16xf32>)
  memref.dealloc %0#0 : memref<16xf32>
  memref.dealloc %0#1 : memref<16xf32>
  return
}

// Block arguments may be the operands.
func.func @args(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-remark @below [possible-leak] {{my.with}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below [unknown-effects] {{my.with}}
  "my.with"(%a) ({
  ^bb0(%p: memref<16xf32>):
    memref.store %x, %p[%c0] : memref<16xf32>
    memref.dealloc %p : memref<16xf32>
    "my.end"() : () -> ()
  }) : (memref<16xf32>) -> ()
  return
}

// Freed in a region and used behind it; freed before it and used in it.
func.func @uaf(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-remark @below [possible-leak] {{my.region}}
  %a = memref.alloc() : memref<16xf32>
  my.region {
    // expected-remark @below [possible-double-free] {{my.region}}
    memref.dealloc %a : memref<16xf32>
  }
  // expected-remark @below [possible-use-after-free] {{my.region}}
  memref.store %x, %a[%c0] : memref<16xf32>
  return
}

// The other way round.
func.func @uaf2(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  my.region {
    // expected-remark @below [possible-use-after-free] {{my.region}}
    memref.store %x, %a[%c0] : memref<16xf32>
  }
  return
}

// A region may run in the background: whether that is late is not known.
func.func @late(%x: f32, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  my.async {
    memref.store %x, %a[%c0] : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%o : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%o : memref<16xf32>)
  my.wait
  // expected-remark @below [late-free] {{my.async}}
  memref.dealloc %a : memref<16xf32>
  return
}

// No advice on buffers that are used in such a region; inside one it stands.
func.func @advice(%x: f32, %o: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    my.region {
      memref.store %x, %a[%c0] : memref<16xf32>
      memref.copy %a, %o : memref<16xf32> to memref<16xf32>
    }
    memref.dealloc %a : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    my.region {
      memref.store %x, %b[%c0] : memref<16xf32>
      memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    }
    memref.dealloc %b : memref<16xf32>
  }
  my.region {
    %c = memref.alloc() : memref<16xf32>
    memref.store %x, %c[%c0] : memref<16xf32>
    memref.copy %c, %o : memref<16xf32> to memref<16xf32>
    memref.dealloc %c : memref<16xf32>
  }
  return
}

// Functions that do so, and their callers.
func.func private @inner(%a: memref<16xf32>) {
  my.region {
    // expected-remark @+2 [argument-free] {{my.region}}
    // expected-remark @below [possible-double-free] {{my.region}}
    memref.dealloc %a : memref<16xf32>
  }
  return
}
func.func @caller() {
  // expected-remark @below [possible-leak] {{my.region}}
  %a = memref.alloc() : memref<16xf32>
  call @inner(%a) : (memref<16xf32>) -> ()
  return
}
func.func @caller2() {
  %a = memref.alloc() : memref<16xf32>
  call @inner(%a) : (memref<16xf32>) -> ()
  // expected-remark @below [possible-double-free] {{my.region}}
  memref.dealloc %a : memref<16xf32>
  return
}
func.func private @make() -> memref<16xf32> {
  // expected-remark @below [unknown-effects] {{my.make}}
  %r = my.make -> memref<16xf32> {
    // expected-remark @below [possible-leak] {{my.make}}
    %a = memref.alloc() : memref<16xf32>
    my.yield %a : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func @caller3() {
  // expected-remark @below [possible-leak] {{my.make}}
  %a = call @make() : () -> memref<16xf32>
  return
}

// A branch that nobody described.
func.func @branch() {
  // expected-remark @below [possible-leak] {{my.br}}
  %a = memref.alloc() : memref<16xf32>
  my.br ^bb1(%a : memref<16xf32>), ^bb2
^bb1(%p: memref<16xf32>):
  memref.dealloc %p : memref<16xf32>
  return
^bb2:
  return
}

// An argument.
func.func @pub(%a: memref<16xf32>) {
  my.region {
    // expected-remark @+2 [argument-free] {{my.region}}
    // expected-remark @below [possible-double-free] {{my.region}}
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// An argument that may come back.
func.func @ret(%a: memref<16xf32>) -> memref<16xf32> {
  // expected-remark @below [unknown-effects] {{my.id}}
  %r = my.id -> memref<16xf32> {
    my.yield %a : memref<16xf32>
  }
  // expected-remark @below [borrowed-return] {{my.id}}
  return %r : memref<16xf32>
}

// Stack memory.
func.func @stack() -> memref<16xf32> {
  %r = my.id -> memref<16xf32> {
    // expected-remark @below [stack-growth] {{my.id}}
    %s = memref.alloca() : memref<16xf32>
    my.yield %s : memref<16xf32>
  }
  // expected-remark @below [dangling-stack] {{my.id}}
  return %r : memref<16xf32>
}

// Perhaps filled in the region.
func.func @uninit() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  my.init {
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %v : f32
}

// Freed on each way through a region.
func.func @known(%c: i1) {
  // expected-remark @below [possible-leak] {{my.region}}
  %a = memref.alloc() : memref<16xf32>
  my.region {
    scf.if %c {
      // expected-remark @below [possible-double-free] {{my.region}}
      memref.dealloc %a : memref<16xf32>
    } else {
      // expected-remark @below [possible-double-free] {{my.region}}
      memref.dealloc %a : memref<16xf32>
    }
  }
  return
}

// Several blocks.
func.func @blocks(%c: i1) {
  my.region {
    // expected-remark @below [possible-leak] {{my.region}}
    %a = memref.alloc() : memref<16xf32>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    memref.dealloc %a : memref<16xf32>
    my.yield
  ^bb2:
    my.yield %a : memref<16xf32>
  }
  return
}

// Loaded in the region out of memory that is filled outside.
func.func @container(%box: memref<1xmemref<16xf32>>) {
  %c0 = arith.constant 0 : index
  %b = memref.alloca() : memref<1xmemref<16xf32>>
  // expected-remark @below [possible-leak] {{my.region}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %a, %b[%c0] : memref<1xmemref<16xf32>>
  my.region {
    %l = memref.load %b[%c0] : memref<1xmemref<16xf32>>
    // expected-remark @below [possible-double-free] {{my.region}}
    memref.dealloc %l : memref<16xf32>
  }
  return
}

// Copied.
func.func @copy(%x: f32, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  my.region {
    memref.store %x, %a[%c0] : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// Pointers.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @ptr(%n: i64) {
  // expected-remark @below [possible-leak] {{my.region}}
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  "my.region"() ({
    // expected-remark @below [possible-double-free] {{my.region}}
    llvm.call @free(%p) : (!llvm.ptr) -> ()
    "my.t"() : () -> ()
  }) : () -> ()
  llvm.return
}

// Inside of what is described.
func.func @around(%c: i1) {
  // expected-remark @below [possible-leak] {{my.region}}
  %a = memref.alloc() : memref<16xf32>
  scf.if %c {
    my.region {
      // expected-remark @below [possible-double-free] {{my.region}}
      memref.dealloc %a : memref<16xf32>
    }
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// Isolated from above, with names for what it is given.
func.func @iso() {
  // expected-remark @below [possible-leak] {{my.iso}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below [unknown-effects] {{my.iso}}
  %r = my.iso(%q = %a : memref<16xf32>) -> memref<16xf32> {
    memref.dealloc %q : memref<16xf32>
    // expected-remark @below [possible-leak] {{my.iso}}
    %n = memref.alloc() : memref<16xf32>
    // expected-remark @below [unknown-effects] {{my.ret}}
    my.ret %n : memref<16xf32>
  }
  memref.dealloc %r : memref<16xf32>
  return
}

// What stays inside of a region is what it is anywhere.

func.func @inside() {
  my.region {
    %a = memref.alloc() : memref<16xf32>
    memref.dealloc %a : memref<16xf32>
    // expected-error @below [double-free] {{%a}}
    memref.dealloc %a : memref<16xf32>
    my.done
  }
  return
}
