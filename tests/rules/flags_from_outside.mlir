// Flags in variables that are stored where no buffer is, and asked in a region that holds all of a buffer's life.

func.func @stored_before(%c: i1, %k: i1) {
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %c, %f[] : memref<i1>
  scf.if %c {
    memref.store %true, %f[] : memref<i1>
    scf.if %k {
      %a = memref.alloc() : memref<4xf32>
      %l = memref.load %f[] : memref<i1>
      scf.if %l {
        memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
      }
    }
  }
  return
}

func.func @loaded_before(%c: i1) {
  %f = memref.alloca() : memref<i1>
  memref.store %c, %f[] : memref<i1>
  %0 = memref.load %f[] : memref<i1>
  scf.if %0 {
    %a = memref.alloc() : memref<4xf32>
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
    }
  }
  return
}

// Behind the store another may have been stored.
func.func @stored_between(%c: i1, %d: i1, %k: i1) {
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %true, %f[] : memref<i1>
  scf.if %d {
    memref.store %c, %f[] : memref<i1>
  }
  scf.if %k {
    %a = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%a}}
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// What is stored in one round is there in the next.
func.func @stored_behind(%c: i1, %n: index) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = memref.alloca() : memref<i1>
  memref.store %true, %f[] : memref<i1>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%a}}
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      memref.dealloc %a : memref<4xf32>
    }
    memref.store %c, %f[] : memref<i1>
  }
  return
}

func.func @stored_in_the_other_region(%c: i1, %k: i1) {
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %true, %f[] : memref<i1>
  scf.while : () -> () {
    memref.store %c, %f[] : memref<i1>
    scf.condition(%k)
  } do {
    %a = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%a}}
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      memref.dealloc %a : memref<4xf32>
    }
    scf.yield
  }
  return
}

// It holds true, or what is true here: that is known of what was there before the region as well.
func.func @stored_again_on_one_path(%c: i1, %d: i1) {
  %true = arith.constant true
  %f = memref.alloca() : memref<i1>
  memref.store %true, %f[] : memref<i1>
  scf.if %c {
    scf.if %d {
      memref.store %c, %f[] : memref<i1>
    }
    %l = memref.load %f[] : memref<i1>
    %a = memref.alloc() : memref<4xf32>
    scf.if %l {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}
