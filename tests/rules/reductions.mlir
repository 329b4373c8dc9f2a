// Reductions of buffers: each region gets what is carried and an operand; what it returns last is the result.

func.func @two(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a, %b) -> (memref<4xf32>, memref<4xf32>) {
    %s = memref.alloc() : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    scf.reduce(%s, %t : memref<4xf32>, memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      memref.dealloc %y : memref<4xf32>
      scf.reduce.return %x : memref<4xf32>
    }, {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      memref.dealloc %x : memref<4xf32>
      scf.reduce.return %y : memref<4xf32>
    }
  }
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}

// What the last reduction gives is nobody's.

func.func @dropped(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<4xf32> {
    %s = memref.alloc() : memref<4xf32>
    scf.reduce(%s : memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      memref.dealloc %y : memref<4xf32>
      scf.reduce.return %x : memref<4xf32>
    }
  }
  return
}

// What was carried is lost in each round.

func.func @replaced(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<4xf32> {
    // expected-warning @below [possible-leak] {{buffer %s of 16 bytes is not freed on some path}}
    %s = memref.alloc() : memref<4xf32>
    scf.reduce(%s : memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      scf.reduce.return %y : memref<4xf32>
    }
  }
  memref.dealloc %r : memref<4xf32>
  return
}

// A new one in each round, in the generic form.

func.func @new(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = "scf.parallel"(%c0, %n, %c1, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    %s = memref.alloc() : memref<4xf32>
    "scf.reduce"(%s) ({
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      %z = memref.alloc() : memref<4xf32>
      // expected-warning @+2 [uninitialized-read] {{%x is read, and nothing has been written to its buffer}}
      // expected-warning @below [uninitialized-read] {{%y is read, and nothing has been written to its buffer}}
      linalg.add ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>)
      memref.dealloc %x : memref<4xf32>
      memref.dealloc %y : memref<4xf32>
      "scf.reduce.return"(%z) : (memref<4xf32>) -> ()
    }) : (memref<4xf32>) -> ()
  }) : (index, index, index, memref<4xf32>) -> memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return
}

// Freed in each round: the second one frees it again.

func.func @again(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<4xf32> {
    %s = memref.alloc() : memref<4xf32>
    scf.reduce(%s : memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      // expected-warning @below [possible-double-free] {{the buffer of %x is freed a second time on some path}}
      memref.dealloc %x : memref<4xf32>
      memref.dealloc %y : memref<4xf32>
      scf.reduce.return %x : memref<4xf32>
    }
  }
  return
}

// Inside a loop, returned to a caller, and used after what it is made of is freed.

func.func @inside(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xf32>
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%a) -> memref<4xf32> {
      %s = memref.alloc() : memref<4xf32>
      scf.reduce(%s : memref<4xf32>) {
      ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
        // expected-warning @below [uninitialized-read] {{%y is read, and nothing has been written to its buffer}}
        linalg.add ins(%y, %y : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
        memref.dealloc %y : memref<4xf32>
        scf.reduce.return %x : memref<4xf32>
      }
    }
    memref.copy %r, %o : memref<4xf32> to memref<4xf32>
    memref.dealloc %r : memref<4xf32>
  }
  return %o : memref<4xf32>
}

func.func @afterwards() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%a) -> memref<4xf32> {
    %s = memref.alloc() : memref<4xf32>
    scf.reduce(%s : memref<4xf32>) {
    ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
      memref.dealloc %y : memref<4xf32>
      scf.reduce.return %x : memref<4xf32>
    }
  }
  memref.dealloc %r : memref<4xf32>
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  return
}

// Numbers are no buffers.
func.func @numbers(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %z, %a[%c0] : memref<4xf32>
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
    %a = memref.alloc() : memref<4xf32>
    scf.reduce
  }
  return %r : f32
}
