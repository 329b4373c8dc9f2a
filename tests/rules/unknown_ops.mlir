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
