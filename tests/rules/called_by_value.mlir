// A function that is called through a value is the one that the value names, where an operation names it in sight.

llvm.func @free(!llvm.ptr)
llvm.func @malloc(i64) -> !llvm.ptr

func.func private @release(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func private @new() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

func.func @freed() {
  %new = func.constant @new : () -> memref<4xf32>
  %release = func.constant @release : (memref<4xf32>) -> ()
  %a = func.call_indirect %new() : () -> memref<4xf32>
  func.call_indirect %release(%a) : (memref<4xf32>) -> ()
  return
}

func.func @freed_twice() {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %release(%a) : (memref<4xf32>) -> ()
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

llvm.func private @release_pointer(%n: i64, %p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @through_an_address(%n: i64) {
  %release = llvm.mlir.addressof @release_pointer : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %release(%n, %a) : !llvm.ptr, (i64, !llvm.ptr) -> ()
  llvm.return
}

// Another one is not known: it only borrows what it is passed.
func.func @not_in_sight(%f: (memref<4xf32>) -> ()) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}

// What another call gives is not known, whatever that call is of.
func.func private @pick() -> (() -> memref<4xf32>) {
  %new = func.constant @new : () -> memref<4xf32>
  return %new : () -> memref<4xf32>
}
func.func @whatever_is_picked() {
  %picked = func.call @pick() : () -> (() -> memref<4xf32>)
  // expected-warning @below [leak] {{%x}}
  %x = func.call_indirect %picked() : () -> memref<4xf32>
  return
}

// So are well-known functions that are defined elsewhere.
llvm.func @freed_by_its_address(%n: i64) {
  %f = llvm.mlir.addressof @free : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %f(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call %f(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @made_by_its_address(%n: i64) {
  %f = llvm.mlir.addressof @malloc : !llvm.ptr
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call %f(%n) : !llvm.ptr, (i64) -> !llvm.ptr
  llvm.return
}

llvm.func internal @release_by_address(%p: !llvm.ptr) {
  %f = llvm.mlir.addressof @free : !llvm.ptr
  // expected-remark @below [argument-free] {{%p}}
  llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @freed_by_a_callee(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @release_by_address(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// Through a pointer that is not in sight any function may be called, `free` among them.
llvm.func @destroyed(%n: i64, %destroy: !llvm.ptr) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %destroy(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}

// A function that gives a function gives no buffer.
func.func private @pick_one(%f: (memref<4xf32>) -> (), %n: i32) -> (() -> memref<4xf32>, i32)
func.func @picked(%f: (memref<4xf32>) -> (), %n: i32) {
  %g:2 = func.call @pick_one(%f, %n) : ((memref<4xf32>) -> (), i32) -> (() -> memref<4xf32>, i32)
  return
}

// In the generic form as well.
"llvm.func"() <{function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<internal>, sym_name = "inner"}> ({
^bb0(%p: !llvm.ptr):
  %f = "llvm.mlir.addressof"() <{global_name = @free}> : () -> !llvm.ptr
  // expected-remark @below [argument-free] {{%p}}
  "llvm.call"(%f, %p) <{op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>}> : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.return"() : () -> ()
}) : () -> ()
"func.func"() <{function_type = () -> (), sym_name = "twice"}> ({
  %release = "func.constant"() <{value = @release}> : () -> ((memref<4xf32>) -> ())
  %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
  "func.call_indirect"(%release, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  // expected-error @below [double-free] {{%a}}
  "func.call_indirect"(%release, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  "func.return"() : () -> ()
}) : () -> ()
llvm.func @calls_inner(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @inner(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// What it gives is the caller's, as with a function that is declared only.
llvm.func @given_through_a_pointer(%f: !llvm.ptr, %p: !llvm.ptr) {
  %a = llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// One of two functions, whichever: one of them frees what it is passed.
func.func private @looks(%m: memref<4xf32>) {
  return
}
func.func private @elsewhere(memref<4xf32>)
func.func @one_of_two(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %f = arith.select %c, %release, %looks : (memref<4xf32>) -> ()
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}
func.func @one_of_two_elsewhere(%c: i1, %g: (memref<4xf32>) -> ()) {
  %elsewhere = func.constant @elsewhere : (memref<4xf32>) -> ()
  %f = arith.select %c, %elsewhere, %g : (memref<4xf32>) -> ()
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}

// Also where control hands it over.
func.func @handed_to_a_block(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  cf.cond_br %c, ^call(%release : (memref<4xf32>) -> ()), ^call(%looks : (memref<4xf32>) -> ())
^call(%f: (memref<4xf32>) -> ()):
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}
func.func @given_by_a_region(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %f = scf.if %c -> ((memref<4xf32>) -> ()) {
    scf.yield %release : (memref<4xf32>) -> ()
  } else {
    scf.yield %looks : (memref<4xf32>) -> ()
  }
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}
// Those that only look at what they are passed free nothing, wherever they are.
func.func @whichever_looks(%c: i1) {
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %elsewhere = func.constant @elsewhere : (memref<4xf32>) -> ()
  %f = arith.select %c, %looks, %elsewhere : (memref<4xf32>) -> ()
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}
// One that gives it back does more, and so does one that has others do it.
func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func private @another(memref<4xf32>) -> memref<4xf32>
func.func @given_back(%c: i1) {
  %same = func.constant @same : (memref<4xf32>) -> memref<4xf32>
  %another = func.constant @another : (memref<4xf32>) -> memref<4xf32>
  %f = arith.select %c, %same, %another : (memref<4xf32>) -> memref<4xf32>
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %b = func.call_indirect %f(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
func.func private @has_one_do_it(%m: memref<4xf32>, %c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %f = arith.select %c, %release, %looks : (memref<4xf32>) -> ()
  // expected-remark @below [argument-free] {{%m}}
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @looks_too(%m: memref<4xf32>, %c: i1) {
  return
}
func.func @one_of_two_that_call_others(%c: i1) {
  %one = func.constant @has_one_do_it : (memref<4xf32>, i1) -> ()
  %two = func.constant @looks_too : (memref<4xf32>, i1) -> ()
  %f = arith.select %c, %one, %two : (memref<4xf32>, i1) -> ()
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}
// One that chooses itself.
func.func private @again(%m: memref<4xf32>, %c: i1) {
  %one = func.constant @again : (memref<4xf32>, i1) -> ()
  %two = func.constant @looks_too : (memref<4xf32>, i1) -> ()
  %f = arith.select %c, %one, %two : (memref<4xf32>, i1) -> ()
  func.call_indirect %f(%m, %c) : (memref<4xf32>, i1) -> ()
  return
}
func.func @chooses_itself(%c: i1) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call @again(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}

// Where all of several are at hand a call does what any of them does.
func.func private @release_too(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @released_by_either(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %too = func.constant @release_too : (memref<4xf32>) -> ()
  %f = arith.select %c, %release, %too : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @released_by_either_block(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %too = func.constant @release_too : (memref<4xf32>) -> ()
  cf.cond_br %c, ^call(%release : (memref<4xf32>) -> ()), ^call(%too : (memref<4xf32>) -> ())
^call(%f: (memref<4xf32>) -> ()):
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  // expected-error @below [use-after-free] {{%a}}
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  return
}
func.func private @make_empty() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @made_by_either(%c: i1) {
  %new = func.constant @new : () -> memref<4xf32>
  %empty = func.constant @make_empty : () -> memref<4xf32>
  %f = arith.select %c, %new, %empty : () -> memref<4xf32>
  // expected-warning @below [leak] {{%a}}
  %a = func.call_indirect %f() : () -> memref<4xf32>
  return
}
llvm.func internal @release_first(%p: !llvm.ptr, %n: i64) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @release_whatever(%p: !llvm.ptr, %n: i64) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @released_by_either_pointer(%c: i1, %n: i64) {
  %first = llvm.mlir.addressof @release_first : !llvm.ptr
  %whatever = llvm.mlir.addressof @release_whatever : !llvm.ptr
  %f = llvm.select %c, %first, %whatever : i1, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %f(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// Others may have chosen what a private function is passed, or what another one at hand gives: one that frees, perhaps.
func.func private @apply(%f: (memref<4xf32>) -> (), %c: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %g = arith.select %c, %f, %looks : (memref<4xf32>) -> ()
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  func.call_indirect %g(%b) : (memref<4xf32>) -> ()
  return
}
func.func private @pick_release() -> ((memref<4xf32>) -> ()) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  return %release : (memref<4xf32>) -> ()
}
func.func @applied(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply(%release, %c) : ((memref<4xf32>) -> (), i1) -> ()
  %f = func.call @pick_release() : () -> ((memref<4xf32>) -> ())
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}

// What branches hand over is what they name, whatever else there is of the type.
llvm.func @released_by_either_handed_over(%c: i1, %n: i64) {
  %first = llvm.mlir.addressof @release_first : !llvm.ptr
  %whatever = llvm.mlir.addressof @release_whatever : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^call(%first : !llvm.ptr), ^call(%whatever : !llvm.ptr)
^call(%f: !llvm.ptr):
  llvm.call %f(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @one_of_them_is_not_at_hand(%c: i1, %n: i64, %g: !llvm.ptr) {
  %first = llvm.mlir.addressof @release_first : !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^call(%first : !llvm.ptr), ^call(%g : !llvm.ptr)
^call(%f: !llvm.ptr):
  llvm.call %f(%a, %n) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  llvm.return
}

// Which one it is stands with a condition that is asked again.
func.func @chosen_by_a_flag(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %f = arith.select %c, %release, %looks : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  scf.if %c {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @handed_over_by_a_flag(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^call(%release : (memref<4xf32>) -> ()), ^call(%looks : (memref<4xf32>) -> ())
^call(%f: (memref<4xf32>) -> ()):
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^end, ^free
^end:
  return
^free:
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @chosen_the_other_way(%c: i1) {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %f = arith.select %c, %release, %looks : (memref<4xf32>) -> ()
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  scf.if %c {
    // expected-error @below [double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}
