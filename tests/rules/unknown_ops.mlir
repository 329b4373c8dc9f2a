// What rests on an operation that nobody described is never an error.

func.func @passed_on(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below [unknown-effects] {{mystery.wrap}}
  %b = mystery.wrap %a : memref<4xf32> -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-warning @below [possible-use-after-free] {{%b}}
  %x = memref.load %b[%n] : memref<4xf32>
  return
}

// What is given to them may be freed there, also where they are named like functions and name a result's buffer.

func.func @named_like_a_function() {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below [unknown-effects] {{mystery.func}}
  mystery.func(%a) : (memref<4xf32>) -> ()
  return
}

func.func @behind_an_arrow() {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below [unknown-effects] {{mystery.fun}}
  mystery.fun @x -> %a as memref<4xf32>
  return
}
