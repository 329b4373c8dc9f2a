// What leaks in loops: so much in each iteration, and in all where it is known how many there are.

func.func @known(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    // expected-warning @below [leak] {{%a of 4 KiB is never freed: 4 KiB more in each of 10 iterations, 40 KiB in all}}
    %a = memref.alloc() : memref<1024xf32>
    memref.store %x, %a[%c0] : memref<1024xf32>
  }
  return
}

func.func @nested(%x: f32) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 100 step 5 {
      // expected-warning @below [leak] {{4 KiB more in each of 200 iterations, 800 KiB in all}}
      %a = memref.alloc() : memref<1024xf32>
      memref.store %x, %a[%c0] : memref<1024xf32>
    }
  }
  return
}

func.func @parallel(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c10, %c2) step (%c1, %c1) {
    // expected-warning @below [leak] {{4 KiB more in each of 20 iterations, 80 KiB in all}}
    %a = memref.alloc() : memref<1024xf32>
    memref.store %x, %a[%c0] : memref<1024xf32>
  }
  return
}

func.func @unknown(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [leak] {{%a of 4 KiB is never freed: 4 KiB more in each iteration}}
    %a = memref.alloc() : memref<1024xf32>
    memref.store %x, %a[%c0] : memref<1024xf32>
  }
  return
}

func.func @while(%x: f32) {
  %c0 = arith.constant 0 : index
  scf.while : () -> () {
    %more = "some.flag"() : () -> i1
    scf.condition(%more)
  } do {
    // expected-warning @below [leak] {{4 KiB more in each iteration}}
    %a = memref.alloc() : memref<1024xf32>
    memref.store %x, %a[%c0] : memref<1024xf32>
    scf.yield
  }
  return
}

// Each is handed to the next iteration, which loses it.
func.func @carried(%x: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  // expected-warning @below [leak] {{%first of 4 KiB is never freed}}
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %x, %first : memref<1024xf32> to memref<1024xf32>
  %last = scf.for %i = %c0 to %c10 step %c1 iter_args(%before = %first) -> memref<1024xf32> {
    // expected-warning @below [leak] {{4 KiB is never freed: 4 KiB more in each of 10 iterations, 40 KiB in all}}
    %a = memref.alloc() : memref<1024xf32>
    memref.copy %before, %a : memref<1024xf32> to memref<1024xf32>
    scf.yield %a : memref<1024xf32>
  }
  return
}

// Here the next iteration frees it: how many are lost is not told.
func.func @freed_by_the_next(%x: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %x, %first : memref<1024xf32> to memref<1024xf32>
  %last = scf.for %i = %c0 to %c10 step %c1 iter_args(%before = %first) -> memref<1024xf32> {
    // expected-warning @below [leak] {{%a of 4 KiB is never freed}}
    %a = memref.alloc() : memref<1024xf32>
    memref.copy %before, %a : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %before : memref<1024xf32>
    scf.yield %a : memref<1024xf32>
  }
  return
}

// Not in each iteration.
func.func @sometimes(%x: f32, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 10 {
    // expected-warning @below [possible-leak] {{some path: up to 4 KiB more in each of 10 iterations, 40 KiB in all}}
    %a = memref.alloc() : memref<1024xf32>
    scf.if %c {
      memref.dealloc %a : memref<1024xf32>
    }
    scf.if %c {
      // expected-warning @below [leak] {{up to 4*%n bytes more in each of 10 iterations}}
      %b = memref.alloc(%n) : memref<?xf32>
      memref.store %x, %b[%c0] : memref<?xf32>
    }
  }
  return
}

func.func @blocks(%x: f32, %c: i1) {
  cf.br ^loop
^loop:
  // expected-warning @below [leak] {{4 bytes is never freed: 4 bytes more in each iteration}}
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// That it is lost is no matter of iterations where there is one.
func.func @once(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 1 {
    // expected-warning @below [leak] {{4*%n bytes is never freed}}
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
  }
  return
}
