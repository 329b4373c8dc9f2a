// Control never comes behind a call of `abort`, `exit`, or an assertion of what is false, wherever it stands.

func.func private @abort()
func.func private @exit(i32)
func.func private @read(memref<4xf32>)
func.func private @__assert_fail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr)
func.func private @longjmp(!llvm.ptr, i32)

func.func @behind_all(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call @abort() : () -> ()
  return
}

func.func @in_one_branch(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @abort() : () -> ()
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @in_one_case(%x: memref<4xf32>, %k: index, %e: i32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.index_switch %k
  case 0 {
    func.call @exit(%e) : (i32) -> ()
    scf.yield
  }
  case 1 {
    memref.dealloc %a : memref<4xf32>
    scf.yield
  }
  default {
    memref.dealloc %a : memref<4xf32>
    scf.yield
  }
  return
}

func.func @what_the_other_gives(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    func.call @abort() : () -> ()
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  func.call @read(%r) : (memref<4xf32>) -> ()
  memref.dealloc %r : memref<4xf32>
  return
}

func.func @in_a_block(%x: memref<4xf32>, %c: i1) {
  %e = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^fails, ^goes_on
^fails:
  func.call @exit(%e) : (i32) -> ()
  cf.br ^end
^goes_on:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}

func.func @in_a_loop(%x: memref<4xf32>, %n: index, %c: i1, %p: !llvm.ptr, %e: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.if %c {
      func.call @longjmp(%p, %e) : (!llvm.ptr, i32) -> ()
    } else {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @asserts_what_is_false(%x: memref<4xf32>, %c: i1) {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    cf.assert %false, "never"
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @nothing_goes_wrong_behind(%x: memref<4xf32>, %p: !llvm.ptr, %l: i32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.call @__assert_fail(%p, %p, %l, %p) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @goes_on_elsewhere(%x: memref<4xf32>, %c: i1) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @abort() : () -> ()
  } else {
    func.call @read(%a) : (memref<4xf32>) -> ()
  }
  return
}

func.func @before(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  func.call @abort() : () -> ()
  return
}

// -----

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr)
llvm.func @abort()

llvm.func @lowered(%c: i1) {
  %s = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.call @malloc(%s) : (i64) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.cond_br %c, ^fails, ^goes_on
^fails:
  llvm.call @abort() : () -> ()
  llvm.return
^goes_on:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// A function of the program is what it says, whatever its name.

func.func private @abort() {
  return
}

func.func @comes_back(%x: memref<4xf32>) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call @abort() : () -> ()
  return
}
