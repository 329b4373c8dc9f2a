// config: ignore=["argument-free"]
// A call that each of them makes frees it as often, where the function does not tell them apart.

func.func private @thread() -> i32
func.func private @drop(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}
func.func private @drop_further(%a: memref<4xf32>) {
  call @drop(%a) : (memref<4xf32>) -> ()
  return
}
func.func private @drop_once(%a: memref<4xf32>) {
  omp.single {
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}
func.func private @drop_once_further(%a: memref<4xf32>) {
  omp.master {
    func.call @drop(%a) : (memref<4xf32>) -> ()
    omp.terminator
  }
  return
}
func.func private @drop_by_the_first(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : i32
  %n = call @thread() : () -> i32
  %first = arith.cmpi eq, %n, %c0 : i32
  scf.if %first {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @called_by_each() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  omp.parallel {
    // expected-warning @below [possible-double-free] {{the call frees the buffer of %a twice}}
    func.call @drop(%a) : (memref<4xf32>) -> ()
    // expected-warning @below [possible-double-free] {{the call frees the buffer of %b twice}}
    func.call @drop_further(%b) : (memref<4xf32>) -> ()
    func.call @drop_once(%c) : (memref<4xf32>) -> ()
    func.call @drop_once_further(%d) : (memref<4xf32>) -> ()
    omp.terminator
  }
  return
}
func.func @called_by_each_that_is_the_first() {
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  omp.parallel {
    func.call @drop_by_the_first(%a) : (memref<4xf32>) -> ()
    omp.terminator
  }
  return
}
