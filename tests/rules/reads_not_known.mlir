// What an operation does with memory is not declared for all: it may only write there, so that nothing need be in it.

#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#variable = #llvm.di_local_variable<scope = #program, name = "x", file = #file, line = 1, type = #int>

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.mlir.global private constant @name("x\00") : !llvm.array<2 x i8>
omp.private {type = private} @private_copy : i32

llvm.func @declared_to_a_debugger(%v: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %x : !llvm.ptr
  llvm.store %v, %x : i32, !llvm.ptr
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

llvm.func @declared_and_not_written() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %x : !llvm.ptr
  // expected-warning @below [uninitialized-read] {{%x is read, and nothing has been written to its buffer}}
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

// Which variable it is does not use the memory.
llvm.func @declared_when_it_is_gone(%v: i32) {
  %size = llvm.mlir.constant(4 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.intr.dbg.declare #variable = %p : !llvm.ptr
  llvm.return
}

llvm.func @annotated(%v: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %name = llvm.mlir.addressof @name : !llvm.ptr
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  "llvm.intr.var.annotation"(%x, %name, %name, %one, %name) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  %y = "llvm.intr.ptr.annotation"(%x, %name, %name, %one, %name) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  llvm.store %v, %y : i32, !llvm.ptr
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

llvm.func @filled_by_assembly() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.inline_asm has_side_effects "movl $$0, ($0)", "r,~{memory}" %x : (!llvm.ptr) -> ()
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

llvm.func @used_by_assembly_when_it_is_gone() {
  %size = llvm.mlir.constant(4 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p is used after its buffer was freed}}
  llvm.inline_asm has_side_effects "movl $$0, ($0)", "r,~{memory}" %p : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @filled_by_intrinsics(%v: vector<4xf32>) -> f32 {
  %four = llvm.mlir.constant(4 : i32) : i32
  %zero = llvm.mlir.constant(0 : i8) : i8
  %bytes = llvm.mlir.constant(16 : i64) : i64
  %no = llvm.mlir.constant(false) : i1
  %x = llvm.alloca %four x f32 : (i32) -> !llvm.ptr
  llvm.call_intrinsic "llvm.aarch64.neon.st1x2"(%v, %v, %x) : (vector<4xf32>, vector<4xf32>, !llvm.ptr) -> ()
  %a = llvm.load %x : !llvm.ptr -> f32
  %y = llvm.alloca %four x f32 : (i32) -> !llvm.ptr
  llvm.call_intrinsic "llvm.memset"(%y, %zero, %bytes, %no) : (!llvm.ptr, i8, i64, i1) -> ()
  %b = llvm.load %y : !llvm.ptr -> f32
  %c = llvm.fadd %a, %b : f32
  llvm.return %c : f32
}

llvm.func @in_clauses(%v: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  omp.parallel private(@private_copy %x -> %own : !llvm.ptr) {
    llvm.store %v, %own : i32, !llvm.ptr
    omp.terminator
  }
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %map = omp.map.info var_ptr(%y : !llvm.ptr, i32) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = "y"}
  omp.target map_entries(%map -> %there : !llvm.ptr) {
    %two = llvm.mlir.constant(2 : i32) : i32
    llvm.store %two, %there : i32, !llvm.ptr
    omp.terminator
  }
  %r = llvm.load %y : !llvm.ptr -> i32
  llvm.return %r : i32
}

llvm.func @stored_by_a_warp(%v: i32) -> i32 {
  %four = llvm.mlir.constant(4 : i32) : i32
  %x = llvm.alloca %four x i32 : (i32) -> !llvm.ptr<3>
  nvvm.stmatrix %x, %v {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  %r = llvm.load %x : !llvm.ptr<3> -> i32
  llvm.return %r : i32
}

// Where a debugger finds a variable is no use of what it holds: that is followed.
llvm.func @declared_pointer_that_is_lost(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %x : !llvm.ptr
  // expected-warning @below [leak] {{buffer %p of %n bytes is never freed}}
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %p, %x : !llvm.ptr, !llvm.ptr
  %q = llvm.load %x : !llvm.ptr -> !llvm.ptr
  llvm.return
}

llvm.func @declared_pointer_that_is_freed(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %x : !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %p, %x : !llvm.ptr, !llvm.ptr
  %q = llvm.load %x : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

func.func @created_on_a_device(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %d = acc.create varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.parallel dataOperands(%d : memref<8xf32>) {
    memref.store %v, %d[%c0] : memref<8xf32>
    acc.yield
  }
  acc.copyout accPtr(%d : memref<8xf32>) to varPtr(%a : memref<8xf32>)
  %x = memref.load %a[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %x : f32
}

func.func @copied_to_a_device() {
  %a = memref.alloc() : memref<8xf32>
  // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
  %d = acc.copyin varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.parallel dataOperands(%d : memref<8xf32>) {
    acc.yield
  }
  acc.delete accPtr(%d : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}
