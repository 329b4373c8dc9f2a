// Functions that selections, branches and regions hand on, however far: a call is of one of all these.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func internal @first(%p: !llvm.ptr, %n: i64) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @second(%p: !llvm.ptr, %n: i64) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @from_block_to_block(%c: i1, %n: i64) {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^one(%first : !llvm.ptr), ^one(%second : !llvm.ptr)
^one(%f: !llvm.ptr):
  llvm.br ^two(%f : !llvm.ptr)
^two(%g: !llvm.ptr):
  llvm.call %g(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  llvm.return
}
llvm.func @from_block_to_block_and_once_more(%c: i1, %n: i64) {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^one(%first : !llvm.ptr), ^one(%second : !llvm.ptr)
^one(%f: !llvm.ptr):
  %g = llvm.select %c, %f, %f : i1, !llvm.ptr
  llvm.br ^two(%g : !llvm.ptr)
^two(%h: !llvm.ptr):
  llvm.call %h(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @out_of_a_region(%c: i1, %n: i64) {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %g = scf.if %c -> (!llvm.ptr) {
    scf.yield %first : !llvm.ptr
  } else {
    scf.yield %second : !llvm.ptr
  }
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %g(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @round_a_loop(%c: i1, %n: i64, %from: index, %to: index, %step: index) {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %g = scf.for %i = %from to %to step %step iter_args(%f = %first) -> (!llvm.ptr) {
    %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    llvm.call %f(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
    scf.yield %second : !llvm.ptr
  }
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %g(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// Types may be written differently, with other spaces or other names.
!m = memref<4xf32>
func.func private @release(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @look(%m: memref<4xf32>) {
  return
}
func.func @with_spaces_and_without(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %look = func.constant @look : (memref<4xf32>)->()
  %f = scf.if %c -> ((memref<4xf32>) -> ()) {
    scf.yield %release : (memref<4xf32>) -> ()
  } else {
    scf.yield %look : (memref<4xf32>)->()
  }
  // expected-warning @below [possible-leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}
func.func @with_another_name(%c: i1) {
  %release = func.constant @release : (!m) -> ()
  %look = func.constant @look : (memref<4xf32>) -> ()
  %f = scf.if %c -> ((!m) -> ()) {
    scf.yield %release : (!m) -> ()
  } else {
    scf.yield %look : (memref<4xf32>) -> ()
  }
  %m = memref.alloc() : !m
  func.call_indirect %f(%m) : (!m) -> ()
  // expected-warning @below [possible-double-free] {{%m}}
  memref.dealloc %m : !m
  return
}
func.func @always_the_other(%c: i1) {
  %look = func.constant @look : (memref<4xf32>) -> ()
  %release = func.constant @release : (memref<4xf32>)->()
  %f = scf.if %c -> ((memref<4xf32>) -> ()) {
    scf.yield %release : (memref<4xf32>)->()
  } else {
    scf.yield %release : (memref<4xf32>)->()
  }
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}

// What is not defined may be anything.
func.func @one_is_being_typed(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  // expected-error @below [undefined-value] {{%other}}
  %f = arith.select %c, %release, %other : (memref<4xf32>) -> ()
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @no_branch_is_typed(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %f = scf.if %c -> ((memref<4xf32>) -> ()) {
    scf.yield %release : (memref<4xf32>) -> ()
  }
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  memref.dealloc %m : memref<4xf32>
  return
}
// So may what an operation gives that nobody described.
func.func @out_of_whatever_region(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %f = "some.region"() ({
    "some.yield"(%release) : ((memref<4xf32>) -> ()) -> ()
  }) : () -> ((memref<4xf32>) -> ())
  // expected-warning @below [possible-leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}

// Where it is not told which function is called, what it gives may be what it was passed.
func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func private @apply(%f: (memref<4xf32>) -> memref<4xf32>, %m: memref<4xf32>) {
  // expected-warning @below [possible-leak] {{%x}}
  %x = func.call_indirect %f(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
func.func private @pick() -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = func.constant @same : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}
func.func @one_is_passed_or_picked() {
  %a = memref.alloc() : memref<4xf32>
  %same = func.constant @same : (memref<4xf32>) -> memref<4xf32>
  func.call @apply(%same, %a) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> ()
  %f = func.call @pick() : () -> ((memref<4xf32>) -> memref<4xf32>)
  // expected-warning @below [possible-leak] {{%x}}
  %x = func.call_indirect %f(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @one_is_at_hand(%c: i1, %g: (memref<4xf32>) -> memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %same = func.constant @same : (memref<4xf32>) -> memref<4xf32>
  %f = arith.select %c, %same, %g : (memref<4xf32>) -> memref<4xf32>
  // expected-warning @below [possible-leak] {{%x}}
  %x = func.call_indirect %f(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
