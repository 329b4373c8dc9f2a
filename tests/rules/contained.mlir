// What is put into a container of the function, and never taken out to be freed, is lost with it.

func.func @never_freed(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<8xmemref<4xf32>>
  }
  return
}

func.func @used_and_never_freed(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %size = memref.dim %all, %c0 : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %size step %c1 {
    // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %size step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    %part = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    memref.store %f, %part[%c0] : memref<2xf32, strided<[1]>>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}

// Others may free them: whoever is given the container, or is passed what was in it.
func.func @given_away(%n: index) -> memref<?xmemref<4xf32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  return %all : memref<?xmemref<4xf32>>
}
func.func private @drop_all(memref<?xmemref<4xf32>>)
func.func @passed_on(%n: index, %k: index) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  call @drop_all(%all) : (memref<?xmemref<4xf32>>) -> ()
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func private @drop(memref<4xf32>)
func.func @taken_out(%n: index, %k: index) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  %b = memref.load %all[%k] : memref<?xmemref<4xf32>>
  memref.dealloc %all : memref<?xmemref<4xf32>>
  call @drop(%b) : (memref<4xf32>) -> ()
  return
}
func.func @one_of_two_is_lent(%k: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloca() : memref<2xmemref<4xf32>>
  // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [leak] {{%b of 16 bytes is never freed}}
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %all[%c1] : memref<2xmemref<4xf32>>
  scf.if %c {
    %x = memref.load %all[%k] : memref<2xmemref<4xf32>>
    func.call @drop(%x) : (memref<4xf32>) -> ()
  }
  return
}
func.func @each_of_two_may_be_given_away(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %all[%c1] : memref<2xmemref<4xf32>>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %all[%k] : memref<2xmemref<4xf32>>
    func.call @drop(%x) : (memref<4xf32>) -> ()
  }
  return
}
func.func @handed_on(%n: index, %k: index, %c: i1) -> memref<?xmemref<4xf32>> {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  %given = scf.execute_region -> memref<?xmemref<4xf32>> {
    scf.yield %all : memref<?xmemref<4xf32>>
  }
  return %given : memref<?xmemref<4xf32>>
}
func.func @copied(%n: index, %k: index, %to: memref<?xmemref<4xf32>>) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  memref.copy %all, %to : memref<?xmemref<4xf32>> to memref<?xmemref<4xf32>>
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func @put_elsewhere_as_well(%k: index, %others: memref<8xmemref<4xf32>>) {
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  memref.store %a, %others[%k] : memref<8xmemref<4xf32>>
  return
}
func.func @in_an_argument(%k: index, %all: memref<8xmemref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  return
}
func.func @freed_by_its_own_name(%k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  %b = memref.load %all[%k] : memref<8xmemref<4xf32>>
  memref.store %f, %b[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// By whatever name a container is known: addresses of its elements, parts of it.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @rows(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %all = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb1(%zero : i64)
^bb1(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  // expected-warning @below [leak] {{%a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %all[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next : i64)
^bb3:
  %from = llvm.getelementptr %all[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %b = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%all) : (!llvm.ptr) -> ()
  llvm.store %n, %b : i64, !llvm.ptr
  llvm.return
}
func.func @parts(%n: index) {
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  %part = memref.subview %all[%n] [4] [1] : memref<8xmemref<4xf32>> to memref<4xmemref<4xf32>, strided<[1], offset: ?>>
  // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %part[%n] : memref<4xmemref<4xf32>, strided<[1], offset: ?>>
  return
}
llvm.func @freed_by_another_name(%n: i64) {
  %all = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %all[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %same = llvm.getelementptr %all[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %from = llvm.getelementptr %same[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %b = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @keep(!llvm.ptr)
llvm.func @an_element_passed(%n: i64) {
  %all = llvm.alloca %n x !llvm.ptr : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %all[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  llvm.call @keep(%to) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @an_element_kept(%n: i64, %out: !llvm.ptr) {
  %all = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %to = llvm.getelementptr %all[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  llvm.store %to, %out : !llvm.ptr, !llvm.ptr
  llvm.return
}
