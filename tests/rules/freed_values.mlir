// Tensors, and what other dialects allocate: nothing follows where they come from, but a value is freed only once.

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

func.func @tensor(%d: index) {
  %s = bufferization.alloc_tensor(%d) : tensor<?xf64>
  bufferization.dealloc_tensor %s : tensor<?xf64>
  // expected-error @below [double-free] {{the buffer of %s is freed a second time}}
  bufferization.dealloc_tensor %s : tensor<?xf64>
  return
}

func.func @sparse(%d: tensor<2x2xf64>) {
  %s = sparse_tensor.convert %d : tensor<2x2xf64> to tensor<2x2xf64, #CSR>
  %n = sparse_tensor.number_of_entries %s : tensor<2x2xf64, #CSR>
  vector.print %n : index
  bufferization.dealloc_tensor %s : tensor<2x2xf64, #CSR>
  // expected-error @below [double-free] {{%s}}
  bufferization.dealloc_tensor %s : tensor<2x2xf64, #CSR>
  return
}

// Not freed at all is right: bufferization sees to it.
func.func @right(%d: index, %x: f64) -> tensor<?xf64> {
  %s = bufferization.alloc_tensor(%d) : tensor<?xf64>
  %t = bufferization.alloc_tensor(%d) : tensor<?xf64>
  %r = linalg.fill ins(%x : f64) outs(%t : tensor<?xf64>) -> tensor<?xf64>
  bufferization.dealloc_tensor %s : tensor<?xf64>
  return %r : tensor<?xf64>
}

// The result may be the destination, or a copy.
func.func @destination(%d: index, %x: f64) {
  %t = bufferization.alloc_tensor(%d) : tensor<?xf64>
  %r = linalg.fill ins(%x : f64) outs(%t : tensor<?xf64>) -> tensor<?xf64>
  bufferization.dealloc_tensor %t : tensor<?xf64>
  bufferization.dealloc_tensor %r : tensor<?xf64>
  return
}

func.func @other_name(%t: tensor<?xf64>) {
  %c = tensor.cast %t : tensor<?xf64> to tensor<4xf64>
  bufferization.dealloc_tensor %c : tensor<4xf64>
  // expected-error @below [double-free] {{%t}}
  bufferization.dealloc_tensor %t : tensor<?xf64>
  return
}

func.func @used_behind(%t: tensor<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  bufferization.dealloc_tensor %t : tensor<4xf64>
  // expected-error @below [use-after-free] {{%t is used after its buffer was freed}}
  return %t : tensor<4xf64>
}

// A call may use it, and so may what nothing describes.
func.func private @use(tensor<4xf64>)
func.func @passed_behind(%t: tensor<4xf64>) {
  bufferization.dealloc_tensor %t : tensor<4xf64>
  // expected-warning @below [possible-use-after-free] {{%t}}
  call @use(%t) : (tensor<4xf64>) -> ()
  // expected-warning @below [possible-use-after-free] {{%t}}
  %u = "npu.negate"(%t) : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// Bufferization may copy in between.
func.func @as_a_tensor_and_as_its_buffer(%d: index) {
  %t = bufferization.alloc_tensor(%d) : tensor<?xf64>
  %m = bufferization.to_buffer %t : tensor<?xf64> to memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  // expected-warning @below [possible-double-free] {{%t}}
  bufferization.dealloc_tensor %t : tensor<?xf64>
  return
}

// A memref of unknown origin is one thing as well.
func.func @loaded(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %m = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %m : memref<4xf32>
  // expected-error @below [double-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @generic(%d: index) {
  %s = "bufferization.alloc_tensor"(%d) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> tensor<?xf64>
  "bufferization.dealloc_tensor"(%s) : (tensor<?xf64>) -> ()
  // expected-error @below [double-free] {{%s}}
  "bufferization.dealloc_tensor"(%s) : (tensor<?xf64>) -> ()
  %r, %tp = "stream.resource.alloca"(%d) : (index) -> (!stream.resource<transient>, !stream.timepoint)
  %e = "stream.resource.dealloca"(%r, %d, %tp) : (!stream.resource<transient>, index, !stream.timepoint) -> !stream.timepoint
  // expected-error @below [double-free] {{%r}}
  %f = "stream.resource.dealloca"(%r, %d, %e) : (!stream.resource<transient>, index, !stream.timepoint) -> !stream.timepoint
  return
}

func.func private @abort()
func.func @ended_before(%t: tensor<4xf64>, %c: i1) {
  scf.if %c {
    bufferization.dealloc_tensor %t : tensor<4xf64>
    func.call @abort() : () -> ()
  }
  bufferization.dealloc_tensor %t : tensor<4xf64>
  return
}

// How often the region is executed nothing says.
func.func @in_a_region_of_unknown_control_flow(%t: tensor<4xf64>) {
  "npu.region"() ({
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }) : () -> ()
  // expected-remark @below [possible-double-free] {{npu.region}}
  bufferization.dealloc_tensor %t : tensor<4xf64>
  return
}

func.func @in_both_branches(%t: tensor<4xf64>, %c: i1) {
  scf.if %c {
    bufferization.dealloc_tensor %t : tensor<4xf64>
  } else {
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }
  return
}

func.func @in_a_branch_and_behind(%t: tensor<4xf64>, %c: i1) {
  scf.if %c {
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }
  // expected-warning @below [possible-double-free] {{%t}}
  bufferization.dealloc_tensor %t : tensor<4xf64>
  return
}

// Which one is freed, conditions decide, which are not followed here.
func.func @in_a_branch_and_in_another(%t: tensor<4xf64>, %c: i1) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %c {
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }
  scf.if %not {
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }
  return
}

func.func @in_a_loop(%t: tensor<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %own = bufferization.alloc_tensor() : tensor<4xf64>
    bufferization.dealloc_tensor %own : tensor<4xf64>
    // expected-warning @below [possible-double-free] {{%t}}
    bufferization.dealloc_tensor %t : tensor<4xf64>
  }
  return
}

func.func @across_blocks(%t: tensor<4xf64>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  bufferization.dealloc_tensor %t : tensor<4xf64>
  cf.br ^end(%t : tensor<4xf64>)
^other:
  cf.br ^end(%t : tensor<4xf64>)
^end(%same: tensor<4xf64>):
  // expected-warning @below [possible-double-free] {{%same}}
  bufferization.dealloc_tensor %same : tensor<4xf64>
  return
}

// The argument is another tensor in each round.
func.func @handed_on(%init: tensor<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %init) -> tensor<4xf64> {
    bufferization.dealloc_tensor %t : tensor<4xf64>
    %next = bufferization.alloc_tensor() : tensor<4xf64>
    scf.yield %next : tensor<4xf64>
  }
  bufferization.dealloc_tensor %last : tensor<4xf64>
  return
}

// Two fields of a struct are two pointers.
llvm.func @free(!llvm.ptr)
llvm.func @fields(%p: !llvm.ptr) {
  %both = llvm.load %p : !llvm.ptr -> !llvm.struct<(ptr, ptr)>
  %a = llvm.extractvalue %both[0] : !llvm.struct<(ptr, ptr)>
  %b = llvm.extractvalue %both[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}

func.func @fortran() {
  %0 = fir.allocmem !fir.array<10xi32>
  %1 = fir.convert %0 : (!fir.heap<!fir.array<10xi32>>) -> !fir.ref<!fir.array<10xi32>>
  fir.freemem %0 : !fir.heap<!fir.array<10xi32>>
  // expected-error @below [double-free] {{%0}}
  fir.freemem %0 : !fir.heap<!fir.array<10xi32>>
  // expected-error @below [use-after-free] {{%1}}
  %v = fir.load %1 : !fir.ref<!fir.array<10xi32>>
  return
}

tt.func @triton(%x: tensor<64xf16, #b>) {
  %a = ttg.local_alloc %x : (tensor<64xf16, #b>) -> !ttg.memdesc<64xf16, #s, #m, mutable>
  %b = ttg.local_alloc %x : (tensor<64xf16, #b>) -> !ttg.memdesc<64xf16, #s, #m, mutable>
  ttg.local_dealloc %a : !ttg.memdesc<64xf16, #s, #m, mutable>
  ttg.local_dealloc %b : !ttg.memdesc<64xf16, #s, #m, mutable>
  // expected-error @below [double-free] {{%a}}
  ttg.local_dealloc %a : !ttg.memdesc<64xf16, #s, #m, mutable>
  tt.return
}

util.func public @stream(%t: !stream.timepoint, %c: index) {
  %r, %tp = stream.resource.alloca uninitialized await(%t) => !stream.resource<transient>{%c} => !stream.timepoint
  %q, %tq = stream.resource.alloca uninitialized await(%t) => !stream.resource<transient>{%c} => !stream.timepoint
  %d = stream.resource.dealloca await(%tp) => %r : !stream.resource<transient>{%c} => !stream.timepoint
  %o = stream.resource.dealloca origin await(%tp) => %q : !stream.resource<transient>{%c} => !stream.timepoint
  // expected-error @below [double-free] {{%r}}
  %e = stream.resource.dealloca %r : !stream.resource<transient>{%c} => !stream.timepoint
  util.return
}

util.func public @device(%device: !hal.device, %a: i64, %wait: !hal.fence, %signal: !hal.fence, %buffer: !hal.buffer) {
  hal.device.queue.dealloca<%device : !hal.device> affinity(%a) wait(%wait) signal(%signal) buffer(%buffer : !hal.buffer) flags("None")
  // expected-error @below [double-free] {{%buffer}}
  hal.device.queue.dealloca<%device : !hal.device> affinity(%a) wait(%wait) signal(%signal) buffer(%buffer : !hal.buffer) flags("None")
  util.return
}

func.func @ttnn(%a: tensor<32x32xbf16>) {
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<32x32xbf16>) -> ()
  // expected-error @below [double-free] {{%a}}
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<32x32xbf16>) -> ()
  return
}

// A qubit that is put back makes another register of it.
func.func @quantum(%i: i64) {
  %q = quantum.alloc(4) : !quantum.reg
  %b = quantum.extract %q[0] : !quantum.reg -> !quantum.bit
  %r = quantum.insert %q[0], %b : !quantum.reg, !quantum.bit
  quantum.dealloc %r : !quantum.reg
  // expected-error @below [double-free] {{%r}}
  quantum.dealloc %r : !quantum.reg
  return
}

// Owners are counted: each may take away its own.
func.func @counted() {
  %m = "my.get"() : () -> !my.object
  rc.decrement %m : !my.object
  rc.decrement %m : !my.object
  return
}

// What nothing describes, and seems to free what it takes.
func.func @undescribed(%t: tensor<4xf32>) {
  %a = npu.take : !npu.buffer
  // expected-remark @below [unknown-effects] {{unknown operation npu.dealloc: what it frees is not declared}}
  npu.dealloc %a : !npu.buffer
  npu.dealloc %a : !npu.buffer
  // expected-remark @below [unknown-effects] {{npu.free_tensor}}
  "npu.free_tensor"(%t) : (tensor<4xf32>) -> ()
  "npu.freeze"(%t) : (tensor<4xf32>) -> ()
  return
}
