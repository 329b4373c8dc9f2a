// Comparisons of two numbers exclude each other, and so do those of one that a flag chooses.

func.func @less_and_equal(%x: i32, %y: i32) {
  %less = arith.cmpi slt, %x, %y : i32
  %equal = arith.cmpi eq, %y, %x : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %less {
    scf.if %equal {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @each_covers_the_rest(%x: i32, %y: i32) {
  %less = arith.cmpi ult, %x, %y : i32
  %equal = arith.cmpi eq, %x, %y : i32
  %more = arith.cmpi ult, %y, %x : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %less {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %more {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %equal {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// With a sign and without, they do not.
func.func @with_and_without_sign(%x: i32, %y: i32) {
  %less = arith.cmpi slt, %x, %y : i32
  %more = arith.cmpi ugt, %x, %y : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %less {
    scf.if %more {
      memref.dealloc %a : memref<4xf32>  // expected-error [double-free] {{freed a second time}}
    }
  }
  return
}

func.func @round(%x: i32, %y: i32, %z: i32) {
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.cmpi sle, %y, %z : i32
  %2 = arith.cmpi sle, %z, %x : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %0 {
    scf.if %1 {
      scf.if %2 {
        memref.dealloc %a : memref<4xf32>
      }
    }
  }
  return
}

func.func @between(%x: i32, %y: i32) {
  %c3 = arith.constant 3 : i32
  %low = arith.cmpi slt, %x, %c3 : i32
  %high = arith.cmpi sgt, %y, %c3 : i32
  %equal = arith.cmpi eq, %x, %y : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %low {
    scf.if %high {
      scf.if %equal {
        memref.dealloc %a : memref<4xf32>
      }
    }
  }
  return
}

func.func @chosen(%x: i32, %y: i32, %c: i1) {
  %one = arith.select %c, %x, %y : i32
  %other = arith.select %c, %y, %x : i32
  %same = arith.select %c, %x, %x : i32
  %0 = arith.cmpi eq, %one, %x : i32
  %1 = arith.cmpi eq, %other, %x : i32
  %2 = arith.cmpi ne, %same, %x : i32
  %3 = arith.cmpi ne, %x, %y : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %0 {
    scf.if %1 {
      scf.if %3 {
        memref.dealloc %a : memref<4xf32>
      }
    }
  }
  scf.if %2 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @chosen_otherwise(%x: i32, %y: i32, %c: i1) {
  %one = arith.select %c, %x, %y : i32
  %0 = arith.cmpi eq, %one, %x : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
  } else {
    scf.if %0 {
      memref.dealloc %a : memref<4xf32>  // expected-error [double-free] {{freed a second time}}
    }
  }
  return
}

func.func @larger(%x: i32, %y: i32) {
  %most = arith.maxsi %x, %y : i32
  %less = arith.cmpi slt, %most, %y : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %less {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %less {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>  // expected-error [double-free] {{freed a second time}}
  return
}

// A helper tells its callers what it asks.
func.func private @free_if_less(%m: memref<4xf32>, %x: i32, %y: i32) {
  %less = arith.cmpi slt, %x, %y : i32
  scf.if %less {
    memref.dealloc %m : memref<4xf32>  // expected-remark [argument-free] {{caller}}
  }
  return
}

func.func @asked_elsewhere(%x: i32, %y: i32) {
  %a = memref.alloc() : memref<4xf32>
  call @free_if_less(%a, %x, %y) : (memref<4xf32>, i32, i32) -> ()
  %rest = arith.cmpi sle, %y, %x : i32
  scf.if %rest {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
