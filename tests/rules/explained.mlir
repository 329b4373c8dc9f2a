// Notes: the choices without which a fault would not happen, and no others.
// config: ignore=["argument-free", "late-free", "uninitialized-read"]

// Lost on every path: neither loops nor branches matter.
func.func @leak_on_every_path(%c: i1, %n: index, %x: memref<16xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %a[%i] : memref<16xf32>
  }
  scf.if %c {
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  // expected-note @below {{%a is lost here}}
  return
}

func.func @leak_on_every_path_of_blocks(%c: i1, %d: i1) {
  // expected-warning @below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = memref.alloc() : memref<16xf32>
  cf.cond_br %d, ^x, ^y
^x:
  cf.br ^z
^y:
  cf.br ^z
^z:
  cf.cond_br %c, ^end, ^other
^other:
  cf.br ^end
^end:
  // expected-note @below {{%a is lost here}}
  return
}

// Before it and behind it is asked what has nothing to do with it, twice.
func.func @leak_in_one_of_two_nested(%c: i1, %d: i1, %e: i1, %x: memref<16xf32>) {
  // expected-warning @below [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  %a = memref.alloc() : memref<16xf32>
  scf.if %e {
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  // expected-note @below {{%c is true}}
  scf.if %c {
    // expected-note @below {{%d is false}}
    scf.if %d {
      memref.dealloc %a : memref<16xf32>
    }
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  scf.if %e {
    memref.copy %x, %x : memref<16xf32> to memref<16xf32>
  }
  // expected-note @below {{%a is lost here}}
  return
}

func.func @leak_between_blocks(%c: i1, %d: i1) {
  // expected-warning @below [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  %a = memref.alloc() : memref<16xf32>
  cf.cond_br %d, ^x, ^y
^x:
  cf.br ^z
^y:
  cf.br ^z
^z:
  // expected-note @below {{%c is false}}
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %a : memref<16xf32>
  cf.br ^end
^end:
  cf.cond_br %d, ^p, ^q
^p:
  // expected-note @below {{%a is lost here}}
  return
^q:
  return
}

// Two conditions that only together decide.
func.func @both_matter(%c: i1, %d: i1, %e: i1) {
  // expected-warning @+2 [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+2 {{%c is false}}
  // expected-note @below {{%c is true}}
  scf.if %c {
    // expected-note @below {{freed here first}}
    memref.dealloc %a : memref<16xf32>
  }
  scf.if %e {
    "some.op"() : () -> ()
  }
  %kept = arith.xori %c, %d : i1
  // expected-note @below {{%kept is false}}
  scf.if %kept {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<16xf32>
  }
  // expected-note @below {{%a is lost here}}
  return
}

// A select decides which buffer is freed.
func.func @selected(%c: i1) {
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-warning @below [possible-leak] {{buffer %b of 64 bytes is not freed on some path}}
  %b = memref.alloc() : memref<16xf32>
  // expected-note @+2 {{%c is true}}
  // expected-note @below {{%c is true}}
  %s = arith.select %c, %a, %b : memref<16xf32>
  // expected-note @below {{freed here first}}
  memref.dealloc %s : memref<16xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<16xf32>
  // expected-note @below {{%b is lost here}}
  return
}

// A callee frees under a condition that its caller passes.
func.func private @free_if(%m: memref<16xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

func.func @passes_a_flag(%d: i1, %i: index) -> f32 {
  // expected-warning @+2 [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+3 {{%d is false}}
  // expected-note @+2 {{%d is true}}
  // expected-note @below {{freed here}}
  call @free_if(%a, %d) : (memref<16xf32>, i1) -> ()
  // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
  %v = memref.load %a[%i] : memref<16xf32>
  // expected-note @below {{%a is lost here}}
  return %v : f32
}

func.func private @free_short(%m: memref<16xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  %short = arith.cmpi slt, %n, %c4 : index
  scf.if %short {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

func.func @passes_a_number(%k: index) {
  // expected-warning @below [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{%k >= 4}}
  call @free_short(%a, %k) : (memref<16xf32>, index) -> ()
  // expected-note @below {{%a is lost here}}
  return
}

func.func private @free_if_either(%m: memref<16xf32>, %c: i1, %d: i1) {
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  } else {
    scf.if %d {
      // expected-note @below {{the callee frees it here}}
      memref.dealloc %m : memref<16xf32>
    }
  }
  return
}

func.func @frees_in_the_call(%e: i1, %f: i1) {
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{freed here first}}
  memref.dealloc %a : memref<16xf32>
  // expected-warning @+2 [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  // expected-note @below {{%e is true, or %e is false and %f is true}}
  call @free_if_either(%a, %e, %f) : (memref<16xf32>, i1, i1) -> ()
  return
}

// What decides is too much to say: what the call does is said instead.
func.func private @free_if_computed(%m: memref<16xf32>, %n: index, %k: index) {
  %sum = arith.addi %n, %k : index
  %product = arith.muli %sum, %k : index
  %short = arith.cmpi slt, %product, %n : index
  scf.if %short {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

func.func @passes_numbers(%n: index, %k: index) {
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+2 {{the call frees %a}}
  // expected-note @below {{freed here first}}
  call @free_if_computed(%a, %n, %k) : (memref<16xf32>, index, index) -> ()
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<16xf32>
  return
}

// Which buffer a call gives back.
func.func private @pick(%m: memref<16xf32>, %n: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %s = arith.select %c, %m, %n : memref<16xf32>
  return %s : memref<16xf32>
}

func.func @picked(%d: i1) {
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-warning @below [possible-leak] {{buffer %b of 64 bytes is not freed on some path}}
  %b = memref.alloc() : memref<16xf32>
  // expected-note @+2 {{%d is true}}
  // expected-note @below {{%d is true}}
  %s = call @pick(%a, %b, %d) : (memref<16xf32>, memref<16xf32>, i1) -> memref<16xf32>
  // expected-note @below {{freed here first}}
  memref.dealloc %s : memref<16xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<16xf32>
  // expected-note @below {{%b is lost here}}
  return
}

// A deallocation under a condition of its own.
func.func @freed_under_a_flag(%c: i1, %d: i1) {
  // expected-warning @below [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{%b is allocated here}}
  %b = memref.alloc() : memref<16xf32>
  // expected-note @+3 {{%c is false}}
  // expected-note @+2 {{%d is true}}
  // expected-note @below {{freed here first}}
  bufferization.dealloc (%a, %b : memref<16xf32>, memref<16xf32>) if (%c, %d)
  // expected-warning @below [possible-double-free] {{the buffer of %b is freed a second time on some path}}
  memref.dealloc %b : memref<16xf32>
  // expected-note @below {{%a is lost here}}
  return
}

// A call passes one buffer as two arguments.
// expected-note @+2 {{%a is an argument of the function}}
// expected-note @below {{@passes_one_twice passes one buffer as %a and %b}}
func.func private @frees_both(%a: memref<16xf32>, %b: memref<16xf32>) {
  // expected-note @below {{freed here first}}
  memref.dealloc %a : memref<16xf32>
  // expected-error @below [double-free] {{the buffer of %b is freed a second time}}
  memref.dealloc %b : memref<16xf32>
  return
}

func.func @passes_one_twice() {
  %a = memref.alloc() : memref<16xf32>
  call @frees_both(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// In the second iteration.
func.func @used_in_the_next_iteration(%n: index, %c: i1, %d: i1, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+3 [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  // expected-note @+2 {{%a is allocated here}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+3 {{the loop does not run}}
  // expected-note @+2 {{the loop runs again}}
  // expected-note @below {{the loop runs again}}
  scf.for %i = %c0 to %n step %c1 {
    scf.if %d {
      // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
      memref.store %z, %a[%c0] : memref<16xf32>
    }
    // expected-note @below {{%c is true}}
    scf.if %c {
      // expected-note @+3 {{freed here}}
      // expected-warning @+2 [possible-double-free] {{the buffer of %a is freed a second time on some path}}
      // expected-note @below {{freed here in an earlier iteration}}
      memref.dealloc %a : memref<16xf32>
    }
  }
  // expected-note @below {{%a is lost here}}
  return
}

func.func @next_iteration_of_blocks(%c: i1, %d: i1, %i: index) -> f32 {
  // expected-note @+2 {{%a is allocated here}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  cf.br ^loop
^loop:
  // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
  %v = memref.load %a[%i] : memref<16xf32>
  cf.cond_br %d, ^one, ^other
^one:
  cf.br ^latch
^other:
  cf.br ^latch
^latch:
  // expected-note @+3 {{freed here}}
  // expected-warning @+2 [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  // expected-note @below {{freed here in an earlier iteration}}
  memref.dealloc %a : memref<16xf32>
  // expected-note @+2 {{%c is true}}
  // expected-note @below {{%c is true}}
  cf.cond_br %c, ^loop, ^end
^end:
  return %v : f32
}

func.func @next_iteration_of_while(%z: f32, %i: index) {
  // expected-warning @+3 [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  // expected-note @+2 {{%a is allocated here}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  scf.while : () -> () {
    %more = "some.flag"() : () -> i1
    // expected-note @+3 {{%more is false}}
    // expected-note @+2 {{%more is true again}}
    // expected-note @below {{%more is true again}}
    scf.condition(%more)
  } do {
    // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
    memref.store %z, %a[%i] : memref<16xf32>
    // expected-note @+3 {{freed here}}
    // expected-warning @+2 [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    // expected-note @below {{freed here in an earlier iteration}}
    memref.dealloc %a : memref<16xf32>
    scf.yield
  }
  // expected-note @below {{%a is lost here}}
  return
}

// Of a long path and one with few choices the latter is shown.
func.func @fewest_choices(%c: i1, %d: i1, %e: i1, %f: i1, %i: index, %z: f32) -> f32 {
  // expected-warning @+2 [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+2 {{%c is false}}
  // expected-note @below {{%c is true}}
  scf.if %c {
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %a[%i] : memref<16xf32>
    memref.store %z, %a[%i] : memref<16xf32>
    // expected-note @below {{freed here}}
    memref.dealloc %a : memref<16xf32>
  } else {
    // expected-note @below {{%d is false}}
    scf.if %d {
      scf.if %e {
        scf.if %f {
          memref.dealloc %a : memref<16xf32>
        }
      }
    }
  }
  // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
  %v = memref.load %a[%i] : memref<16xf32>
  // expected-note @below {{%a is lost here}}
  return %v : f32
}

// It is freed on every path that gets there: neither how nor where it is used matters.
func.func @used_inside(%c: i1, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{freed here}}
  memref.dealloc %a : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
      memref.store %z, %a[%i] : memref<16xf32>
    }
  }
  return
}

// So it is here, in two places of which one is shown.
func.func @freed_in_both(%c: i1, %d: i1) {
  // expected-note @below {{%a is allocated here}}
  %a = memref.alloc() : memref<16xf32>
  scf.if %d {
    "some.op"() : () -> ()
  }
  // expected-note @below {{%c is true}}
  scf.if %c {
    // expected-note @below {{freed here first}}
    memref.dealloc %a : memref<16xf32>
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<16xf32>
  return
}

// Cases.
func.func @cases(%n: index, %k: i32) {
  // expected-warning @below [possible-leak] {{buffer %a of 64 bytes is not freed on some path}}
  %a = memref.alloc() : memref<16xf32>
  cf.switch %k : i32, [
    default: ^rest,
    1: ^one,
    2: ^two
  ]
^one:
  cf.br ^rest
^two:
  cf.br ^rest
^rest:
  // expected-note @below {{%n is 3}}
  scf.index_switch %n
  case 3 {
    scf.yield
  }
  default {
    memref.dealloc %a : memref<16xf32>
    scf.yield
  }
  // expected-note @below {{%a is lost here}}
  return
}

