// A flag that goes along with a buffer in an aggregate is the flag that was put there: what is lowered of functions
// that say with a buffer whether it is the caller's.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @elsewhere() -> !llvm.struct<(ptr, i1)>

llvm.func @built_in_sight(%n: i64) {
  %true = llvm.mlir.constant(true) : i1
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %true, %0[1] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %a, %1[0] : !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %2[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %2[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @put_over_it(%n: i64) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %true, %0[1] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %a, %1[0] : !llvm.struct<(ptr, i1)>
  %3 = llvm.insertvalue %false, %2[1] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %3[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// Numbers in sight, too: whether a loop runs, say.
llvm.func @number(%n: i64) {
  %three = llvm.mlir.constant(3 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %four, %2[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %size = llvm.extractvalue %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %some = llvm.icmp "sgt" %size, %three : i64
  llvm.cond_br %some, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @behind_blocks(%n: i64, %c: i1, %given: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  llvm.cond_br %c, ^new, ^old
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %true, %1[1] : !llvm.struct<(ptr, i1)>
  llvm.br ^join(%2 : !llvm.struct<(ptr, i1)>)
^old:
  %3 = llvm.insertvalue %given, %0[0] : !llvm.struct<(ptr, i1)>
  %4 = llvm.insertvalue %false, %3[1] : !llvm.struct<(ptr, i1)>
  llvm.br ^join(%4 : !llvm.struct<(ptr, i1)>)
^join(%s: !llvm.struct<(ptr, i1)>):
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

func.func @behind_a_region(%n: i64, %c: i1, %given: !llvm.ptr) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = llvm.mlir.poison : !llvm.struct<(i1, ptr)>
  %s = scf.if %c -> !llvm.struct<(i1, ptr)> {
    %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    %1 = llvm.insertvalue %a, %0[1] : !llvm.struct<(i1, ptr)>
    %2 = llvm.insertvalue %true, %1[0] : !llvm.struct<(i1, ptr)>
    scf.yield %2 : !llvm.struct<(i1, ptr)>
  } else {
    %1 = llvm.insertvalue %given, %0[1] : !llvm.struct<(i1, ptr)>
    %2 = llvm.insertvalue %false, %1[0] : !llvm.struct<(i1, ptr)>
    scf.yield %2 : !llvm.struct<(i1, ptr)>
  }
  %x = llvm.extractvalue %s[1] : !llvm.struct<(i1, ptr)>
  %owned = llvm.extractvalue %s[0] : !llvm.struct<(i1, ptr)>
  scf.if %owned {
    llvm.call @free(%x) : (!llvm.ptr) -> ()
  }
  return
}

llvm.func @selected(%n: i64, %c: i1, %given: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %true, %1[1] : !llvm.struct<(ptr, i1)>
  %3 = llvm.insertvalue %given, %0[0] : !llvm.struct<(ptr, i1)>
  %4 = llvm.insertvalue %false, %3[1] : !llvm.struct<(ptr, i1)>
  %s = llvm.select %c, %2, %4 : i1, !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^kept
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
^kept:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @round_a_loop(%n: i64, %given: !llvm.ptr, %m: i64) {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %given, %0[0] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %false, %1[1] : !llvm.struct<(ptr, i1)>
  llvm.br ^head(%zero, %2 : i64, !llvm.struct<(ptr, i1)>)
^head(%i: i64, %s: !llvm.struct<(ptr, i1)>):
  %more = llvm.icmp "slt" %i, %m : i64
  llvm.cond_br %more, ^body, ^behind
^body:
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^old, ^new
^old:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^new
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %3 = llvm.insertvalue %a, %s[0] : !llvm.struct<(ptr, i1)>
  %4 = llvm.insertvalue %true, %3[1] : !llvm.struct<(ptr, i1)>
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j, %4 : i64, !llvm.struct<(ptr, i1)>)
^behind:
  %y = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %last = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %last, ^free, ^end
^free:
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @flag_left_behind(%n: i64, %given: !llvm.ptr, %m: i64) {
  %false = llvm.mlir.constant(false) : i1
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %given, %0[0] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %false, %1[1] : !llvm.struct<(ptr, i1)>
  llvm.br ^head(%zero, %2 : i64, !llvm.struct<(ptr, i1)>)
^head(%i: i64, %s: !llvm.struct<(ptr, i1)>):
  %more = llvm.icmp "slt" %i, %m : i64
  llvm.cond_br %more, ^body, ^behind
^body:
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %3 = llvm.insertvalue %a, %s[0] : !llvm.struct<(ptr, i1)>
  %j = llvm.add %i, %one : i64
  llvm.br ^head(%j, %3 : i64, !llvm.struct<(ptr, i1)>)
^behind:
  %y = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %last = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %last, ^free, ^end
^free:
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// What a function gives, and what one is passed.
llvm.func private @perhaps(%n: i64, %c: i1, %given: !llvm.ptr) -> !llvm.struct<(ptr, i1)> {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i1)>
  llvm.cond_br %c, ^new, ^join(%given, %false : !llvm.ptr, i1)
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^join(%a, %true : !llvm.ptr, i1)
^join(%x: !llvm.ptr, %owned: i1):
  %1 = llvm.insertvalue %x, %0[0] : !llvm.struct<(ptr, i1)>
  %2 = llvm.insertvalue %owned, %1[1] : !llvm.struct<(ptr, i1)>
  llvm.return %2 : !llvm.struct<(ptr, i1)>
}

llvm.func private @take(%s: !llvm.struct<(ptr, i1)>) {
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  // expected-remark @below [argument-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @called(%n: i64, %c: i1, %given: !llvm.ptr) {
  %s = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @handed_on(%n: i64, %c: i1, %given: !llvm.ptr) {
  %s = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  llvm.call @take(%s) : (!llvm.struct<(ptr, i1)>) -> ()
  llvm.return
}

llvm.func @handed_on_as_ours(%n: i64, %c: i1, %given: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %s = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %0 = llvm.insertvalue %true, %s[1] : !llvm.struct<(ptr, i1)>
  // expected-remark @below [argument-free] {{on some path}}
  llvm.call @take(%0) : (!llvm.struct<(ptr, i1)>) -> ()
  llvm.return
}

llvm.func @the_other_way(%n: i64, %c: i1, %given: !llvm.ptr) {
  // expected-warning @below [leak] {{%s}}
  %s = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^end, ^free
^free:
  // expected-remark @below [argument-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @twice(%n: i64, %c: i1, %given: !llvm.ptr) {
  %s = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %owned, ^free, ^again
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^again
^again:
  %still = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %still, ^more, ^end
^more:
  // expected-error @below [double-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// What is not known is the same wherever it is asked for.
llvm.func @from_elsewhere() {
  %s = llvm.call @elsewhere() : () -> !llvm.struct<(ptr, i1)>
  llvm.br ^next(%s : !llvm.struct<(ptr, i1)>)
^next(%t: !llvm.struct<(ptr, i1)>):
  %x = llvm.extractvalue %t[0] : !llvm.struct<(ptr, i1)>
  %before = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %before, ^free, ^again
^free:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^again
^again:
  %behind = llvm.extractvalue %t[1] : !llvm.struct<(ptr, i1)>
  llvm.cond_br %behind, ^end, ^other
^other:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// Two buffers, each with its flag.
llvm.func private @two(%n: i64, %c: i1, %d: i1, %given: !llvm.ptr) -> !llvm.struct<(struct<(ptr, i1)>, ptr, i1)> {
  %0 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %p = llvm.call @perhaps(%n, %c, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %q = llvm.call @perhaps(%n, %d, %given) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %x = llvm.extractvalue %q[0] : !llvm.struct<(ptr, i1)>
  %owned = llvm.extractvalue %q[1] : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %2 = llvm.insertvalue %x, %1[1] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %3 = llvm.insertvalue %owned, %2[2] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  llvm.return %3 : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
}

llvm.func @both(%n: i64, %c: i1, %d: i1, %given: !llvm.ptr) {
  %s = llvm.call @two(%n, %c, %d, %given)
    : (i64, i1, i1, !llvm.ptr) -> !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %p = llvm.extractvalue %s[0] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %x = llvm.extractvalue %p[0] : !llvm.struct<(ptr, i1)>
  %of_x = llvm.extractvalue %s[0, 1] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %y = llvm.extractvalue %s[1] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %of_y = llvm.extractvalue %s[2] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  llvm.cond_br %of_x, ^x, ^next
^x:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  llvm.cond_br %of_y, ^y, ^end
^y:
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @crossed(%n: i64, %c: i1, %d: i1, %given: !llvm.ptr) {
  // expected-warning @below [possible-leak] {{%s}}
  %s = llvm.call @two(%n, %c, %d, %given)
    : (i64, i1, i1, !llvm.ptr) -> !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %x = llvm.extractvalue %s[0, 0] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %of_x = llvm.extractvalue %s[0, 1] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %y = llvm.extractvalue %s[1] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  %of_y = llvm.extractvalue %s[2] : !llvm.struct<(struct<(ptr, i1)>, ptr, i1)>
  llvm.cond_br %of_y, ^x, ^next
^x:
  // expected-remark @below [argument-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  llvm.cond_br %of_x, ^y, ^end
^y:
  // expected-remark @below [argument-free] {{%y}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// A memref with a flag, lowered: the buffer in it is the caller's as one that comes alone is.
llvm.func private @memref(%n: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr) -> !llvm.struct<(struct<(ptr, ptr, i64)>, i1)> {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  llvm.cond_br %c, ^new, ^old
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.br ^join(%2 : !llvm.struct<(ptr, ptr, i64)>)
^old:
  %3 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %q, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.br ^join(%4 : !llvm.struct<(ptr, ptr, i64)>)
^join(%m: !llvm.struct<(ptr, ptr, i64)>):
  %5 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %6 = llvm.insertvalue %m, %5[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %7 = llvm.insertvalue %c, %6[1] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  llvm.return %7 : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
}

llvm.func @of_memref(%n: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr) {
  %s = llvm.call @memref(%n, %c, %p, %q)
    : (i64, i1, !llvm.ptr, !llvm.ptr) -> !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %m = llvm.extractvalue %s[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  llvm.cond_br %owned, ^free, ^end
^free:
  %x = llvm.extractvalue %m[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @of_memref_lost(%n: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr) {
  // expected-warning @below [leak] {{%s}}
  %s = llvm.call @memref(%n, %c, %p, %q)
    : (i64, i1, !llvm.ptr, !llvm.ptr) -> !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  llvm.return
}

// Whether it is the buffer that is handed out is asked by addresses: new memory of two places is not one.
llvm.func @kept_apart(%n: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr) -> !llvm.ptr {
  %s = llvm.call @memref(%n, %c, %p, %q)
    : (i64, i1, !llvm.ptr, !llvm.ptr) -> !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %m = llvm.extractvalue %s[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %owned = llvm.extractvalue %s[1] : !llvm.struct<(struct<(ptr, ptr, i64)>, i1)>
  %y = llvm.extractvalue %m[1] : !llvm.struct<(ptr, ptr, i64)>
  %one = llvm.ptrtoint %y : !llvm.ptr to i64
  %other = llvm.ptrtoint %a : !llvm.ptr to i64
  %apart = llvm.icmp "ne" %one, %other : i64
  %both = llvm.and %apart, %owned : i1
  llvm.cond_br %both, ^free, ^end
^free:
  %x = llvm.extractvalue %m[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return %a : !llvm.ptr
}
