// config: ignore=["late-free"]
// What @dealloc_helper says is read from its arrays where `-affine-raise-from-memref` has written their accesses anew.

func.func private @dealloc_helper(memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>)

func.func @owned_by_flags(%x: f32, %n: index) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %alloc = memref.alloc() : memref<4xf32>
  affine.store %x, %alloc[0] : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %alloc, %own = %false) -> (memref<4xf32>, i1) {
    %alloc_10 = memref.alloc() : memref<4xf32>
    memref.copy %m, %alloc_10 : memref<4xf32> to memref<4xf32>
    scf.if %own {
      memref.dealloc %m : memref<4xf32>
    }
    scf.yield %alloc_10, %true : memref<4xf32>, i1
  }
  %alloc_0 = memref.alloc() : memref<2xindex>
  %alloc_1 = memref.alloc() : memref<2xi1>
  %alloc_2 = memref.alloc() : memref<0xindex>
  %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<4xf32> -> index
  affine.store %intptr, %alloc_0[0] : memref<2xindex>
  %intptr_3 = memref.extract_aligned_pointer_as_index %r#0 : memref<4xf32> -> index
  affine.store %intptr_3, %alloc_0[1] : memref<2xindex>
  affine.store %true, %alloc_1[0] : memref<2xi1>
  affine.store %r#1, %alloc_1[1] : memref<2xi1>
  %cast = memref.cast %alloc_0 : memref<2xindex> to memref<?xindex>
  %cast_4 = memref.cast %alloc_1 : memref<2xi1> to memref<?xi1>
  %cast_5 = memref.cast %alloc_2 : memref<0xindex> to memref<?xindex>
  %alloc_6 = memref.alloc() : memref<2xi1>
  %alloc_7 = memref.alloc() : memref<0xi1>
  %cast_8 = memref.cast %alloc_6 : memref<2xi1> to memref<?xi1>
  %cast_9 = memref.cast %alloc_7 : memref<0xi1> to memref<?xi1>
  call @dealloc_helper(%cast, %cast_5, %cast_4, %cast_8, %cast_9) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %1 = affine.load %alloc_6[0] : memref<2xi1>
  scf.if %1 {
    memref.dealloc %alloc : memref<4xf32>
  }
  %2 = affine.load %alloc_6[1] : memref<2xi1>
  scf.if %2 {
    memref.dealloc %r#0 : memref<4xf32>
  }
  memref.dealloc %alloc_0 : memref<2xindex>
  memref.dealloc %alloc_2 : memref<0xindex>
  memref.dealloc %alloc_1 : memref<2xi1>
  memref.dealloc %alloc_6 : memref<2xi1>
  memref.dealloc %alloc_7 : memref<0xi1>
  return
}

func.func @one_flag_for_both(%x: f32, %n: index) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %alloc = memref.alloc() : memref<4xf32>
  affine.store %x, %alloc[0] : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %alloc, %own = %false) -> (memref<4xf32>, i1) {
    %alloc_10 = memref.alloc() : memref<4xf32>
    memref.copy %m, %alloc_10 : memref<4xf32> to memref<4xf32>
    scf.if %own {
      memref.dealloc %m : memref<4xf32>
    }
    scf.yield %alloc_10, %true : memref<4xf32>, i1
  }
  %alloc_0 = memref.alloc() : memref<2xindex>
  %alloc_1 = memref.alloc() : memref<2xi1>
  %alloc_2 = memref.alloc() : memref<0xindex>
  %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<4xf32> -> index
  affine.store %intptr, %alloc_0[0] : memref<2xindex>
  %intptr_3 = memref.extract_aligned_pointer_as_index %r#0 : memref<4xf32> -> index
  affine.store %intptr_3, %alloc_0[1] : memref<2xindex>
  affine.store %true, %alloc_1[0] : memref<2xi1>
  affine.store %r#1, %alloc_1[1] : memref<2xi1>
  %cast = memref.cast %alloc_0 : memref<2xindex> to memref<?xindex>
  %cast_4 = memref.cast %alloc_1 : memref<2xi1> to memref<?xi1>
  %cast_5 = memref.cast %alloc_2 : memref<0xindex> to memref<?xindex>
  %alloc_6 = memref.alloc() : memref<2xi1>
  %alloc_7 = memref.alloc() : memref<0xi1>
  %cast_8 = memref.cast %alloc_6 : memref<2xi1> to memref<?xi1>
  %cast_9 = memref.cast %alloc_7 : memref<0xi1> to memref<?xi1>
  call @dealloc_helper(%cast, %cast_5, %cast_4, %cast_8, %cast_9) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %1 = affine.load %alloc_6[0] : memref<2xi1>
  scf.if %1 {
    memref.dealloc %alloc : memref<4xf32>
  }
  %2 = affine.load %alloc_6[0] : memref<2xi1>
  scf.if %2 {
    // expected-warning@below [possible-double-free] {{the buffer of %r#0 is freed a second time on some path}}
    memref.dealloc %r#0 : memref<4xf32>
  }
  memref.dealloc %alloc_0 : memref<2xindex>
  memref.dealloc %alloc_2 : memref<0xindex>
  memref.dealloc %alloc_1 : memref<2xi1>
  memref.dealloc %alloc_6 : memref<2xi1>
  memref.dealloc %alloc_7 : memref<0xi1>
  return
}
