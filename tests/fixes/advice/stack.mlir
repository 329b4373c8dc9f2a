// config: select = ["stack-promotable"]
// Small buffers go to the stack, where it is given back.

func.func @small(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<8xf32>  // scratch
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>  // not needed
  return
}

func.func @generic(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xf32>
  "memref.copy"(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  "memref.copy"(%a, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  "memref.dealloc"(%a) : (memref<8xf32>) -> ()
  return
}

// In a loop the stack would grow, unless a scope in it gives it back.
func.func @loops(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    memref.alloca_scope {
      %b = memref.alloc() : memref<8xf32>
      memref.copy %x, %b : memref<8xf32> to memref<8xf32>
      memref.copy %b, %x : memref<8xf32> to memref<8xf32>
      memref.dealloc %b : memref<8xf32>
    }
  }
  return
}

// Nobody reads it: the stack would be no better place for it.
func.func @only_written(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// Where the stack goes back to an earlier point it would be released.
func.func @restored(%x: memref<8xf32>, %y: memref<8xf32>) {
  %s = llvm.intr.stacksave : !llvm.ptr
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  llvm.intr.stackrestore %s : !llvm.ptr
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
