// What an operation nobody described gives may be any buffer that it was given. That alone is no reason to say that a
// function gives its caller one buffer twice, or the caller's own.

func.func @both_of_one_op(%q: !quantum.bit, %r: !quantum.bit) -> (!quantum.bit, !quantum.bit) {
  %o:2 = quantum.gate %q, %r : !quantum.bit, !quantum.bit
  return %o#0, %o#1 : !quantum.bit, !quantum.bit
}

func.func @of_two(%q: !he.ct, %r: !he.ct) -> (!he.ct, !he.ct) {
  %s = he.add %q, %r : (!he.ct, !he.ct) -> !he.ct
  %t = he.mul %q, %r : (!he.ct, !he.ct) -> !he.ct
  return %s, %t : !he.ct, !he.ct
}

func.func @numbers(%s: !my.slice, %n: index) -> (index, index) {
  %0:2 = my.resolve %s, %n : index, index
  return %0#0, %0#1 : index, index
}

// A type of memory speaks for a view.
func.func @view(%m: memref<8xf32>) -> memref<4xf32> {
  // expected-remark @below [unknown-effects] {{unknown operation my.view}}
  %v = my.view %m : memref<8xf32> -> memref<4xf32>
  // expected-remark @below [borrowed-return] {{returns %v, which on some path belongs to the caller}}
  return %v : memref<4xf32>
}

// One value is one buffer, whoever gave it, and also one that such an operation had.
func.func @twice(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark @below [unknown-effects] {{unknown operation my.use}}
  my.use %a : memref<?xf32>
  // expected-warning @below [aliased-results] {{the buffer of %a is returned more than once on some path}}
  return %a, %a : memref<?xf32>, memref<?xf32>
}

func.func @a_guess_twice(%m: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %v = my.view %m : memref<8xf32> -> memref<8xf32>
  // expected-remark @+2 [borrowed-return] {{returns %v, which on some path belongs to the caller}}
  // expected-warning @below [aliased-results] {{the buffer of %v is returned more than once on some path}}
  return %v, %v : memref<8xf32>, memref<8xf32>
}
