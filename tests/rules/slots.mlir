// Buffers in variables and in local containers: what is stored there is what is loaded, as long as all is in sight.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr)
func.func private @keep(memref<memref<?xf32>>)

func.func @stored_and_never_loaded() {
  %c0 = arith.constant 0 : index
  %all = memref.alloc() : memref<2xmemref<4xf32>>
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<4xf32>>
  memref.dealloc %all : memref<2xmemref<4xf32>>
  return
}

func.func @freed_by_both_names() {
  %c0 = arith.constant 0 : index
  %all = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<4xf32>>
  %b = memref.load %all[%c0] : memref<2xmemref<4xf32>>
  memref.dealloc %b : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  return
}

// Places are told apart by their numbers.
func.func @two_in_one() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %all[%c1] : memref<2xmemref<4xf32>>
  %first = memref.load %all[%c0] : memref<2xmemref<4xf32>>
  memref.dealloc %first : memref<4xf32>
  %second = memref.load %all[%c1] : memref<2xmemref<4xf32>>
  memref.dealloc %second : memref<4xf32>
  return
}

// Which one it is, the branch tells.
func.func @one_of_two(%n: index, %x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %v = memref.alloca() : memref<memref<?xf32>>
  // expected-warning @below [possible-leak] {{buffer %a of 4*%n bytes is not freed on some path}}
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-warning @below [possible-leak] {{buffer %b of 4*%n bytes is not freed on some path}}
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %p {
    memref.store %a, %v[] : memref<memref<?xf32>>
  } else {
    memref.store %b, %v[] : memref<memref<?xf32>>
  }
  %l = memref.load %v[] : memref<memref<?xf32>>
  memref.store %x, %l[%c0] : memref<?xf32>
  memref.dealloc %l : memref<?xf32>
  return
}

func.func @a_new_one_each_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<memref<?xf32>>
  %z = memref.alloc(%n) : memref<?xf32>
  memref.store %z, %v[] : memref<memref<?xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %l = memref.load %v[] : memref<memref<?xf32>>
    memref.dealloc %l : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %a, %v[] : memref<memref<?xf32>>
  }
  %last = memref.load %v[] : memref<memref<?xf32>>
  memref.dealloc %last : memref<?xf32>
  return
}

func.func @swapped_each_round(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloca() : memref<2xmemref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<?xf32>>
  memref.store %b, %all[%c1] : memref<2xmemref<?xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %l = memref.load %all[%c0] : memref<2xmemref<?xf32>>
    %m = memref.load %all[%c1] : memref<2xmemref<?xf32>>
    memref.store %x, %l[%i] : memref<?xf32>
    memref.store %l, %all[%c1] : memref<2xmemref<?xf32>>
    memref.store %m, %all[%c0] : memref<2xmemref<?xf32>>
  }
  %first = memref.load %all[%c0] : memref<2xmemref<?xf32>>
  memref.dealloc %first : memref<?xf32>
  %second = memref.load %all[%c1] : memref<2xmemref<?xf32>>
  memref.dealloc %second : memref<?xf32>
  return
}

// To load a buffer is to name it: the deallocation is one operation late, not two.
func.func @late(%n: index, %x: f32) -> f32 {
  %v = memref.alloca() : memref<memref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %a, %v[] : memref<memref<?xf32>>
  %l = memref.load %v[] : memref<memref<?xf32>>
  %y = arith.addf %x, %x : f32
  // expected-warning @below [late-free] {{buffer %a of 4*%n bytes is held over 1 operation after its last use}}
  memref.dealloc %l : memref<?xf32>
  return %y : f32
}

// What is stored in a variable goes nowhere: the caller's buffer is still the caller's.
func.func private @borrowed(%a: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %v = memref.alloca() : memref<memref<?xf32>>
  memref.store %a, %v[] : memref<memref<?xf32>>
  %l = memref.load %v[] : memref<memref<?xf32>>
  memref.store %x, %l[%c0] : memref<?xf32>
  return
}
func.func @lends(%n: index, %x: f32) {
  // expected-warning @below [leak] {{buffer %a of 4*%n bytes is never freed}}
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @borrowed(%a, %x) : (memref<?xf32>, f32) -> ()
  return
}

// Whoever has the container may do anything with what is in it.
func.func @handed_on(%n: index) {
  %all = memref.alloc() : memref<memref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %a, %all[] : memref<memref<?xf32>>
  func.call @keep(%all) : (memref<memref<?xf32>>) -> ()
  memref.dealloc %all : memref<memref<?xf32>>
  return
}
func.func @copied(%n: index, %out: memref<memref<?xf32>>) {
  %all = memref.alloc() : memref<memref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %a, %all[] : memref<memref<?xf32>>
  memref.copy %all, %out : memref<memref<?xf32>> to memref<memref<?xf32>>
  memref.dealloc %all : memref<memref<?xf32>>
  return
}

// A place that is not known may be any.
func.func @somewhere(%i: index, %j: index) {
  %all = memref.alloca() : memref<4xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%i] : memref<4xmemref<4xf32>>
  %l = memref.load %all[%j] : memref<4xmemref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  return
}

// As it comes from a compiler that does not optimise.
llvm.func @assigned_in_a_branch(%n: i64, %p: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %null, %v : !llvm.ptr, !llvm.ptr
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @forgotten(%n: i64, %p: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{buffer %a of %n bytes is not freed on some path}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  llvm.store %null, %v : !llvm.ptr, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @used_by_another_name(%n: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.store %n, %l : i64, !llvm.ptr
  %m = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%m) : (!llvm.ptr) -> ()
  %k = llvm.load %v : !llvm.ptr -> !llvm.ptr
  // expected-error @below [use-after-free] {{%k is used after its buffer was freed}}
  %r = llvm.load %k : !llvm.ptr -> i64
  llvm.return %r : i64
}

llvm.func @fields(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{buffer %b of %n bytes is never freed}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  %third = llvm.getelementptr %s[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  llvm.store %a, %s : !llvm.ptr, !llvm.ptr
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  llvm.store %n, %third : i64, !llvm.ptr
  %l = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %k = llvm.load %third : !llvm.ptr -> i64
  llvm.store %k, %l : i64, !llvm.ptr
  %m = llvm.load %s : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%m) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @address_is_known_elsewhere(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v) : (!llvm.ptr) -> ()
  llvm.return
}

// The bytes of an address may go anywhere.
llvm.func @read_as_a_number(%n: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  %r = llvm.load %v : !llvm.ptr -> i64
  llvm.return %r : i64
}

// A place may be told by constants that are operands; what is written before all else does not matter.
llvm.func @cleared_first(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %none = llvm.mlir.constant(0 : i32) : i32
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(16 : i64) : i64
  %s = llvm.alloca %one x !llvm.struct<"node", (i32, ptr)> : (i32) -> !llvm.ptr
  "llvm.intr.memset"(%s, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %next = llvm.getelementptr %s[%none, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<"node", (i32, ptr)>
  llvm.store %a, %next : !llvm.ptr, !llvm.ptr
  %l = llvm.load %next : !llvm.ptr -> !llvm.ptr
  llvm.store %n, %l : i64, !llvm.ptr
  llvm.return
}

llvm.func @cleared_then(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(8 : i64) : i64
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  "llvm.intr.memset"(%v, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @cleared_in_part(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(4 : i64) : i64
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  "llvm.intr.memset"(%v, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  llvm.return
}

// Each round begins with nothing.
llvm.func @cleared_each_round(%n: i64, %k: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(8 : i64) : i64
  %v = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.br ^head(%0 : i64)
^head(%i: i64):
  %go = llvm.icmp "slt" %i, %k : i64
  llvm.cond_br %go, ^body, ^end
^body:
  "llvm.intr.memset"(%v, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.cond_br %c, ^set, ^free
^set:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{buffer %b of %n bytes is never freed}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %b, %v : !llvm.ptr, !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.br ^free
^free:
  %l = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%l) : (!llvm.ptr) -> ()
  %j = llvm.add %i, %1 : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}

// A descriptor that is passed by its address is lent to who is declared only, like what is passed itself.
llvm.func @_mlir_ciface_print(!llvm.ptr)
llvm.func @lends_by_address(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %n, %a : i64, !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> : (i64) -> !llvm.ptr
  llvm.store %2, %d : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
  llvm.call @_mlir_ciface_print(%d) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @lends_what_is_freed(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %n, %a : i64, !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> : (i64) -> !llvm.ptr
  llvm.store %2, %d : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%d is used after its buffer was freed}}
  llvm.call @_mlir_ciface_print(%d) : (!llvm.ptr) -> ()
  llvm.return
}
// Who gives something back in that way may have kept what it was passed.
llvm.func @_mlir_ciface_change(!llvm.ptr)
llvm.func @takes_it_back(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> : (i64) -> !llvm.ptr
  llvm.store %2, %d : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
  llvm.call @_mlir_ciface_change(%d) : (!llvm.ptr) -> ()
  %3 = llvm.load %d : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.call @free(%4) : (!llvm.ptr) -> ()
  llvm.return
}
