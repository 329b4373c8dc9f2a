// A function is taken to be passed an index that is not negative; what a caller computes may be.

func.func private @unless_small(%x: memref<4xf32>, %free: i1, %k: index) {
  %v = arith.constant 1.0 : f32
  %i = arith.constant 0 : index
  scf.index_switch %k
  case 1 {
    scf.yield
  }
  default {
    memref.store %v, %x[%i] : memref<4xf32>
  }
  scf.if %free {
    memref.dealloc %x : memref<4xf32>  // expected-remark [argument-free] {{%x}}
  }
  return
}

// It is not freed where %n is 1, and what is passed -2.
func.func @below(%n: index) {
  %m = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%m}}
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %free = arith.cmpi ne, %n, %one : index
  %k = arith.subi %n, %three : index
  func.call @unless_small(%m, %free, %k) : (memref<4xf32>, i1, index) -> ()
  return
}

// Whether -2 is passed is not known: a call before has forgotten it.
func.func private @looks(%x: memref<4xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %x : memref<4xf32>  // expected-remark [argument-free] {{%x}}
  } else {
    memref.dealloc %x : memref<4xf32>  // expected-remark [argument-free] {{%x}}
  }
  return
}
func.func @forgotten(%n: index) {
  %other = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%m}}
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %free = arith.cmpi ne, %n, %one : index
  func.call @looks(%other, %free) : (memref<4xf32>, i1) -> ()
  %k = arith.subi %n, %three : index
  func.call @unless_small(%m, %free, %k) : (memref<4xf32>, i1, index) -> ()
  return
}

// What is negative is as small as zero, and none of the numbers that are asked for.
func.func private @if_large(%x: memref<4xf32>, %k: index) {
  %three = arith.constant 3 : index
  %large = arith.cmpi sgt, %k, %three : index
  scf.if %large {
    memref.dealloc %x : memref<4xf32>  // expected-remark [argument-free] {{%x}}
  }
  return
}
func.func private @if_one(%x: memref<4xf32>, %k: index) {
  %one = arith.constant 1 : index
  %is = arith.cmpi eq, %k, %one : index
  scf.if %is {
    memref.dealloc %x : memref<4xf32>  // expected-remark [argument-free] {{%x}}
  }
  return
}
func.func @freed_once(%n: index, %i: index) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  %k = arith.subi %n, %i : index
  func.call @if_large(%x, %k) : (memref<4xf32>, index) -> ()
  func.call @if_one(%y, %k) : (memref<4xf32>, index) -> ()
  %large = arith.cmpi sgt, %k, %three : index
  scf.if %large {
  } else {
    memref.dealloc %x : memref<4xf32>
  }
  %is = arith.cmpi eq, %k, %one : index
  scf.if %is {
  } else {
    memref.dealloc %y : memref<4xf32>
  }
  return
}
