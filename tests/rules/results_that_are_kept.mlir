// A new buffer that a function gives and also keeps somewhere is not lost where its caller forgets it.

memref.global "private" @ready : memref<i1> = dense<false>
memref.global "private" @scratch : memref<memref<8xf32>> = uninitialized

func.func private @scratch_memory() -> memref<8xf32> {
  %true = arith.constant true
  %f = memref.get_global @ready : memref<i1>
  %s = memref.get_global @scratch : memref<memref<8xf32>>
  %have = memref.load %f[] : memref<i1>
  cf.cond_br %have, ^old, ^new
^old:
  %p = memref.load %s[] : memref<memref<8xf32>>
  return %p : memref<8xf32>
^new:
  %q = memref.alloc() : memref<8xf32>
  memref.store %q, %s[] : memref<memref<8xf32>>
  memref.store %true, %f[] : memref<i1>
  return %q : memref<8xf32>
}

func.func @kept(%x: f32) {
  %c0 = arith.constant 0 : index
  %p = call @scratch_memory() : () -> memref<8xf32>
  memref.store %x, %p[%c0] : memref<8xf32>
  return
}

func.func @kept_without_a_name() {
  call @scratch_memory() : () -> memref<8xf32>
  return
}

func.func @make(%keep: i1) -> memref<8xf32> {
  %s = memref.get_global @scratch : memref<memref<8xf32>>
  %q = memref.alloc() : memref<8xf32>
  scf.if %keep {
    memref.store %q, %s[] : memref<memref<8xf32>>
  }
  return %q : memref<8xf32>
}

func.func @told_by_the_flag(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %p = call @make(%true) : (i1) -> memref<8xf32>
  // expected-warning @below [leak] {{%q of 32 bytes is never freed}}
  %q = call @make(%false) : (i1) -> memref<8xf32>
  // expected-warning @below [possible-leak] {{%r of 32 bytes is not freed on some path}}
  %r = call @make(%c) : (i1) -> memref<8xf32>
  return
}

// What is kept is freed all the same by whoever does.
func.func @freed(%x: f32) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %p = call @make(%true) : (i1) -> memref<8xf32>
  memref.dealloc %p : memref<8xf32>
  // expected-error @below [use-after-free] {{%p is used after}}
  memref.store %x, %p[%c0] : memref<8xf32>
  return
}
