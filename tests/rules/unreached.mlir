// Nothing is reported in code that never runs, in whatever form; what is beside it is reported.

func.func @if_false() {
  %f = arith.constant false
  scf.if %f {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @if_else(){
  %t = arith.constant true
  scf.if %t {
  } else {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @for_zero() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c0 step %c1 {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @nested() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c4 to %c0 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.alloc() : memref<i32>
      %v = memref.load %x[] : memref<i32>
      memref.dealloc %x : memref<i32>
      memref.dealloc %x : memref<i32>
    }
  }
  return
}
func.func @while() {
  %f = arith.constant false
  scf.while : () -> () {
    scf.condition(%f)
  } do {
    %x = memref.alloc() : memref<i32>
    scf.yield
  }
  return
}
func.func @cf() {
  %f = arith.constant false
  cf.cond_br %f, ^bb1, ^bb2
^bb1:
  %x = memref.alloc() : memref<i32>
  cf.br ^bb2
^bb2:
  return
}
func.func @affine() {
  affine.for %i = 0 to 0 {
    %x = memref.alloc() : memref<i32>
  }
  affine.parallel (%i) = (0) to (0) {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @par() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c0) step (%c1) {
    %x = memref.alloc() : memref<i32>
  }
  scf.forall (%i) in (0) {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @switch() {
  %c2 = arith.constant 2 : index
  scf.index_switch %c2
  case 5 {
    %x = memref.alloc() : memref<i32>
    scf.yield
  }
  case 2 {
    scf.yield
  }
  default {
    %y = memref.alloc() : memref<i32>
    scf.yield
  }
  return
}
func.func @cfsw() {
  %c2 = arith.constant 2 : i32
  cf.switch %c2 : i32, [
    default: ^bb1,
    2: ^bb2
  ]
^bb1:
  %x = memref.alloc() : memref<i32>
  cf.br ^bb2
^bb2:
  return
}
func.func @after_forever() {
  %t = arith.constant true
  scf.while : () -> () {
    scf.condition(%t)
  } do {
    scf.yield
  }
  %x = memref.alloc() : memref<i32>
  return
}
func.func @unreach() {
  return
^bb1:
  %x = memref.alloc() : memref<i32>
  return
}
func.func @cmp() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b = arith.cmpi sgt, %c2, %c3 : index
  scf.if %b {
    %x = memref.alloc() : memref<i32>
  }
  return
}
func.func @cfloop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i : index):
  %b = arith.cmpi slt, %i, %c0 : index
  cf.cond_br %b, ^body, ^done
^body:
  %x = memref.alloc() : memref<i32>
  %n = arith.addi %i, %c1 : index
  cf.br ^h(%n : index)
^done:
  return
}
func.func @live(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [leak] {{buffer %x of 4 bytes is never freed}}
    %x = memref.alloc() : memref<i32>
    scf.if %c {
      // expected-warning @below [leak] {{buffer %y of 4 bytes is never freed}}
      %y = memref.alloc() : memref<i32>
    }
    // expected-warning @below [leak] {{buffer %w of 4 bytes is never freed}}
    %w = memref.alloc() : memref<i32>
  }
  // expected-warning @below [leak] {{buffer %z of 4 bytes is never freed}}
  %z = memref.alloc() : memref<i32>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-warning @below [leak] {{buffer %x of 4 bytes is never freed}}
    %x = memref.alloc() : memref<i32>
  }
  scf.for %i = %c0 to %c0 step %c1 {
  }
  // expected-warning @below [leak] {{buffer %k of 4 bytes is never freed}}
  %k = memref.alloc() : memref<i32>
  return
}
