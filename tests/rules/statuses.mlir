// A function that says by a number what it did, as C has statuses: callers that ask for it know.

// Fails with -1, and has freed the buffer then.
func.func private @filled(%a: memref<8xf32>, %x: f32, %i: index, %c: i1) -> i32 {
  cf.cond_br %c, ^fails, ^works
^fails:
  // expected-remark @below [argument-free] {{%a}}
  memref.dealloc %a : memref<8xf32>
  %failed = arith.constant -1 : i32
  return %failed : i32
^works:
  memref.store %x, %a[%i] : memref<8xf32>
  %done = arith.constant 0 : i32
  return %done : i32
}

func.func @freed_where_it_worked(%x: f32, %i: index, %c: i1) {
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xf32>
  %status = func.call @filled(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %ok = arith.cmpi eq, %status, %zero : i32
  scf.if %ok {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func @freed_where_it_failed(%x: f32, %i: index, %c: i1) {
  %zero = arith.constant 0 : i32
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  %status = func.call @filled(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %failed = arith.cmpi slt, %status, %zero : i32
  scf.if %failed {
    // expected-error @below [double-free] {{%a}}
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// One of three numbers, by way of a block and of a select.
func.func private @chosen(%a: memref<8xf32>, %c: i1, %d: i1) -> (memref<8xf32>, i64) {
  %new = arith.constant 1 : i64
  %same = arith.constant 0 : i64
  %kept = arith.constant 2 : i64
  cf.cond_br %c, ^makes, ^gives
^makes:
  %b = memref.alloc() : memref<8xf32>
  cf.br ^ends(%b, %new : memref<8xf32>, i64)
^gives:
  %which = arith.select %d, %same, %kept : i64
  cf.br ^ends(%a, %which : memref<8xf32>, i64)
^ends(%r: memref<8xf32>, %n: i64):
  return %r, %n : memref<8xf32>, i64
}

func.func @new_where_it_says_so(%a: memref<8xf32>, %x: f32, %i: index, %c: i1, %d: i1) {
  %one = arith.constant 1 : i64
  %r, %n = func.call @chosen(%a, %c, %d) : (memref<8xf32>, i1, i1) -> (memref<8xf32>, i64)
  memref.store %x, %r[%i] : memref<8xf32>
  %made = arith.cmpi eq, %n, %one : i64
  scf.if %made {
    memref.dealloc %r : memref<8xf32>
  }
  return
}

func.func @taken_for_new(%a: memref<8xf32>, %x: f32, %i: index, %c: i1, %d: i1) {
  %two = arith.constant 2 : i64
  // expected-warning @below [leak] {{%r}}
  %r, %n = func.call @chosen(%a, %c, %d) : (memref<8xf32>, i1, i1) -> (memref<8xf32>, i64)
  memref.store %x, %r[%i] : memref<8xf32>
  %made = arith.cmpi eq, %n, %two : i64
  scf.if %made {
    // expected-warning @below [argument-free] {{%r}}
    memref.dealloc %r : memref<8xf32>
  }
  return
}

// So it is of a function that is passed on.
func.func private @applied(%f: (memref<8xf32>, f32, index, i1) -> i32, %m: memref<8xf32>, %x: f32, %i: index, %c: i1) {
  %zero = arith.constant 0 : i32
  %status = func.call_indirect %f(%m, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %ok = arith.cmpi eq, %status, %zero : i32
  scf.if %ok {
    // expected-remark @below [argument-free] {{%m}}
    memref.dealloc %m : memref<8xf32>
  }
  return
}

func.func @freed_by_one_of_both(%x: f32, %i: index, %c: i1) {
  %f = func.constant @filled : (memref<8xf32>, f32, index, i1) -> i32
  %a = memref.alloc() : memref<8xf32>
  func.call @applied(%f, %a, %x, %i, %c)
      : ((memref<8xf32>, f32, index, i1) -> i32, memref<8xf32>, f32, index, i1) -> ()
  return
}

// And of one that hands on what it is told, or tells something else by it.
func.func private @further(%a: memref<8xf32>, %x: f32, %i: index, %c: i1) -> i32 {
  // expected-remark @below [argument-free] {{%a}}
  %status = func.call @filled(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  return %status : i32
}
func.func private @further_in_its_own_words(%a: memref<8xf32>, %x: f32, %i: index, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  // expected-remark @below [argument-free] {{%a}}
  %status = func.call @further(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %failed = arith.cmpi slt, %status, %zero : i32
  %told = arith.select %failed, %seven, %zero : i32
  return %told : i32
}
func.func @handed_on(%x: f32, %i: index, %c: i1) {
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xf32>
  %status = func.call @further(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %ok = arith.cmpi eq, %status, %zero : i32
  scf.if %ok {
    memref.dealloc %a : memref<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  %other = func.call @further_in_its_own_words(%b, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %fine = arith.cmpi eq, %other, %zero : i32
  scf.if %fine {
    memref.dealloc %b : memref<8xf32>
  }
  return
}
func.func @handed_on_and_taken_for_the_other(%x: f32, %i: index, %c: i1) {
  %zero = arith.constant 0 : i32
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  %status = func.call @further(%a, %x, %i, %c) : (memref<8xf32>, f32, index, i1) -> i32
  %fails = arith.cmpi ne, %status, %zero : i32
  scf.if %fails {
    // expected-error @below [double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<8xf32>
  }
  return
}
