// Coroutines in LLVM's dialect, as the async dialect is lowered: the frame belongs to the coroutine, and handles to the
// runtime, which counts who uses them.

llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @resume(!llvm.ptr)
llvm.func @mlirAsyncRuntimeCreateToken() -> !llvm.ptr
llvm.func @mlirAsyncRuntimeCreateValue(i64) -> !llvm.ptr
llvm.func @mlirAsyncRuntimeCreateGroup(i64) -> !llvm.ptr
llvm.func @mlirAsyncRuntimeGetValueStorage(!llvm.ptr) -> !llvm.ptr
llvm.func @mlirAsyncRuntimeAddTokenToGroup(!llvm.ptr, !llvm.ptr) -> i64
llvm.func @mlirAsyncRuntimeAwaitTokenAndExecute(!llvm.ptr, !llvm.ptr, !llvm.ptr)
llvm.func @mlirAsyncRuntimeAwaitAllInGroup(!llvm.ptr)
llvm.func @mlirAsyncRuntimeDropRef(!llvm.ptr, i64)
llvm.func @mlirAsyncRuntimeEmplaceToken(!llvm.ptr)
llvm.func @mlirAsyncRuntimeEmplaceValue(!llvm.ptr)

llvm.func @waits_for(%other: !llvm.ptr) -> !llvm.ptr attributes {passthrough = ["presplitcoroutine"]} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(false) : i1
  %resume = llvm.mlir.addressof @resume : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %token = llvm.call @mlirAsyncRuntimeCreateToken() : () -> !llvm.ptr
  %id = llvm.intr.coro.id %zero, %null, %null, %null : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %size = llvm.intr.coro.size : i64
  %align = llvm.intr.coro.align : i64
  %frame = llvm.call @aligned_alloc(%align, %size) : (i64, i64) -> !llvm.ptr
  %handle = llvm.intr.coro.begin %id, %frame : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %saved = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
  llvm.call @mlirAsyncRuntimeAwaitTokenAndExecute(%other, %handle, %resume) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  %way = llvm.intr.coro.suspend %saved, %no : i8
  %chosen = llvm.sext %way : i8 to i32
  llvm.switch %chosen : i32, ^suspended [
    0: ^resumed,
    1: ^destroyed
  ]
^resumed:
  llvm.call @mlirAsyncRuntimeDropRef(%other, %one) : (!llvm.ptr, i64) -> ()
  llvm.call @mlirAsyncRuntimeEmplaceToken(%token) : (!llvm.ptr) -> ()
  llvm.br ^destroyed
^destroyed:
  %memory = llvm.intr.coro.free %id, %handle : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.call @free(%memory) : (!llvm.ptr) -> ()
  llvm.br ^suspended
^suspended:
  %none = llvm.mlir.none : !llvm.token
  %end = llvm.intr.coro.end %handle, %no, %none : (!llvm.ptr, i1, !llvm.token) -> i1
  llvm.return %token : !llvm.ptr
}

llvm.func @starts() {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.mlir.constant(1.0 : f32) : f32
  %value = llvm.call @mlirAsyncRuntimeCreateValue(%one) : (i64) -> !llvm.ptr
  %storage = llvm.call @mlirAsyncRuntimeGetValueStorage(%value) : (!llvm.ptr) -> !llvm.ptr
  llvm.store %v, %storage : f32, !llvm.ptr
  llvm.call @mlirAsyncRuntimeEmplaceValue(%value) : (!llvm.ptr) -> ()
  // expected-warning @below [leak] {{buffer %lost of 1 byte is never freed}}
  %lost = llvm.call @malloc(%one) : (i64) -> !llvm.ptr
  %group = llvm.call @mlirAsyncRuntimeCreateGroup(%one) : (i64) -> !llvm.ptr
  %token = llvm.call @waits_for(%value) : (!llvm.ptr) -> !llvm.ptr
  %rank = llvm.call @mlirAsyncRuntimeAddTokenToGroup(%token, %group) : (!llvm.ptr, !llvm.ptr) -> i64
  llvm.call @mlirAsyncRuntimeDropRef(%token, %one) : (!llvm.ptr, i64) -> ()
  llvm.call @mlirAsyncRuntimeAwaitAllInGroup(%group) : (!llvm.ptr) -> ()
  llvm.call @mlirAsyncRuntimeDropRef(%group, %one) : (!llvm.ptr, i64) -> ()
  llvm.return
}

// What lives while a coroutine is suspended is kept in its frame.
llvm.func @kept(%n: i64, %other: !llvm.ptr) attributes {passthrough = ["presplitcoroutine"]} {
  %no = llvm.mlir.constant(false) : i1
  %resume = llvm.mlir.addressof @resume : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %id = llvm.intr.coro.id %zero, %null, %null, %null : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %size = llvm.intr.coro.size : i64
  %align = llvm.intr.coro.align : i64
  %frame = llvm.call @aligned_alloc(%align, %size) : (i64, i64) -> !llvm.ptr
  %handle = llvm.intr.coro.begin %id, %frame : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%lost}}
  %lost = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %saved = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
  llvm.call @mlirAsyncRuntimeAwaitTokenAndExecute(%other, %handle, %resume) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  %way = llvm.intr.coro.suspend %saved, %no : i8
  %chosen = llvm.sext %way : i8 to i32
  llvm.switch %chosen : i32, ^suspended [
    0: ^resumed,
    1: ^destroyed
  ]
^resumed:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^destroyed
^destroyed:
  %memory = llvm.intr.coro.free %id, %handle : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.call @free(%memory) : (!llvm.ptr) -> ()
  llvm.br ^suspended
^suspended:
  %none = llvm.mlir.none : !llvm.token
  %end = llvm.intr.coro.end %handle, %no, %none : (!llvm.ptr, i1, !llvm.token) -> i1
  llvm.return
}

func.func @kept_by_the_runtime(%n: index, %other: !async.token) -> !async.token {
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-warning @below [leak] {{%lost}}
  %lost = memref.alloc(%n) : memref<?xf32>
  %state = async.coro.save %handle
  async.runtime.await_and_resume %other, %handle : !async.token
  async.coro.suspend %state, ^suspended, ^resumed, ^destroyed
^resumed:
  memref.dealloc %a : memref<?xf32>
  async.runtime.set_available %token : !async.token
  cf.br ^destroyed
^destroyed:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %token : !async.token
}

// A frame keeps what has a name: of the buffer of the round before nobody knows.
func.func @lost_in_each_round(%n: index, %other: !async.token) -> !async.token {
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  cf.br ^loop
^loop:
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  %state = async.coro.save %handle
  async.runtime.await_and_resume %other, %handle : !async.token
  async.coro.suspend %state, ^suspended, ^resumed, ^destroyed
^resumed:
  cf.br ^loop
^destroyed:
  memref.dealloc %a : memref<?xf32>
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %token : !async.token
}
