// Sizes that no memory has.
// config: select=["oversize-alloc"]

func.func @negative() {
  %n = arith.constant -4 : index
  // expected-warning @below [oversize-alloc] {{buffer %a has a dimension of -4}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %p = arith.constant 5 : index
  %q = arith.constant 7 : index
  %s = arith.subi %p, %q : index
  // expected-warning @below [oversize-alloc] {{buffer %b has a dimension of -2}}
  %b = memref.alloc(%s) : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  return
}

func.func @wraps(%n: index) {
  %half = arith.constant 4294967296 : index
  %all = arith.muli %half, %half : index
  // expected-warning @below [oversize-alloc] {{64 EiB, overflows 64 bits and wraps to 0}}
  %a = memref.alloc(%all) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  // expected-warning @below [oversize-alloc] {{overflows 64 bits and wraps to -9223372036854775808}}
  %b = memref.alloc() : memref<9223372036854775808xi8>
  memref.dealloc %b : memref<9223372036854775808xi8>
  // expected-warning @below [oversize-alloc] {{9223372036854775808*%n bytes, overflows 64 bits unless it is empty}}
  %c = memref.alloc(%n) : memref<?x4611686018427387904xi16>
  memref.dealloc %c : memref<?x4611686018427387904xi16>
  return
}

func.func @limit(%n: index) {
  // expected-warning @below [oversize-alloc] {{takes 68719476737 bytes, more than the limit of 68719476736}}
  %a = memref.alloc() : memref<68719476737xi8>
  memref.dealloc %a : memref<68719476737xi8>
  %b = memref.alloc() : memref<68719476736xi8>
  memref.dealloc %b : memref<68719476736xi8>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  // expected-warning @below [oversize-alloc] {{takes 128 GiB}}
  %d = memref.alloca() : memref<137438953472xi8>
  return
}

// As the function is called.
func.func private @inner(%n: index) {
  // expected-warning @below [oversize-alloc] {{buffer %a has a dimension of -1}}
  %a = memref.alloc(%n) : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  return
}
func.func @outer() {
  %n = arith.constant -1 : index
  call @inner(%n) : (index) -> ()
  return
}
