// A variable that is made around a loop holds in each round what a round before has stored there, also where nothing
// but the loop looks at it.

func.func private @chosen() -> i1

func.func @states(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = memref.alloca() : memref<memref<8xf32>>
  scf.for %s = %c0 to %c3 step %c1 {
    scf.index_switch %s
    case 0 {
      %a = memref.alloc() : memref<8xf32>
      memref.store %a, %v[] : memref<memref<8xf32>>
      scf.yield
    }
    case 1 {
      %m = memref.load %v[] : memref<memref<8xf32>>
      memref.store %x, %m[%c0] : memref<8xf32>
      scf.yield
    }
    default {
      %m = memref.load %v[] : memref<memref<8xf32>>
      memref.dealloc %m : memref<8xf32>
      scf.yield
    }
  }
  return
}

func.func @again(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<memref<8xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %later = arith.cmpi ne, %i, %c0 : index
    scf.if %later {
      %m = memref.load %v[] : memref<memref<8xf32>>
      // expected-error @below [use-after-free] {{%m is used after}}
      memref.store %x, %m[%c0] : memref<8xf32>
      // expected-error @below [double-free] {{freed a second time}}
      memref.dealloc %m : memref<8xf32>
    }
    %a = memref.alloc() : memref<8xf32>
    memref.store %a, %v[] : memref<memref<8xf32>>
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func @either(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<memref<8xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %c = func.call @chosen() : () -> i1
    scf.if %c {
      %m = memref.load %v[] : memref<memref<8xf32>>
      // expected-warning @below [possible-double-free] {{freed a second time on some path}}
      memref.dealloc %m : memref<8xf32>
    } else {
      // expected-warning @below [possible-leak] {{%a of 32 bytes is not freed on some path}}
      %a = memref.alloc() : memref<8xf32>
      memref.store %a, %v[] : memref<memref<8xf32>>
    }
  }
  return
}

// Made in each round, it holds nothing of the rounds before.
func.func @anew(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %v = memref.alloca() : memref<memref<8xf32>>
      // expected-warning @below [leak] {{%a of 32 bytes is never freed}}
      %a = memref.alloc() : memref<8xf32>
      memref.store %a, %v[] : memref<memref<8xf32>>
    }
  }
  return
}
