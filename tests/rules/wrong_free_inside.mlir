// Memory that goes back to another allocator, in the function that it is passed to as well.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @_Znwm(i64) -> !llvm.ptr
llvm.func @_Znam(i64) -> !llvm.ptr
llvm.func @_ZdlPv(!llvm.ptr)
llvm.func @_ZdaPv(!llvm.ptr)

func.func private @to_device(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  gpu.dealloc %m : memref<4xf32>
  return
}
func.func private @passed_on(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  call @to_device(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @either(%m: memref<4xf32>, %c: i1) {
  scf.if %c {
    // expected-remark @below [argument-free] {{%m}}
    gpu.dealloc %m : memref<4xf32>
  } else {
    // expected-remark @below [argument-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  return
}

func.func @device() {
  %a = gpu.alloc () : memref<4xf32>
  call @passed_on(%a) : (memref<4xf32>) -> ()
  return
}
func.func @host() {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @below [mismatched-free] {{%a is memory of resource 'heap'}}
  call @passed_on(%a) : (memref<4xf32>) -> ()
  return
}
func.func @host_or_device(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [mismatched-free] {{%a is memory of resource 'heap' on some path}}
  call @either(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}
func.func @known_to_be_host() {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  call @either(%a, %false) : (memref<4xf32>, i1) -> ()
  return
}

// What a function gives.
func.func private @from_device() -> memref<4xf32> {
  %a = gpu.alloc () : memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @given_on(%c: i1) -> (memref<4xf32>, i1) {
  %a = call @from_device() : () -> memref<4xf32>
  return %a, %c : memref<4xf32>, i1
}
func.func @given_back(%c: i1) {
  %a, %p = call @given_on(%c) : (i1) -> (memref<4xf32>, i1)
  gpu.dealloc %a : memref<4xf32>
  return
}
func.func @given_to_another(%c: i1) {
  %a, %p = call @given_on(%c) : (i1) -> (memref<4xf32>, i1)
  // expected-error @below [mismatched-free] {{%a is memory of another resource, which this operation does not free}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func private @from_either(%c: i1) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %a = gpu.alloc () : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @told_apart(%c: i1) {
  %a = call @from_either(%c) : (i1) -> memref<4xf32>
  scf.if %c {
    gpu.dealloc %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @not_told_apart(%c: i1) {
  %a = call @from_either(%c) : (i1) -> memref<4xf32>
  // expected-warning @below [mismatched-free] {{%a is memory of another resource on some path}}
  memref.dealloc %a : memref<4xf32>
  return
}

// What C++ makes with `new` is deleted, what it makes with `new[]` as an array.
llvm.func private @delete(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @_ZdlPv(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @new_and_delete(%n: i64) {
  %a = llvm.call @_Znwm(%n) : (i64) -> !llvm.ptr
  llvm.call @delete(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @never_deleted(%n: i64) {
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @_Znwm(%n) : (i64) -> !llvm.ptr
  llvm.return
}
llvm.func @malloc_and_delete(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-error @below [mismatched-free] {{%a is memory of resource 'libc'}}
  llvm.call @delete(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @array(%n: i64) {
  %a = llvm.call @_Znam(%n) : (i64) -> !llvm.ptr
  // expected-error @below [mismatched-free] {{%a is memory of resource 'new_array'}}
  llvm.call @_ZdlPv(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @new_and_free(%n: i64) {
  %a = llvm.call @_Znwm(%n) : (i64) -> !llvm.ptr
  // expected-error @below [mismatched-free] {{%a is memory of resource 'new'}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
