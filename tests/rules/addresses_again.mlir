// Memory that is freed may be given out again: whether a later buffer has the same address decides nothing. Buffers that
// live at once never have.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @freed_before(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %same = llvm.icmp "eq" %a, %b : !llvm.ptr
  llvm.cond_br %same, ^bb1, ^bb2
^bb1:
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

func.func @as_numbers(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %0 = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  memref.dealloc %a : memref<?xf32>
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc(%n) : memref<?xf32>
  %1 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  %same = arith.cmpi eq, %0, %1 : index
  scf.if %same {
  } else {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

func.func @live_at_once(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %0 = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  memref.dealloc %a : memref<?xf32>
  %1 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
  %same = arith.cmpi eq, %0, %1 : index
  scf.if %same {
  } else {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

// Round a loop the buffer of the round before may have been freed, not that of this one.
func.func @each_round(%n: index, %lower: index, %upper: index, %step: index) {
  scf.for %i = %lower to %upper step %step {
    %b = memref.alloc(%n) : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    %0 = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
    memref.dealloc %a : memref<?xf32>
    %1 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
    %other = arith.cmpi ne, %0, %1 : index
    scf.if %other {
      memref.dealloc %b : memref<?xf32>
    }
  }
  return
}

func.func @carried(%n: index, %lower: index, %upper: index, %step: index) {
  %first = memref.alloc(%n) : memref<?xf32>
  %0 = memref.extract_aligned_pointer_as_index %first : memref<?xf32> -> index
  memref.dealloc %first : memref<?xf32>
  scf.for %i = %lower to %upper step %step {
    // expected-warning @below [possible-leak] {{%b}}
    %b = memref.alloc(%n) : memref<?xf32>
    %1 = memref.extract_aligned_pointer_as_index %b : memref<?xf32> -> index
    %other = arith.cmpi ne, %0, %1 : index
    scf.if %other {
      memref.dealloc %b : memref<?xf32>
    }
  }
  return
}
