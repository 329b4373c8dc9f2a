// Behind a call of a function that always ends the program there is nothing left to free, whether or not it is passed
// the buffer: as behind `abort` itself.

func.func private @abort()
func.func private @exit(i32)
func.func private @read(memref<4xf32>)

func.func private @die() {
  func.call @abort() : () -> ()
  return
}
func.func private @die_of(%e: i32) {
  func.call @die() : () -> ()
  return
}
func.func private @either(%c: i1, %e: i32) {
  cf.cond_br %c, ^aborts, ^exits
^aborts:
  func.call @abort() : () -> ()
  cf.br ^end
^exits:
  func.call @exit(%e) : (i32) -> ()
  cf.br ^end
^end:
  return
}
func.func private @asserts() {
  %false = arith.constant false
  cf.assert %false, "never"
  return
}
func.func private @sometimes(%c: i1) {
  scf.if %c {
    func.call @abort() : () -> ()
  }
  return
}
func.func private @again() {
  func.call @again() : () -> ()
  func.call @abort() : () -> ()
  return
}
func.func private @to(%k: i32) {
  func.call @fro(%k) : (i32) -> ()
  func.call @exit(%k) : (i32) -> ()
  return
}
func.func private @fro(%k: i32) {
  func.call @to(%k) : (i32) -> ()
  return
}
func.func private @down(%c: i1) {
  scf.if %c {
    func.call @down(%c) : (i1) -> ()
  } else {
    func.call @die() : () -> ()
  }
  return
}
func.func private @down_and_back(%c: i1) {
  scf.if %c {
    func.call @down_and_back(%c) : (i1) -> ()
  }
  return
}

func.func @behind_all(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call @die() : () -> ()
  return
}
func.func @in_one_branch(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @asserts() : () -> ()
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @behind_another(%x: memref<4xf32>, %c: i1, %e: i32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @die_of(%e) : (i32) -> ()
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @in_a_block(%x: memref<4xf32>, %c: i1, %d: i1, %e: i32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^fails, ^goes_on
^fails:
  func.call @either(%d, %e) : (i1, i32) -> ()
  cf.br ^end
^goes_on:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}
func.func @in_a_loop(%x: memref<4xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.if %c {
      func.call @die() : () -> ()
    } else {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}
func.func @recursion(%x: memref<4xf32>, %k: i8, %c: i1, %e: i32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.switch %k : i8, [
    default: ^goes_on,
    1: ^itself,
    2: ^each_other,
    3: ^ends
  ]
^itself:
  func.call @again() : () -> ()
  return
^each_other:
  func.call @to(%e) : (i32) -> ()
  return
^ends:
  func.call @down(%c) : (i1) -> ()
  return
^goes_on:
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @passed(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @read_and_die(%a) : (memref<4xf32>) -> ()
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func private @read_and_die(%x: memref<4xf32>) {
  func.call @read(%x) : (memref<4xf32>) -> ()
  func.call @die() : () -> ()
  return
}

// What is wrong before is wrong, and so is what happens where the callee may come back.
func.func @wrong_before(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%a}}
  func.call @read_and_die(%a) : (memref<4xf32>) -> ()
  return
}
func.func @comes_back(%x: memref<4xf32>, %c: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @sometimes(%c) : (i1) -> ()
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @comes_back_at_last(%x: memref<4xf32>, %c: i1) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call @down_and_back(%c) : (i1) -> ()
  return
}

// Work that nobody waits for may end the program later.
async.func private @fails_later() -> !async.token {
  func.call @abort() : () -> ()
  return
}
func.func @begun(%x: memref<4xf32>) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %t = async.call @fails_later() : () -> !async.token
  return
}

// -----

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr)
llvm.func @abort()
llvm.func @__gxx_personality_v0(...) -> i32

llvm.func internal @fail(%code: i32) {
  llvm.call @abort() : () -> ()
  llvm.unreachable
}
llvm.func internal @unreachable() {
  llvm.unreachable
}
llvm.func internal @throws(%c: i1) attributes {personality = @__gxx_personality_v0} {
  %0 = llvm.mlir.undef : !llvm.struct<(ptr, i32)>
  llvm.resume %0 : !llvm.struct<(ptr, i32)>
}
llvm.func @lowered(%c: i1, %e: i32) {
  %s = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.call @malloc(%s) : (i64) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.cond_br %c, ^fails, ^goes_on
^fails:
  llvm.call @fail(%e) : (i32) -> ()
  llvm.return
^goes_on:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @lowered_behind_all() {
  %s = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.call @malloc(%s) : (i64) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.call @unreachable() : () -> ()
  llvm.return
}
llvm.func @goes_on_where_it_lands(%c: i1) attributes {personality = @__gxx_personality_v0} {
  %s = llvm.mlir.constant(64 : i64) : i64
  // expected-warning @below [leak] {{%p}}
  %p = llvm.call @malloc(%s) : (i64) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.invoke @throws(%c) to ^done unwind ^lands : (i1) -> ()
^done:
  llvm.return
^lands:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}
