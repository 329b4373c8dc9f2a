// Fields of an aggregate are told apart where it is built in sight: a memref lowered to LLVM is a struct that names
// its buffer twice.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @freed_as_it_is_lowered(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %n, %2[2] : !llvm.struct<(ptr, ptr, i64)>
  %q = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @freed_twice(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = "llvm.mlir.poison"() : () -> !llvm.struct<(ptr, ptr, i64)>
  %1 = "llvm.insertvalue"(%0, %p) <{position = array<i64: 1>}> : (!llvm.struct<(ptr, ptr, i64)>, !llvm.ptr) -> !llvm.struct<(ptr, ptr, i64)>
  %q = "llvm.extractvalue"(%1) <{position = array<i64: 1>}> : (!llvm.struct<(ptr, ptr, i64)>) -> !llvm.ptr
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @two_buffers_in_one(%n: i64) {
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %2 = llvm.insertvalue %b, %1[1, 0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %q = llvm.extractvalue %2[0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%q}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @results_are_packed(%n: i64) -> !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)> {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i64)>
  %2 = llvm.insertvalue %b, %0[0] : !llvm.struct<(ptr, i64)>
  %3 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %4 = llvm.insertvalue %1, %3[0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %5 = llvm.insertvalue %2, %4[1] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  llvm.return %5 : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
}

llvm.func @results_are_unpacked(%n: i64) {
  %0 = llvm.call @results_are_packed(%n) : (i64) -> !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %1 = llvm.extractvalue %0[0, 0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %2 = llvm.extractvalue %0[1, 0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  llvm.call @free(%1) : (!llvm.ptr) -> ()
  llvm.call @free(%2) : (!llvm.ptr) -> ()
  llvm.return
}

// Sizes and strides are no memory, and a flag computed in this dialect decides as it does in `arith`.
llvm.func @numbers(%n: i64, %c: i1) {
  %true = llvm.mlir.constant(true) : i1
  %one = llvm.mlir.constant(1 : index) : i64
  %not = llvm.xor %c, %true : i1
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %n, %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %size = llvm.extractvalue %2[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %size, %2[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %q = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.cond_br %not, ^bb3, ^bb4
^bb3:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  %less = llvm.icmp "slt" %one, %one : i64
  llvm.cond_br %less, ^bb5, ^bb6
^bb5:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb6
^bb6:
  llvm.return
}

// Half-lowered: `memref.dealloc` is lowered to `free` or to the generic function.
llvm.func @half_lowered(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  llvm.return
}

llvm.func @across_blocks(%n: i64, %c: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i64)>
  llvm.cond_br %c, ^bb1(%1 : !llvm.struct<(ptr, i64)>), ^bb1(%1 : !llvm.struct<(ptr, i64)>)
^bb1(%d: !llvm.struct<(ptr, i64)>):
  %q = llvm.extractvalue %d[0] : !llvm.struct<(ptr, i64)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// An aligned pointer is computed: it points into the buffer of the allocated one, also where the descriptor goes on.
llvm.func @aligned(%n: i64, %v: f32) -> f32 {
  %one = llvm.mlir.constant(1 : index) : i64
  %align = llvm.mlir.constant(64 : index) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.sub %align, %one : i64
  %2 = llvm.add %0, %1 : i64
  %3 = llvm.urem %2, %align : i64
  %4 = llvm.sub %2, %3 : i64
  %5 = llvm.inttoptr %4 : i64 to !llvm.ptr
  %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %7 = llvm.insertvalue %a, %6[0] : !llvm.struct<(ptr, ptr, i64)>
  %8 = llvm.insertvalue %5, %7[1] : !llvm.struct<(ptr, ptr, i64)>
  %p = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %v, %p : f32, !llvm.ptr
  llvm.br ^loop(%n, %8 : i64, !llvm.struct<(ptr, ptr, i64)>)
^loop(%i: i64, %d: !llvm.struct<(ptr, ptr, i64)>):
  %more = llvm.icmp "sgt" %i, %one : i64
  %next = llvm.sub %i, %one : i64
  llvm.cond_br %more, ^loop(%next, %d : i64, !llvm.struct<(ptr, ptr, i64)>), ^end
^end:
  %q = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p}}
  %w = llvm.load %p : !llvm.ptr -> f32
  llvm.return %w : f32
}

// Sizes in a descriptor are numbers, also where they have been converted; several of them are no memory either.
func.func @sizes(%n: index) -> memref<?xf32> {
  %one = llvm.mlir.constant(1 : index) : i64
  %size = builtin.unrealized_conversion_cast %n : index to i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %size, %2[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.insertvalue %one, %3[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %4 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xf32>
  return %m : memref<?xf32>
}

func.func @stored_sizes(%n: i64, %to: !llvm.ptr) {
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %n, %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %sizes = llvm.extractvalue %2[3] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.store %sizes, %to : !llvm.array<1 x i64>, !llvm.ptr
  return
}

// A number that has been converted is the same number: this loop runs three times, and frees in its last round.
func.func @converted(%v: f32) {
  %zero = llvm.mlir.constant(0 : index) : i64
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = llvm.mlir.constant(16 : index) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  cf.br ^loop(%zero : i64)
^loop(%i: i64):
  %j = builtin.unrealized_conversion_cast %i : i64 to index
  %more = arith.cmpi slt, %j, %three : index
  cf.cond_br %more, ^body, ^end
^body:
  llvm.store %v, %a : f32, !llvm.ptr
  %last = arith.cmpi eq, %j, %two : index
  cf.cond_br %last, ^free, ^next
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  cf.br ^next
^next:
  %k = arith.addi %j, %one : index
  %l = builtin.unrealized_conversion_cast %k : index to i64
  cf.br ^loop(%l : i64)
^end:
  return
}

// A memref without a rank is lowered to its rank and the address of its descriptor: whoever copies that has the buffer.
llvm.func @copies_the_descriptor(%input: !llvm.struct<(i64, ptr)>, %size: i64) -> !llvm.struct<(i64, ptr)> {
  %from = builtin.unrealized_conversion_cast %input : !llvm.struct<(i64, ptr)> to memref<*xf32>
  %copy = bufferization.clone %from : memref<*xf32> to memref<*xf32>
  %0 = builtin.unrealized_conversion_cast %copy : memref<*xf32> to !llvm.struct<(i64, ptr)>
  %rank = llvm.extractvalue %0[0] : !llvm.struct<(i64, ptr)>
  %described = llvm.extractvalue %0[1] : !llvm.struct<(i64, ptr)>
  %moved = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  "llvm.intr.memcpy"(%moved, %described, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %1 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %2 = llvm.insertvalue %rank, %1[0] : !llvm.struct<(i64, ptr)>
  %3 = llvm.insertvalue %moved, %2[1] : !llvm.struct<(i64, ptr)>
  llvm.return %3 : !llvm.struct<(i64, ptr)>
}

// A pointer with a length is not.
llvm.func @length_and_pointer(%size: i64) -> i64 {
  // expected-warning @below [leak] {{buffer %a of %size bytes is never freed}}
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %size, %a : i64, !llvm.ptr
  %1 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %2 = llvm.insertvalue %size, %1[0] : !llvm.struct<(i64, ptr)>
  %3 = llvm.insertvalue %a, %2[1] : !llvm.struct<(i64, ptr)>
  %p = llvm.extractvalue %3[1] : !llvm.struct<(i64, ptr)>
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.return %v : i64
}
