// What a function without a body gives may be what it was passed. The same holds for functions that give what it gives,
// and what is said of calls of the one is said of calls of the others.

func.func private @make(memref<8xi64>) -> memref<8xi64>

func.func private @wrapper(%a: memref<8xi64>) -> memref<8xi64> {
  %r = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}

func.func private @outer(%a: memref<8xi64>) -> memref<8xi64> {
  %r = func.call @wrapper(%a) : (memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}

func.func @direct(%x: memref<8xi64>) {
  // expected-warning@below [possible-leak] {{buffer %b of 64 bytes is never freed, if it is the caller's}}
  %b = func.call @make(%x) : (memref<8xi64>) -> memref<8xi64>
  return
}

func.func @wrapped(%x: memref<8xi64>) {
  // expected-warning@below [possible-leak] {{buffer %b of 64 bytes is never freed, if it is the caller's}}
  %b = func.call @wrapper(%x) : (memref<8xi64>) -> memref<8xi64>
  return
}

func.func @wrapped_twice(%x: memref<8xi64>) {
  // expected-warning@below [possible-leak] {{buffer %b of 64 bytes is never freed, if it is the caller's}}
  %b = func.call @outer(%x) : (memref<8xi64>) -> memref<8xi64>
  return
}

// Whichever it is, what is passed is lost.
func.func @lost() {
  // expected-warning@below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = memref.alloc() : memref<8xi64>
  // expected-warning@below [possible-leak] {{buffer %b of 64 bytes is never freed, if it is the caller's}}
  %b = func.call @outer(%a) : (memref<8xi64>) -> memref<8xi64>
  return
}

func.func @freed_by_the_new_name() {
  // expected-warning@below [possible-leak] {{buffer %a of 64 bytes is never freed, unless a function that it was passed to has returned it}}
  %a = memref.alloc() : memref<8xi64>
  %b = func.call @outer(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  return
}

func.func private @remake(%a: memref<8xi64>) {
  %r = func.call @outer(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %r : memref<8xi64>
  return
}

func.func private @remake_inside(%a: memref<8xi64>) {
  func.call @remake(%a) : (memref<8xi64>) -> ()
  return
}

func.func @freed_inside() {
  // expected-warning@below [possible-leak] {{buffer %a of 64 bytes is never freed, unless a function that it was passed to has returned it}}
  %a = memref.alloc() : memref<8xi64>
  func.call @remake_inside(%a) : (memref<8xi64>) -> ()
  return
}

// One that frees its own is another matter.
func.func private @frees_its_own(%a: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xi64>
  memref.copy %a, %r : memref<8xi64> to memref<8xi64>
  %v = memref.load %r[%c0] : memref<8xi64>
  memref.dealloc %r : memref<8xi64>
  return
}

func.func @lost_beside() {
  // expected-warning@below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = memref.alloc() : memref<8xi64>
  func.call @frees_its_own(%a) : (memref<8xi64>) -> ()
  return
}

// Functions that call each other.
func.func private @even(%n: index, %a: memref<8xi64>) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.cmpi eq, %n, %c0 : index
  %m = arith.subi %n, %c1 : index
  %r = scf.if %end -> memref<8xi64> {
    %0 = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %0 : memref<8xi64>
  } else {
    %0 = func.call @odd(%m, %a) : (index, memref<8xi64>) -> memref<8xi64>
    scf.yield %0 : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func private @odd(%n: index, %a: memref<8xi64>) -> memref<8xi64> {
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  %r = func.call @even(%m, %a) : (index, memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}
func.func @of_each_other(%n: index, %x: memref<8xi64>) {
  // expected-warning@below [possible-leak] {{buffer %b of 64 bytes is never freed, if it is the caller's}}
  %b = func.call @odd(%n, %x) : (index, memref<8xi64>) -> memref<8xi64>
  return
}

// By whom it is freed, or made, makes no difference.
func.func private @drop(%a: memref<8xi64>) {
  // expected-remark @below [argument-free] {{frees its argument %a}}
  memref.dealloc %a : memref<8xi64>
  return
}
func.func private @new() -> memref<8xi64> {
  %a = memref.alloc() : memref<8xi64>
  return %a : memref<8xi64>
}
func.func @freed_by_a_function() {
  // expected-warning@below [possible-leak] {{buffer %a of 64 bytes is never freed, unless a function that it was passed to has returned it}}
  %a = memref.alloc() : memref<8xi64>
  %b = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  func.call @drop(%b) : (memref<8xi64>) -> ()
  return
}
func.func @made_by_a_function() {
  // expected-warning@below [possible-leak] {{buffer %a of 64 bytes is never freed, unless a function that it was passed to has returned it}}
  %a = func.call @new() : () -> memref<8xi64>
  %b = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  return
}
