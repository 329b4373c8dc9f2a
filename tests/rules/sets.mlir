// Conditions that no value stands for: the same set of the same numbers.

#early = affine_set<(d0) : (-d0 + 7 >= 0)>
#below = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>

func.func @either(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  affine.if #early(%n) {
    memref.dealloc %a : memref<4xf32>
  }
  affine.if #early(%n) {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @both(%n: index, %m: index, %x: f32) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  affine.if #below(%n)[%m] {
    memref.dealloc %a : memref<4xf32>
  }
  affine.if #below(%n)[%m] {
    // expected-error @below [use-after-free] {{%a is used after}}
    affine.store %x, %a[0] : memref<4xf32>
  }
  return
}

func.func @other_numbers(%n: index, %m: index, %x: f32) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  affine.if #below(%n)[%m] {
    memref.dealloc %a : memref<4xf32>
  }
  affine.if #below(%m)[%n] {
    // expected-warning @below [possible-use-after-free] {{%a is used after}}
    affine.store %x, %a[0] : memref<4xf32>
  }
  affine.if #early(%n) {
    // expected-warning @below [possible-use-after-free] {{%a is used after}}
    affine.store %x, %a[0] : memref<4xf32>
  }
  return
}

// Each round asks for a number of its own: eight of them free it.
func.func @rounds(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 10 {
    %b = memref.alloc() : memref<4xf32>
    affine.if #early(%i) {
      memref.dealloc %b : memref<4xf32>
    }
    affine.if #early(%i) {
      // expected-error @below [double-free] {{of %a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    } else {
      memref.dealloc %b : memref<4xf32>
    }
  }
  return
}

func.func @results(%n: index, %given: memref<4xf32>) {
  %a:2 = affine.if #early(%n) -> (memref<4xf32>, i1) {
    %new = memref.alloc() : memref<4xf32>
    %true = arith.constant true
    affine.yield %new, %true : memref<4xf32>, i1
  } else {
    %false = arith.constant false
    affine.yield %given, %false : memref<4xf32>, i1
  }
  affine.if affine_set<(d0) : (-d0 + 7 >= 0)>(%n) {
    affine.yield
  }
  scf.if %a#1 {
    memref.dealloc %a#0 : memref<4xf32>
  }
  return
}

func.func @generic(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  "affine.if"(%n) <{condition = affine_set<(d0) : (d0 - 3 >= 0)>}> ({
    "memref.dealloc"(%a) : (memref<4xf32>) -> ()
    "affine.yield"() : () -> ()
  }, {
  }) : (index) -> ()
  affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// What a private function frees under a condition, its caller frees under the other.
func.func private @if_early(%a: memref<4xf32>, %n: index) {
  affine.if #early(%n) {
    // expected-remark @below [argument-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @called(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  call @if_early(%a, %n) : (memref<4xf32>, index) -> ()
  affine.if #early(%n) {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
