// How large a buffer is said to be: its dynamic dimensions are the indices that its allocation is given.

func.func @dimensions(%rows: index, %columns: index) {
  // expected-warning @below [leak] {{buffer %a of 4*%rows*%columns bytes is never freed}}
  %a = memref.alloc(%rows, %columns) : memref<?x?xf32>
  return
}

// The buffer that grows is no dimension of the new one.
func.func @grown(%old: memref<?xf32>, %n: index) {
  // expected-warning @+2 [argument-free] {{%old}}
  // expected-warning @below [leak] {{buffer %new of 4*%n bytes is never freed}}
  %new = memref.realloc %old(%n) : memref<?xf32> to memref<?xf32>
  return
}

func.func @grown_to(%old: memref<?xf32>) {
  %c16 = arith.constant 16 : index
  // expected-warning @+2 [argument-free] {{%old}}
  // expected-warning @below [leak] {{buffer %new of 64 bytes is never freed}}
  %new = memref.realloc %old(%c16) : memref<?xf32> to memref<?xf32>
  return
}

func.func @cloned(%x: memref<?xf32>) {
  // expected-warning @below [leak] {{buffer %copy is never freed}}
  %copy = bufferization.clone %x : memref<?xf32> to memref<?xf32>
  return
}

// What a call is given may mean anything: this asks for twice as much.
func.func @doubled(%n: index) -> memref<?xf32> {
  %c2 = arith.constant 2 : index
  %twice = arith.muli %n, %c2 : index
  %a = memref.alloc(%twice) : memref<?xf32>
  return %a : memref<?xf32>
}

func.func @called() {
  %c8 = arith.constant 8 : index
  // expected-warning @below [leak] {{buffer %a is never freed}}
  %a = func.call @doubled(%c8) : (index) -> memref<?xf32>
  return
}

// Nothing is copied onto itself: no other buffer could take its place.
func.func @empty() {
  %a = memref.alloc() : memref<0xf32>
  memref.copy %a, %a : memref<0xf32> to memref<0xf32>
  memref.dealloc %a : memref<0xf32>
  return
}

// The generic form says the same.
func.func @generic() {
  %c16 = "arith.constant"() <{value = 16 : index}> : () -> index
  // expected-warning @below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = "memref.alloc"(%c16) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
  return
}
