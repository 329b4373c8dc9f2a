// A task may be done at any time until somebody waits for it: then what it uses may be freed, and not before.

func.func @behind_the_wait(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.taskwait
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @before_the_wait(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  // expected-error @below [free-before-wait] {{%a is freed before the work on it has completed}}
  memref.dealloc %a : memref<4xf32>
  omp.taskwait
  return
}
func.func @without_a_wait(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @waited_for_on_a_path(%c: i1, %v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  scf.if %c {
    omp.taskwait
  }
  // expected-warning @below [free-before-wait] {{%a is freed on some path before the work on it has completed}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @in_generic_form(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  "omp.task"() <{mergeable, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    memref.store %v, %a[%i] : memref<4xf32>
    "omp.terminator"() : () -> ()
  }) : () -> ()
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<4xf32>
  "omp.taskwait"() : () -> ()
  return
}

// One for each round; the wait is for all.
func.func @in_a_loop(%v: f32, %from: index, %to: index, %step: index) {
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %from to %to step %step {
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
  }
  omp.taskwait
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @in_each_round(%v: f32, %from: index, %to: index, %step: index) {
  scf.for %i = %from to %to step %step {
    %a = memref.alloc() : memref<4xf32>
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
    // expected-error @below [free-before-wait] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  omp.taskwait
  return
}

// Tasks wait for those that they have begun themselves, and for no others.
func.func @waited_for_inside(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
    omp.taskwait
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  omp.taskwait
  return
}
func.func @of_a_task(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
    omp.terminator
  }
  omp.taskwait
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @in_a_group(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.taskgroup {
    omp.task {
      omp.task {
        memref.store %v, %a[%i] : memref<4xf32>
        omp.terminator
      }
      omp.terminator
    }
    omp.terminator
  }
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @freed_in_the_group(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.taskgroup {
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
    // expected-error @below [free-before-wait] {{%a}}
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
// Two that nobody has told to come one after the other.
func.func @freed_in_another(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.task {
    // expected-error @below [free-before-wait] {{%a}}
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  omp.taskwait
  return
}
func.func @freed_in_the_task(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}

// At the end of such regions threads wait for each other and all tasks, unless these say that they do not.
func.func @behind_the_end(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    omp.single nowait {
      omp.task {
        memref.store %v, %a[%i] : memref<4xf32>
        omp.terminator
      }
      omp.terminator
    }
    omp.terminator
  }
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @in_one_thread(%v: f32, %i: index) {
  omp.parallel {
    omp.single {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc() : memref<4xf32>
      omp.task {
        memref.store %v, %a[%i] : memref<4xf32>
        memref.store %v, %b[%i] : memref<4xf32>
        omp.terminator
      }
      // expected-error @below [free-before-wait] {{%b}}
      memref.dealloc %b : memref<4xf32>
      omp.taskwait
      memref.dealloc %a : memref<4xf32>
      omp.terminator
    }
    omp.terminator
  }
  return
}
func.func @behind_a_barrier(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    omp.task {
      memref.store %v, %a[%i] : memref<4xf32>
      omp.terminator
    }
    omp.terminator
  }
  omp.barrier
  memref.dealloc %a : memref<4xf32>
  return
}

// What comes before what clauses say, which is not followed: nor is whether a task is done at once.
func.func @in_order(%v: f32, %i: index, %p: !llvm.ptr) {
  %a = memref.alloc() : memref<4xf32>
  omp.task depend(taskdependout -> %p : !llvm.ptr) {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.task depend(taskdependin -> %p : !llvm.ptr) {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
func.func @waited_for_by_what_it_writes(%v: f32, %i: index, %p: !llvm.ptr) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.taskwait depend(taskdependin -> %p : !llvm.ptr)
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @done_at_once(%v: f32, %i: index) {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  omp.task if(%false) {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  memref.dealloc %a : memref<4xf32>
  return
}
// What is called may wait.
func.func private @sync()
func.func @waited_for_elsewhere(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  call @sync() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
// But no task waits for another by what it calls.
func.func private @work(memref<4xf32>)
func.func @calls_in_the_task(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    func.call @work(%a) : (memref<4xf32>) -> ()
    omp.terminator
  }
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

// What is freed in a task may be used before that, or after: nobody knows until it has been waited for.
func.func @used_beside_the_free(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  omp.task {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  %x = memref.load %a[%i] : memref<4xf32>
  omp.taskwait
  // expected-error @below [use-after-free] {{%a is used after}}
  %y = memref.load %a[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
func.func @used_in_another(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    // expected-error @below [use-after-free] {{%a is used after}}
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.task {
    // expected-warning @below [possible-use-after-free] {{%a is used after}}
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  return
}
// In whichever order: both free it.
func.func @freed_in_both(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  // expected-error @below [double-free] {{%a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  return
}
// What a task waits for is not in sight: it is perhaps never waited for.
func.func @used_behind_one_with_clauses(%v: f32, %i: index, %p: !llvm.ptr) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  omp.task depend(taskdependin -> %p : !llvm.ptr) {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}
func.func private @gives_up(%a: memref<4xf32>) {
  omp.task {
    // expected-remark @below [argument-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
func.func @used_behind_the_call(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  call @gives_up(%a) : (memref<4xf32>) -> ()
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  memref.store %v, %a[%i] : memref<4xf32>
  return
}
