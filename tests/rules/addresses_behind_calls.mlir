// Functions at hand that free nothing leave memory where it is: a buffer that is made behind their calls has an address of
// its own. One that may free what it is passed does not.

func.func private @scale(%m: memref<16xf32>, %i: index) {
  %x = memref.load %m[%i] : memref<16xf32>
  memref.store %x, %m[%i] : memref<16xf32>
  return
}

func.func private @through(%m: memref<16xf32>, %i: index) {
  call @scale(%m, %i) : (memref<16xf32>, index) -> ()
  return
}

func.func private @drop(%m: memref<16xf32>, %c: i1) {
  scf.if %c {
    // expected-remark @below [argument-free] {{%m}}
    memref.dealloc %m : memref<16xf32>
  }
  return
}

func.func private @fresh() -> memref<16xf32> {
  %m = memref.alloc() : memref<16xf32>
  return %m : memref<16xf32>
}

func.func @lent(%i: index) {
  %a = memref.alloc() : memref<16xf32>
  call @through(%a, %i) : (memref<16xf32>, index) -> ()
  %b = call @fresh() : () -> memref<16xf32>
  %0 = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %1 = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  %differ = arith.cmpi ne, %0, %1 : index
  scf.if %differ {
    memref.dealloc %b : memref<16xf32>
  }
  // expected-warning @below [late-free] {{%a}}
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @given_up(%i: index, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  call @drop(%a, %c) : (memref<16xf32>, i1) -> ()
  // expected-warning @below [possible-leak] {{%b}}
  %b = call @fresh() : () -> memref<16xf32>
  %0 = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %1 = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  %differ = arith.cmpi ne, %0, %1 : index
  scf.if %differ {
    memref.dealloc %b : memref<16xf32>
  }
  %kept = arith.constant true
  %still = arith.xori %c, %kept : i1
  scf.if %still {
    memref.dealloc %a : memref<16xf32>
  }
  return
}
