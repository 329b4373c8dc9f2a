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
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i8
  %3 = llvm.icmp "ne" %2, %no : i8
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
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
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
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

// Each round has a variable of its own, and it is cleared: what was stored there the round before is gone.
llvm.func @anew_each_round(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(1 : i8) : i8
  %zero = llvm.mlir.constant(0 : i8) : i8
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^head
^head:
  // expected-warning @below [stack-growth] {{stack allocation in a loop}}
  %f = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%f, %zero, %one) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %l = llvm.load %f : !llvm.ptr -> i8
  llvm.store %true, %f : i8, !llvm.ptr
  %unset = llvm.icmp "eq" %l, %zero : i8
  llvm.cond_br %unset, ^free, ^next
^free:
  // expected-warning @below [possible-double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  // expected-warning @below [possible-use-after-free] {{%a}}
  %x = llvm.load %a : !llvm.ptr -> i8
  %again = llvm.icmp "eq" %x, %zero : i8
  llvm.cond_br %again, ^head, ^exit
^exit:
  llvm.return
}

// What is done in the background may not have been done yet.
func.func @set_in_the_background(%n: index) {
  %true = arith.constant true
  %false = arith.constant false
  %f = memref.alloca() : memref<i1>
  memref.store %false, %f[] : memref<i1>
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  %t = async.execute {
    memref.store %true, %f[] : memref<i1>
    async.yield
  }
  %l = memref.load %f[] : memref<i1>
  scf.if %l {
    memref.dealloc %a : memref<?xf32>
  }
  async.await %t : !async.token
  return
}

// One variable for each of several buffers: what decides whether a buffer is freed is followed, of however many.
llvm.func @several(%n: i64, %c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %f0 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v0 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f0 : i1, !llvm.ptr
  %f1 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v1 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f1 : i1, !llvm.ptr
  %f2 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v2 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f2 : i1, !llvm.ptr
  %f3 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v3 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f3 : i1, !llvm.ptr
  %f4 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v4 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f4 : i1, !llvm.ptr
  %f5 = llvm.alloca %one x i1 : (i64) -> !llvm.ptr
  %v5 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %false, %f5 : i1, !llvm.ptr
  llvm.br ^make0
^make0:
  llvm.cond_br %c0, ^set0, ^make1
^set0:
  %a0 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a0, %v0 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f0 : i1, !llvm.ptr
  llvm.br ^make1
^make1:
  llvm.cond_br %c1, ^set1, ^make2
^set1:
  %a1 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a1, %v1 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f1 : i1, !llvm.ptr
  llvm.br ^make2
^make2:
  llvm.cond_br %c2, ^set2, ^make3
^set2:
  %a2 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a2, %v2 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f2 : i1, !llvm.ptr
  llvm.br ^make3
^make3:
  llvm.cond_br %c3, ^set3, ^make4
^set3:
  %a3 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a3, %v3 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f3 : i1, !llvm.ptr
  llvm.br ^make4
^make4:
  llvm.cond_br %c4, ^set4, ^make5
^set4:
  %a4 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a4, %v4 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f4 : i1, !llvm.ptr
  llvm.br ^make5
^make5:
  llvm.cond_br %c5, ^set5, ^ask0
^set5:
  %a5 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a5, %v5 : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f5 : i1, !llvm.ptr
  llvm.br ^ask0
^ask0:
  %l0 = llvm.load %f0 : !llvm.ptr -> i1
  llvm.cond_br %l0, ^free0, ^ask1
^free0:
  %p0 = llvm.load %v0 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p0) : (!llvm.ptr) -> ()
  llvm.br ^ask1
^ask1:
  %l1 = llvm.load %f1 : !llvm.ptr -> i1
  llvm.cond_br %l1, ^free1, ^ask2
^free1:
  %p1 = llvm.load %v1 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p1) : (!llvm.ptr) -> ()
  llvm.br ^ask2
^ask2:
  %l2 = llvm.load %f2 : !llvm.ptr -> i1
  llvm.cond_br %l2, ^free2, ^ask3
^free2:
  %p2 = llvm.load %v2 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p2) : (!llvm.ptr) -> ()
  llvm.br ^ask3
^ask3:
  %l3 = llvm.load %f3 : !llvm.ptr -> i1
  llvm.cond_br %l3, ^free3, ^ask4
^free3:
  %p3 = llvm.load %v3 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p3) : (!llvm.ptr) -> ()
  llvm.br ^ask4
^ask4:
  %l4 = llvm.load %f4 : !llvm.ptr -> i1
  llvm.cond_br %l4, ^free4, ^ask5
^free4:
  %p4 = llvm.load %v4 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p4) : (!llvm.ptr) -> ()
  llvm.br ^ask5
^ask5:
  %l5 = llvm.load %f5 : !llvm.ptr -> i1
  llvm.cond_br %l5, ^free5, ^end
^free5:
  %p5 = llvm.load %v5 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p5) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// As compilers widen conditions, with a sign or without one, and narrow them again; parameters and results.
llvm.func @with_its_sign(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(0 : i32) : i32
  %f = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %wide = llvm.sext %c : i1 to i32
  llvm.store %wide, %f : i32, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i32
  %1 = llvm.icmp "slt" %0, %no : i32
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i32
  %3 = llvm.icmp "ne" %2, %no : i32
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @narrowed(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(0 : i8) : i8
  %f = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
  %wide = llvm.zext %c : i1 to i8
  llvm.store %wide, %f : i8, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i8
  %1 = llvm.trunc %0 : i8 to i1
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i8
  %3 = llvm.trunc %2 : i8 to i1
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @narrowed_from_its_sign(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(0 : i8) : i8
  %f = llvm.alloca %one x i8 : (i64) -> !llvm.ptr
  %wide = llvm.sext %c : i1 to i8
  llvm.store %wide, %f : i8, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i8
  %1 = llvm.trunc %0 : i8 to i1
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i8
  %3 = llvm.icmp "ne" %2, %no : i8
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @parameter(%n: i64, %c: i32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(0 : i32) : i32
  %f = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.store %c, %f : i32, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i32
  %1 = llvm.icmp "sgt" %0, %no : i32
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i32
  %3 = llvm.icmp "sgt" %2, %no : i32
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @ask() -> i32
llvm.func @result(%n: i64, %c: i32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %no = llvm.mlir.constant(0 : i32) : i32
  %f = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %c0 = llvm.call @ask() : () -> i32
  llvm.store %c0, %f : i32, !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i32
  %1 = llvm.icmp "ne" %0, %no : i32
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb2
^bb2:
  %2 = llvm.load %f : !llvm.ptr -> i32
  %3 = llvm.icmp "ne" %2, %no : i32
  llvm.cond_br %3, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}

// Each round another number: what is loaded is that of the round before.
llvm.func @of_the_round_before(%n: i64, %k: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %none = llvm.mlir.constant(0 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %next = llvm.mlir.constant(1 : i64) : i64
  %f = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %none, %f : i32, !llvm.ptr
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %go = llvm.icmp "slt" %i, %k : i64
  llvm.cond_br %go, ^body, ^end
^body:
  %r = llvm.call @ask() : () -> i32
  %first = llvm.icmp "eq" %i, %zero : i64
  llvm.cond_br %first, ^latch, ^compare
^compare:
  %l = llvm.load %f : !llvm.ptr -> i32
  %same = llvm.icmp "eq" %r, %l : i32
  llvm.cond_br %same, ^latch, ^changed
^changed:
  // expected-warning @below [possible-double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^latch
^latch:
  llvm.store %r, %f : i32, !llvm.ptr
  %j = llvm.add %i, %next : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}

// Filled, each round, with what says that there is none.
llvm.func @cleared_each_round(%n: i64, %k: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %true = llvm.mlir.constant(1 : i8) : i8
  %i0 = llvm.mlir.constant(0 : i64) : i64
  %i1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %f = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  llvm.br ^head(%i0 : i64)
^head(%i: i64):
  %go = llvm.icmp "slt" %i, %k : i64
  llvm.cond_br %go, ^body, ^end
^body:
  "llvm.intr.memset"(%f, %zero, %i1) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.cond_br %c, ^set, ^use
^set:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.store %true, %f : i8, !llvm.ptr
  llvm.br ^use
^use:
  %t = llvm.load %f : !llvm.ptr -> i8
  %tt = llvm.icmp "ne" %t, %zero : i8
  llvm.cond_br %tt, ^fr, ^next
^fr:
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  %j = llvm.add %i, %i1 : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}

func.func @filled_each_round(%n: index, %k: index, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = memref.alloca() : memref<i1>
  %v = memref.alloca() : memref<memref<?xf32>>
  scf.for %i = %c0 to %k step %c1 {
    linalg.fill ins(%false : i1) outs(%f : memref<i1>)
    scf.if %c {
      %a = memref.alloc(%n) : memref<?xf32>
      memref.store %a, %v[] : memref<memref<?xf32>>
      memref.store %true, %f[] : memref<i1>
    }
    %l = memref.load %f[] : memref<i1>
    scf.if %l {
      %p = memref.load %v[] : memref<memref<?xf32>>
      memref.dealloc %p : memref<?xf32>
    }
  }
  return
}

llvm.func @filled_with_ones(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %ones = llvm.mlir.constant(-1 : i8) : i8
  %no = llvm.mlir.constant(0 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %f = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.store %no, %f : i32, !llvm.ptr
  "llvm.intr.memset"(%f, %ones, %four) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.load %f : !llvm.ptr -> i32
  %1 = llvm.icmp "ne" %0, %no : i32
  llvm.cond_br %1, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
