// Affine maps and sets are computed with: what an op computes, what it asks, the bounds of its loop.

#plus = affine_map<(d0) -> (d0 + 3)>
#tile = affine_map<(d0)[s0] -> (d0 + s0, 10)>
#third = affine_set<(d0) : (d0 - 3 == 0)>
#even = affine_set<(d0) : (d0 mod 2 == 0)>

func.func @one_map_of_one_value(%n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  %s1 = affine.apply #plus(%n)
  %s2 = arith.addi %n, %c3 : index
  %e1 = arith.cmpi slt, %s1, %k : index
  %e2 = arith.cmpi sge, %s2, %k : index
  memref.store %x, %a[%c0] : memref<4xf32>
  scf.if %e1 {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @in_one_round(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 8 {
    affine.if #third(%i) {
      affine.store %x, %a[0] : memref<4xf32>
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @in_every_other_round(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 1 to 4 {
    affine.if #even(%i) {
      affine.store %x, %a[0] : memref<4xf32>
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @twice(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    affine.if #even(%i) {
      // expected-error @below [double-free] {{%a}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// The largest of several lower bounds, the smallest of several upper ones.
func.func @never_runs(%n: index) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = max affine_map<(d0) -> (d0, 10)>(%n) to 10 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @once(%x: f32) {
  %n = arith.constant 4 : index
  %k = arith.constant 9 : index
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = #plus(%n) to min #tile(%n)[%k] step 4 {
    affine.store %x, %a[0] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @smallest(%n: index) {
  %c10 = arith.constant 10 : index
  %m = affine.min #tile(%n)[%n]
  %above = arith.cmpi sgt, %m, %c10 : index
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %above {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// In generic form.
func.func @generic(%x: f32) {
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
  "affine.for"(%c4, %c4) <{lowerBoundMap = affine_map<(d0) -> (d0 - 1)>, operandSegmentSizes = array<i32: 1, 1, 0>, step = 1 : index, upperBoundMap = affine_map<(d0) -> (d0, d0 * 2)>}> ({
  ^bb0(%i: index):
    "memref.dealloc"(%a) : (memref<4xf32>) -> ()  // expected-warning [late-free] {{%a}}
    "affine.yield"() : () -> ()
  }) : (index, index) -> ()
  return
}

// A map that is not there says nothing.
func.func @not_defined(%n: index) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = #gone(%n) to 10 {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Elements are counted by what the map gives, in generic form as well.
func.func @mapped() {
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  %v = memref.alloca() : memref<2xmemref<4xf32>>
  "affine.store"(%a, %v) <{map = affine_map<() -> (0)>}> : (memref<4xf32>, memref<2xmemref<4xf32>>) -> ()
  "affine.store"(%b, %v) <{map = affine_map<() -> (1)>}> : (memref<4xf32>, memref<2xmemref<4xf32>>) -> ()
  %c = "affine.load"(%v) <{map = affine_map<() -> (0)>}> : (memref<2xmemref<4xf32>>) -> memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  %d = "affine.load"(%v) <{map = affine_map<() -> (0)>}> : (memref<2xmemref<4xf32>>) -> memref<4xf32>
  // expected-error @below [double-free] {{%d}}
  memref.dealloc %d : memref<4xf32>
  return
}
