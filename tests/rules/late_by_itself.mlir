// A deallocation is late as well that can be moved up by itself, whatever else frees its buffer: to where each execution
// comes past as often, with nothing between that may name what it frees.

func.func @may_be_the_callers_elsewhere(%x: memref<8xi64>, %p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi64>
  memref.copy %x, %a : memref<8xi64> to memref<8xi64>
  cf.cond_br %p, ^keep, ^drop
^keep:
  cf.br ^join(%a : memref<8xi64>)
^drop:
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  "test.work"(%i) : (index) -> ()
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^done:
  // expected-warning @below [late-free] {{buffer %a of 64 bytes is held over 1 operation}}
  memref.dealloc %a : memref<8xi64>
  cf.br ^join(%x : memref<8xi64>)
^join(%b: memref<8xi64>):
  cf.cond_br %p, ^free, ^end
^free:
  memref.dealloc %b : memref<8xi64>
  cf.br ^end
^end:
  return
}

func.func @lost_elsewhere(%x: f32, %i: index, %p: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  cf.cond_br %p, ^lose, ^on
^lose:
  return
^on:
  %y = arith.addf %x, %x : f32
  // expected-warning @below [late-free] {{held over 1 operation}}
  memref.dealloc %a : memref<8xf32>
  return
}

// Past a diamond in which nothing names it; not past one of whose ways leaves the function.
func.func @past_a_diamond(%x: f32, %i: index, %p: i1, %q: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  cf.cond_br %p, ^lose, ^on
^lose:
  return
^on:
  cf.cond_br %q, ^left, ^right
^left:
  "test.work"(%i) : (index) -> ()
  cf.br ^meet
^right:
  "test.work"(%i) : (index) -> ()
  cf.br ^meet
^meet:
  // expected-warning @below [late-free] {{held over 1 operation}}
  memref.dealloc %a : memref<8xf32>
  return
}

func.func @not_past_a_return(%x: f32, %i: index, %p: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  "test.work"(%i) : (index) -> ()
  cf.cond_br %p, ^lose, ^on
^lose:
  return
^on:
  memref.dealloc %a : memref<8xf32>
  return
}

// Not out of a loop, nor into one: it would be freed as often as that goes round.
func.func @not_into_a_loop(%x: f32, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %p, ^lose, ^head(%c0 : index)
^lose:
  memref.store %x, %a[%c0] : memref<8xf32>
  return
^head(%i: index):
  memref.store %x, %a[%i] : memref<8xf32>
  "test.work"(%i) : (index) -> ()
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^head(%j : index), ^done
^done:
  memref.dealloc %a : memref<8xf32>
  return
}

func.func @of_each_round(%x: f32, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-leak] {{%a}}
    %a = memref.alloc() : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
    scf.if %p {
      "test.work"(%i) : (index) -> ()
      // expected-warning @below [late-free] {{held over 1 operation}}
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

// What is kept out of sight may be used without a name.

func.func @kept(%x: f32, %i: index, %p: i1, %s: memref<1xmemref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  memref.store %a, %s[%i] : memref<1xmemref<8xf32>>
  "test.work"(%i) : (index) -> ()
  memref.dealloc %a : memref<8xf32>
  return
}
