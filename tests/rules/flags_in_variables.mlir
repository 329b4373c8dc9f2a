// Flags in variables, as compilers print them that have not optimised yet: what is stored there is what is loaded.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @fill(!llvm.ptr)

llvm.func @set_where_it_is_made(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %f = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f : i1, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f : i1, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %l = llvm.load %f : !llvm.ptr -> i1
  llvm.cond_br %l, ^bb3, ^bb4
^bb3:
  %p = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @reset_on_a_path(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %f = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  llvm.store %true, %f : i1, !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %false, %f : i1, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %l = llvm.load %f : !llvm.ptr -> i1
  llvm.cond_br %l, ^bb3, ^bb4
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// A condition in a byte, asked twice.
llvm.func @condition(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %no = llvm.mlir.constant(0 : i8) : i8
  %f = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
  %some = llvm.icmp "sgt" %n, %zero : i64
  %byte = llvm.zext %some : i1 to i8
  llvm.store %byte, %f : i8, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i8
  %1 = llvm.icmp "ne" %0, %no : i8
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i8
  %3 = llvm.icmp "ne" %2, %no : i8
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// Where to go on behind what is cleaned up.
llvm.func @state(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %early = llvm.mlir.constant(7 : i32) : i32
  %late = llvm.mlir.constant(3 : i32) : i32
  %state = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.store %early, %state : i32, !llvm.ptr
  llvm.br ^bb3
^bb2:
  llvm.store %late, %state : i32, !llvm.ptr
  llvm.br ^bb3
^bb3:
  %0 = llvm.load %state : !llvm.ptr -> i32
  llvm.switch %0 : i32, ^bb5 [
    3: ^bb4
  ]
^bb4:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb5
^bb5:
  llvm.return
}

func.func @round_a_loop(%n: index, %lower: index, %upper: index, %step: index) {
  %true = arith.constant true
  %false = arith.constant false
  %f = memref.alloca() : memref<i1>
  %v = memref.alloca() : memref<memref<?xf32>>
  memref.store %false, %f[] : memref<i1>
  scf.for %i = %lower to %upper step %step {
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      %o = memref.load %v[] : memref<memref<?xf32>>
      memref.dealloc %o : memref<?xf32>
    }
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %a, %v[] : memref<memref<?xf32>>
    memref.store %true, %f[] : memref<i1>
  }
  %l = memref.load %f[] : memref<i1>
  scf.if %l {
    %o = memref.load %v[] : memref<memref<?xf32>>
    memref.dealloc %o : memref<?xf32>
  }
  return
}

// Who is passed the variable may set it; what is counted in one is not followed.
llvm.func @passed_on(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %f = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  llvm.store %true, %f : i1, !llvm.ptr
  llvm.call @fill(%f) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %l = llvm.load %f : !llvm.ptr -> i1
  llvm.cond_br %l, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

llvm.func @counted(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i32) : i32
  %next = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.trunc %n : i64 to i32
  %i = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.store %zero, %i : i32, !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^head
^head:
  %0 = llvm.load %i : !llvm.ptr -> i32
  %more = llvm.icmp "slt" %0, %end : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %1 = llvm.load %i : !llvm.ptr -> i32
  %2 = llvm.add %1, %next : i32
  llvm.store %2, %i : i32, !llvm.ptr
  llvm.br ^head
^exit:
  %3 = llvm.load %i : !llvm.ptr -> i32
  %some = llvm.icmp "ne" %3, %zero : i32
  llvm.cond_br %some, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}
