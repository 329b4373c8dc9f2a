// A condition that frees already, clones, a flag round a while loop, equal conditions.
func.func @free_dealloc_helper(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %true = arith.constant true
  %c_not = arith.xori %c, %true : i1
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  scf.if %c_not {
    memref.dealloc %a : memref<8xf32>
  }
  return
}
func.func @clone(%x: memref<8xf32>) {
  %a = bufferization.clone %x : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
func.func @while(%n: index, %x: memref<8xf32>, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %r:2, %r_1_owned = scf.while (%i = %c0, %m = %arg, %m_owned = %false) : (index, memref<8xf32>, i1) -> (index, memref<8xf32>, i1) {
    %cond = arith.cmpi slt, %i, %n : index
    scf.condition(%cond) %i, %m, %m_owned : index, memref<8xf32>, i1
  } do {
  ^bb0(%i: index, %m: memref<8xf32>, %m_owned_0: i1):
    %new = memref.alloc() : memref<8xf32>
    memref.copy %m, %new : memref<8xf32> to memref<8xf32>
    scf.if %m_owned_0 {
      memref.dealloc %m : memref<8xf32>
    }
    %i2 = arith.addi %i, %c1 : index
    %true = arith.constant true
    scf.yield %i2, %new, %true : index, memref<8xf32>, i1
  }
  %v = memref.load %r#1[%c0] : memref<8xf32>
  scf.if %r_1_owned {
    memref.dealloc %r#1 : memref<8xf32>
  }
  return %v : f32
}
func.func @two(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  scf.if %c {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  } else {
    memref.dealloc %a : memref<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  scf.if %c {
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}
