// What a private function is passed is known where all of its callers say so, whatever number of functions pass it on.
// config: ignore=["argument-free"]
func.func private @free_if(%a: memref<8xf32>, %own: i1) {
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func private @pass_on(%a: memref<8xf32>, %own: i1) {
  call @free_if(%a, %own) : (memref<8xf32>, i1) -> ()
  return
}

func.func @freed() {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  call @pass_on(%a, %true) : (memref<8xf32>, i1) -> ()
  return
}

func.func private @free_if_then_use(%a: memref<8xf32>, %own: i1) -> f32 {
  %c0 = arith.constant 0 : index
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  %x = memref.load %a[%c0] : memref<8xf32>
  return %x : f32
}

func.func private @pass_on_to_use(%a: memref<8xf32>, %own: i1) -> f32 {
  %x = call @free_if_then_use(%a, %own) : (memref<8xf32>, i1) -> f32
  return %x : f32
}

func.func @kept() -> f32 {
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  %x = call @pass_on_to_use(%a, %false) : (memref<8xf32>, i1) -> f32
  memref.dealloc %a : memref<8xf32>
  return %x : f32
}

// A loop that never runs, behind functions that call each other.

func.func private @fill_freed(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  memref.dealloc %a : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}

func.func private @ping(%a: memref<8xf32>, %n: index, %c: i1) {
  scf.if %c {
    func.call @pong(%a, %n, %c) : (memref<8xf32>, index, i1) -> ()
  } else {
    func.call @fill_freed(%a, %n) : (memref<8xf32>, index) -> ()
  }
  return
}

func.func private @pong(%a: memref<8xf32>, %n: index, %c: i1) {
  %d = arith.constant false
  call @ping(%a, %n, %d) : (memref<8xf32>, index, i1) -> ()
  return
}

func.func @never_filled(%c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  call @ping(%a, %c0, %c) : (memref<8xf32>, index, i1) -> ()
  return
}

// Two callers further out pass different numbers: one of them is enough to go wrong.

func.func private @use_if(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  memref.dealloc %a : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below [use-after-free] {{after its buffer was freed}}
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}

func.func private @pass_both(%a: memref<8xf32>, %n: index) {
  call @use_if(%a, %n) : (memref<8xf32>, index) -> ()
  return
}

func.func @none() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  call @pass_both(%a, %c0) : (memref<8xf32>, index) -> ()
  return
}

func.func @some() {
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  call @pass_both(%a, %c4) : (memref<8xf32>, index) -> ()
  return
}

// A number that a callee gives, whichever way it ends, is known as well; so is one that is computed of constants.

func.func private @not_owned(%a: memref<8xf32>) -> (memref<8xf32>, i1) {
  %false = arith.constant false
  return %a, %false : memref<8xf32>, i1
}

func.func private @as_passed(%own: i1) -> i1 {
  return %own : i1
}

func.func private @twice_if(%a: memref<8xf32>, %own: i1) {
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func @given_by_callees() {
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r:2 = call @not_owned(%a) : (memref<8xf32>) -> (memref<8xf32>, i1)
  call @twice_if(%r#0, %r#1) : (memref<8xf32>, i1) -> ()
  %own = call @as_passed(%false) : (i1) -> i1
  call @twice_if(%a, %own) : (memref<8xf32>, i1) -> ()
  %same = arith.cmpi eq, %c0, %c1 : index
  call @twice_if(%a, %same) : (memref<8xf32>, i1) -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// Of two results one is another number.

func.func private @perhaps(%c: i1) -> i1 {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^one, ^other
^one:
  return %true : i1
^other:
  return %false : i1
}

func.func private @again_if(%a: memref<8xf32>, %own: i1) {
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  scf.if %own {
    // expected-error @below [double-free] {{freed a second time}}
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func @given_by_one_that_chooses(%c: i1, %a: memref<8xf32>) {
  %own = call @perhaps(%c) : (i1) -> i1
  call @again_if(%a, %own) : (memref<8xf32>, i1) -> ()
  return
}
