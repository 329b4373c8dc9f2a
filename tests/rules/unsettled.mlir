// Whose a bare pointer is that a function gives which is declared only, nobody says. Of memrefs the rules for function
// boundaries do.

llvm.func @get(!llvm.ptr) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
func.func private @make() -> memref<4xf32>
llvm.func @malloc(i64) -> !llvm.ptr

llvm.func @read(%p: !llvm.ptr) -> i32 {
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.call @get(%p) : (!llvm.ptr) -> !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> i32
  llvm.return %v : i32
}

// Who frees it says whose it is.
llvm.func @freed(%p: !llvm.ptr) {
  %a = llvm.call @get(%p) : (!llvm.ptr) -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @freed_perhaps(%p: !llvm.ptr, %c: i1) {
  // expected-warning @below [possible-leak] {{%a is not freed on some path}}
  %a = llvm.call @get(%p) : (!llvm.ptr) -> !llvm.ptr
  llvm.cond_br %c, ^free, ^done
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}
llvm.func @freed_twice(%p: !llvm.ptr) {
  %a = llvm.call @get(%p) : (!llvm.ptr) -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

func.func @memref() {
  // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
  %a = func.call @make() : () -> memref<4xf32>
  return
}

// A function that is at hand is what it says.
llvm.func @mine(%n: i64) -> !llvm.ptr {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %a : !llvm.ptr
}
llvm.func @lost(%n: i64) {
  // expected-warning @below [leak] {{%a is never freed}}
  %a = llvm.call @mine(%n) : (i64) -> !llvm.ptr
  llvm.return
}

// What a function at hand hands on is whose it was.
llvm.func @plain_get() -> !llvm.ptr
llvm.func internal @handed_on() -> !llvm.ptr {
  %a = llvm.call @plain_get() : () -> !llvm.ptr
  llvm.return %a : !llvm.ptr
}
llvm.func @from_another() -> i32 {
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.call @handed_on() : () -> !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> i32
  llvm.return %v : i32
}
llvm.func internal @either(%c: i1, %n: i64) -> !llvm.ptr {
  llvm.cond_br %c, ^new, ^given
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %a : !llvm.ptr
^given:
  %b = llvm.call @plain_get() : () -> !llvm.ptr
  llvm.return %b : !llvm.ptr
}
llvm.func @from_either(%c: i1, %n: i64) {
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.call @either(%c, %n) : (i1, i64) -> !llvm.ptr
  llvm.return
}

// Several pointers at once are no more than pointers; a memref that is lowered is one.
llvm.func @get_pair() -> !llvm.struct<(ptr, ptr)>
llvm.func @get_text() -> !llvm.struct<(ptr, i64)>
llvm.func @get_lowered() -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
llvm.func @get_lowered_small() -> !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
llvm.func @get_unranked() -> !llvm.struct<(i64, ptr)>
llvm.func @together() {
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.call @get_pair() : () -> !llvm.struct<(ptr, ptr)>
  // expected-warning @below [possible-leak] {{%b is never freed, if it is the caller's}}
  %b = llvm.call @get_text() : () -> !llvm.struct<(ptr, i64)>
  // expected-warning @below [leak] {{%c is never freed}}
  %c = llvm.call @get_lowered() : () -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // expected-warning @below [leak] {{%d is never freed}}
  %d = llvm.call @get_lowered_small() : () -> !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
  // expected-warning @below [leak] {{%e is never freed}}
  %e = llvm.call @get_unranked() : () -> !llvm.struct<(i64, ptr)>
  llvm.return
}

// One of several functions that are known to make what they give, and one of which nobody knows.
llvm.func @one_that_makes(%c: i1, %n: i64) {
  %malloc = llvm.mlir.addressof @malloc : !llvm.ptr
  %mine = llvm.mlir.addressof @mine : !llvm.ptr
  %f = llvm.select %c, %malloc, %mine : i1, !llvm.ptr
  // expected-warning @below [leak] {{%a is never freed}}
  %a = llvm.call %f(%n) : !llvm.ptr, (i64) -> !llvm.ptr
  llvm.return
}
llvm.func @one_that_gets(%c: i1, %p: !llvm.ptr) {
  %get = llvm.mlir.addressof @get : !llvm.ptr
  %mine = llvm.mlir.addressof @mine : !llvm.ptr
  %f = llvm.select %c, %get, %mine : i1, !llvm.ptr
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> !llvm.ptr
  llvm.return
}
