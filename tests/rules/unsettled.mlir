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
