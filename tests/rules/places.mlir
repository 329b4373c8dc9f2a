// config: ignore=["late-free"]
// Places of variables and containers, however their addresses are computed: in bytes, in members, in several steps.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @in_bytes(%n: i64) {
  %size = llvm.mlir.constant(16 : i64) : i64
  %v = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %second = llvm.getelementptr inbounds %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %again = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %again : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.call @free(%v) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @in_bytes_and_members(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(i32, ptr, ptr)> : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %first = llvm.getelementptr inbounds %v[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr)>
  llvm.store %a, %first : !llvm.ptr, !llvm.ptr
  %second = llvm.getelementptr inbounds %v[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr)>
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  %again = llvm.getelementptr %v[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %again : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @in_several_steps(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(i32, array<2 x ptr>)> : (i64) -> !llvm.ptr
  %inner = llvm.getelementptr inbounds %v[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, array<2 x ptr>)>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr inbounds %inner[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %inner : !llvm.ptr, !llvm.ptr
  llvm.store %b, %to : !llvm.ptr, !llvm.ptr
  %from = llvm.getelementptr inbounds %v[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, array<2 x ptr>)>
  %x = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{the buffer of %b is freed a second time}}
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @packed(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<packed (i32, ptr)> : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr inbounds %v[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<packed (i32, ptr)>
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.store %zero, %v : i32, !llvm.ptr
  %from = llvm.getelementptr inbounds %v[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

// A place that reaches into another: what is kept there is not known.
llvm.func @overlapping(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr inbounds %v[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.store %b, %to : !llvm.ptr, !llvm.ptr
  %x = llvm.load %to : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{the buffer of %b is freed a second time}}
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}

// Bytes that are cleared have no buffer.
llvm.func @cleared(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %all = llvm.mlir.constant(16 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, ptr)> : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%v, %zero, %all) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %second = llvm.getelementptr inbounds %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %second : !llvm.ptr, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @cleared_once_more(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %all = llvm.mlir.constant(16 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, ptr)> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr inbounds %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  // expected-warning @below [leak] {{%a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %second : !llvm.ptr, !llvm.ptr
  "llvm.intr.memset"(%v, %zero, %all) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}
