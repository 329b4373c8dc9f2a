// expected-nothing
// Pointers in vectors: which one stands where is not followed, so nothing is told of them.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

func.func @inserted(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : vector<2x!llvm.ptr>
  %1 = vector.insert %a, %0[0] : !llvm.ptr into vector<2x!llvm.ptr>
  %p = vector.extract %1[0] : !llvm.ptr from vector<2x!llvm.ptr>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}

func.func @broadcast(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = vector.broadcast %a : !llvm.ptr to vector<2x!llvm.ptr>
  %p = vector.extract %0[0] : !llvm.ptr from vector<2x!llvm.ptr>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}

func.func @elements(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = vector.from_elements %a, %b : vector<2x!llvm.ptr>
  %p:2 = vector.to_elements %0 : vector<2x!llvm.ptr>
  llvm.call @free(%p#0) : (!llvm.ptr) -> ()
  llvm.call @free(%p#1) : (!llvm.ptr) -> ()
  return
}
