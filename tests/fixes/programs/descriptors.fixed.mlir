// Memrefs that have been lowered: the address to free is in their descriptor, and nobody has declared what frees it.
module {
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @free(!llvm.ptr)

  llvm.func @new(%n: i64) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
    %zero = llvm.mlir.constant(0 : index) : i64
    %one = llvm.mlir.constant(1 : index) : i64
    %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %3 = llvm.insertvalue %zero, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %4 = llvm.insertvalue %n, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %5 = llvm.insertvalue %one, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    llvm.return %5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  }

  llvm.func @use(%n: i64, %v: f32) {
    %b = llvm.call @new(%n) : (i64) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    llvm.br ^loop(%n : i64)
  ^loop(%i: i64):
    %one = llvm.mlir.constant(1 : index) : i64
    %more = llvm.icmp "sgt" %i, %one : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %p = llvm.extractvalue %b[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %at : f32, !llvm.ptr
    %next = llvm.sub %i, %one : i64
    llvm.br ^loop(%next : i64)
  ^end:
    %b_address = llvm.extractvalue %b[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    llvm.call @free(%b_address) : (!llvm.ptr) -> ()
    llvm.return
  }

  llvm.func @address(%n: i64, %v: f32) -> f32 {
    %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    llvm.store %v, %p : f32, !llvm.ptr
    %w = llvm.load %p : !llvm.ptr -> f32
    llvm.call @free(%p) : (!llvm.ptr) -> ()
    llvm.return %w : f32
  }
}
