// A bare pointer may be kept by a function without a body, and used by any call behind it; C functions are known that do.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @attach(!llvm.ptr)
llvm.func @run()
llvm.func @putenv(!llvm.ptr) -> i32
llvm.func @setvbuf(!llvm.ptr, !llvm.ptr, i32, i64) -> i32
llvm.func @pthread_create(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @worker(!llvm.ptr) -> !llvm.ptr
llvm.func @freed_behind_another_call() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @attach(%a) : (!llvm.ptr) -> ()
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @attach(%b) : (!llvm.ptr) -> ()
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @part_kept() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %e = llvm.getelementptr %a[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.call @attach(%e) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @freed_on_one_path(%c: i1) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @attach(%a) : (!llvm.ptr) -> ()
  llvm.cond_br %c, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @by_its_value(%attach: !llvm.ptr) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %attach(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @environment() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @putenv(%a) : (!llvm.ptr) -> i32
  llvm.return
}
llvm.func @stream(%f: !llvm.ptr) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %z = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @setvbuf(%f, %a, %z, %n) : (!llvm.ptr, !llvm.ptr, i32, i64) -> i32
  llvm.return
}
llvm.func @thread(%id: !llvm.ptr) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %w = llvm.mlir.addressof @worker : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @pthread_create(%id, %z, %w, %a) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}
func.func private @attach_too(!llvm.ptr)
func.func @in_another_dialect() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  call @attach_too(%a) : (!llvm.ptr) -> ()
  %b = memref.alloc() : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// By way of others, in a struct, as a number.
llvm.func @attach_all(!llvm.struct<(ptr, i64)>)
llvm.func @attach_number(i64)
func.func private @attach_index(index)
func.func private @run_more()
llvm.func @hands_on(%p: !llvm.ptr) {
  llvm.call @attach(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @calls_itself(%p: !llvm.ptr) {
  llvm.call @calls_itself(%p) : (!llvm.ptr) -> ()
  llvm.call @hands_on(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @by_way_of_others() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @calls_itself(%a) : (!llvm.ptr) -> ()
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @never_freed_by_way_of_others() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @hands_on(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @in_a_struct() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
  %s = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, i64)>
  %t = llvm.insertvalue %n, %s[1] : !llvm.struct<(ptr, i64)>
  llvm.call @attach_all(%t) : (!llvm.struct<(ptr, i64)>) -> ()
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @as_a_number() {
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  llvm.call @attach_number(%i) : (i64) -> ()
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
func.func @as_an_index() {
  %a = memref.alloc() : memref<16xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  call @attach_index(%i) : (index) -> ()
  call @run_more() : () -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
