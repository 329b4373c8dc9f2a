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

// What a function gives is not what is made here, though it may be null, and though neither is looked at with the other.
llvm.func private @given(%n: i64) -> !llvm.ptr {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %a : !llvm.ptr
}

llvm.func @made_elsewhere(%n: i64) -> !llvm.ptr {
  %a = llvm.call @given(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.ptrtoint %b : !llvm.ptr to i64
  %apart = llvm.icmp "ne" %0, %1 : i64
  llvm.cond_br %apart, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return %b : !llvm.ptr
}

llvm.func @made_elsewhere_and_lost(%n: i64) -> !llvm.ptr {
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @given(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.ptrtoint %b : !llvm.ptr to i64
  %same = llvm.icmp "eq" %0, %1 : i64
  llvm.cond_br %same, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return %b : !llvm.ptr
}

// What names a copy inside the inner loop names none any more where the outer one makes its next buffer: the copies that
// were freed before that are not asked about then.
func.func @names_that_ended(%x: memref<?xf32>, %n: index, %size: index, %own: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %last:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %owned = %false) -> (memref<?xf32>, i1) {
    %next = memref.alloc(%size) : memref<?xf32>
    memref.copy %x, %next : memref<?xf32> to memref<?xf32>
    %w:3 = scf.while (%b = %a, %k = %zero, %is = %false) : (memref<?xf32>, index, i1) -> (memref<?xf32>, index, i1) {
      %more = arith.cmpi slt, %k, %n : index
      %copy = memref.alloc(%size) : memref<?xf32>
      memref.copy %b, %copy : memref<?xf32> to memref<?xf32>
      bufferization.dealloc (%b : memref<?xf32>) if (%is)
      scf.condition(%more) %copy, %k, %true : memref<?xf32>, index, i1
    } do {
    ^bb0(%b: memref<?xf32>, %k: index, %is: i1):
      %j = arith.addi %k, %one : index
      %given = bufferization.dealloc (%b : memref<?xf32>) if (%is) retain (%a : memref<?xf32>)  // expected-warning [late-free] {{held over 1 operation}}
      scf.yield %a, %j, %given : memref<?xf32>, index, i1
    }
    bufferization.dealloc (%a, %w#0 : memref<?xf32>, memref<?xf32>) if (%owned, %w#2)
    scf.yield %next, %true : memref<?xf32>, i1
  }
  bufferization.dealloc (%last#0 : memref<?xf32>) if (%last#1)
  return
}

// A global is never freed, whatever frees the buffer that the loop forwards with it.
memref.global "private" constant @four : memref<4xf32> = dense<4.0>

func.func @global_forwarded(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %four = memref.get_global @four : memref<4xf32>
  %first = memref.alloc() : memref<4xf32>
  memref.copy %four, %first : memref<4xf32> to memref<4xf32>
  %true = arith.constant true
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%held = %first, %owned = %true) -> (memref<4xf32>, i1) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %held, %new : memref<4xf32> to memref<4xf32>
    scf.if %owned {
      memref.dealloc %held : memref<4xf32>
    }
    %0 = memref.extract_aligned_pointer_as_index %new : memref<4xf32> -> index
    %1 = memref.extract_aligned_pointer_as_index %four : memref<4xf32> -> index
    %other = arith.cmpi ne, %0, %1 : index
    scf.if %other {
      memref.dealloc %new : memref<4xf32>
    }
    scf.yield %four, %false : memref<4xf32>, i1
  }
  %value = memref.load %last#0[%c0] : memref<4xf32>
  scf.if %last#1 {
    memref.dealloc %last#0 : memref<4xf32>
  }
  return %value : f32
}
