// Behind an operation whose regions all end in a call of `abort` control never comes: nothing is lost there, and
// nothing freed twice.
func.func private @abort() attributes {llvm.noreturn}

func.func @in_a_region(%x: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  scf.execute_region {
    func.call @abort() : () -> ()
    scf.yield
  }
  return
}

func.func @in_a_scope(%x: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.alloca_scope {
    func.call @abort() : () -> ()
  }
  return
}

func.func @in_both_branches(%x: f32, %i: index, %c: i1, %d: i1) {
  %a = memref.alloc() : memref<8xf32>
  scf.if %c {
    scf.if %d {
      func.call @abort() : () -> ()
    } else {
      scf.execute_region {
        func.call @abort() : () -> ()
        scf.yield
      }
    }
  } else {
    func.call @abort() : () -> ()
  }
  return
}

func.func @before_the_first_round(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  scf.while : () -> () {
    func.call @abort() : () -> ()
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

func.func @freed_behind() {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  scf.execute_region {
    func.call @abort() : () -> ()
    scf.yield
  }
  memref.dealloc %a : memref<8xf32>
  return
}

func.func private @dies() {
  scf.execute_region {
    func.call @abort() : () -> ()
    scf.yield
  }
  return
}

func.func @in_a_callee() {
  %a = memref.alloc() : memref<8xf32>
  call @dies() : () -> ()
  return
}

func.func @maybe_no_round(%i: index, %n: index) {
  // expected-warning @below [leak] {{never freed}}
  %a = memref.alloc() : memref<8xf32>
  scf.for %k = %i to %n step %i {
    func.call @abort() : () -> ()
  }
  return
}

func.func @in_one_of_three(%c: i1, %d: i1) {
  // expected-warning @below [leak] {{never freed}}
  %a = memref.alloc() : memref<8xf32>
  scf.if %c {
    func.call @abort() : () -> ()
  } else {
    scf.if %d {
      func.call @abort() : () -> ()
    }
  }
  return
}
