// Calls: what a function does to its caller's buffers is seen at the call.

func.func private @dispose(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func private @dispose_if(%c: i1, %m: memref<4xf32>) {
  scf.if %c {
    // expected-remark @below [argument-free] {{frees its argument}}
    func.call @dispose(%m) : (memref<4xf32>) -> ()
  }
  return
}

func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

func.func private @fresh(%x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}

// Frees at the bottom of the recursion.
func.func private @down(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  scf.if %last {
    // expected-remark @below [argument-free] {{frees its argument}}
    memref.dealloc %m : memref<4xf32>
  } else {
    %less = arith.subi %n, %c1 : index
    // expected-remark @below [argument-free] {{frees its argument}}
    func.call @down(%less, %m) : (index, memref<4xf32>) -> ()
  }
  return
}

func.func private @outside(memref<4xf32>) -> memref<4xf32>

func.func @used_after_dispose(%x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  func.call @dispose(%m) : (memref<4xf32>) -> ()
  // expected-error @below [use-after-free] {{%m is used after its buffer was freed}}
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}

func.func @passed_after_dispose(%x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  func.call @dispose(%m) : (memref<4xf32>) -> ()
  // expected-error @below [double-free] {{freed a second time}}
  func.call @dispose(%m) : (memref<4xf32>) -> ()
  return
}

func.func @condition_travels(%c: i1, %x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  func.call @dispose_if(%c, %m) : (i1, memref<4xf32>) -> ()
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %not {
    memref.dealloc %m : memref<4xf32>
  }
  return
}

func.func @two_names(%x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  %n = func.call @same(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %n}}
  memref.dealloc %n : memref<4xf32>
  return
}

func.func @recursion(%n: index, %x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  func.call @down(%n, %m) : (index, memref<4xf32>) -> ()
  return
}

// It may be %m all the same.
func.func @external_result_is_ours(%m: memref<4xf32>) {
  // expected-warning @below [possible-leak] {{%r of 16 bytes is never freed, if it is the caller's}}
  %r = func.call @outside(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}

func.func @indirect(%f: (memref<4xf32>) -> memref<4xf32>, %m: memref<4xf32>) {
  %r = func.call_indirect %f(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return
}

// Both names are one buffer, as the caller has it.
func.func private @both(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-remark @below [argument-free] {{frees its argument}}
  memref.dealloc %a : memref<4xf32>
  // expected-error @+2 [double-free] {{the buffer of %b}}
  // expected-remark @+1 [argument-free] {{frees its argument}}
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @passes_it_twice(%x: f32) {
  %m = func.call @fresh(%x) : (f32) -> memref<4xf32>
  func.call @both(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
