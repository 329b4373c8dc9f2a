// An operation named `func` of an undescribed dialect is a function, in either form; that is reported once, where it
// makes or frees buffers. One named `return` hands its operands to the caller, of which nothing is certain.

other.func @reads(%x: memref<4xf32>, %i: index) {
  %v = memref.load %x[%i] : memref<4xf32>
  other.return
}

// expected-remark @below [unknown-effects] {{unknown operation mine.func: taken for a function}}
mine.func @custom(%n: index) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  mine.return
}

mine.func private @declared(memref<4xf32>)

mine.func @again() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  func.return
}

mine.func @handed_out() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below [unknown-effects] {{mine.return}}
  mine.return %a : memref<4xf32>
}

mine.func @freed_before() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-warning @below [possible-use-after-free] {{%a}}
  mine.return %a : memref<4xf32>
}

module {
  // expected-remark @below [unknown-effects] {{unknown operation other.func: taken for a function}}
  "other.func"() <{sym_name = "generic", function_type = (memref<4xf32>) -> ()}> ({
  ^bb0(%x: memref<4xf32>):
    // expected-warning @below [leak] {{%b}}
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    "other.return"() : () -> ()
  }) {sym_visibility = "private"} : () -> ()
}
