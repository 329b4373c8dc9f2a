// Each thread of a team runs its region: what one of them frees the others free, too.

func.func @freed_by_each(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
func.func @freed_by_each_team(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.teams {
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
// One after the other, but all of them; as tasks, of which each thread begins one.
func.func @one_after_the_other(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  omp.parallel {
    omp.critical {
      // expected-warning @below [possible-double-free] {{%a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
      omp.terminator
    }
    omp.task {
      // expected-warning @below [possible-double-free] {{%b is freed a second time}}
      memref.dealloc %b : memref<4xf32>
      omp.terminator
    }
    omp.terminator
  }
  return
}
func.func @freed_by_one(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  omp.parallel {
    omp.single {
      memref.dealloc %a : memref<4xf32>
      omp.terminator
    }
    omp.master {
      memref.dealloc %b : memref<4xf32>
      omp.terminator
    }
    omp.sections {
      omp.section {
        memref.dealloc %c : memref<4xf32>
        omp.terminator
      }
      omp.terminator
    }
    omp.terminator
  }
  return
}
func.func @of_its_own(%v: f32, %i: index) {
  omp.parallel {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
func.func @used_by_each(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  memref.dealloc %a : memref<4xf32>
  return
}
// The threads ask which they are: what decides whether one frees it may be that. If none does, it leaks.
func.func private @thread() -> i32
func.func @freed_by_the_first(%v: f32, %i: index) {
  %c0 = arith.constant 0 : i32
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    %n = func.call @thread() : () -> i32
    %first = arith.cmpi eq, %n, %c0 : i32
    scf.if %first {
      memref.dealloc %a : memref<4xf32>
    }
    omp.terminator
  }
  return
}
// There is one thread; or as many as a number says that nobody knows.
func.func @how_many(%n: i32) {
  %c1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  omp.parallel num_threads(%c1 : i32) {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  omp.parallel num_threads(%n : i32) {
    // expected-warning @below [possible-double-free] {{%b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
    omp.terminator
  }
  return
}
func.func @on_a_device() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.dealloc %a : memref<4xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    // expected-warning @below [possible-double-free] {{%b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
    gpu.terminator
  }
  return
}
// A condition that is the same for all threads: each of them frees, or none.
func.func @freed_by_each_under_a_flag(%v: f32, %flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    scf.if %flag {
      // expected-warning @below [possible-double-free] {{%a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    }
    omp.terminator
  }
  scf.if %flag {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
