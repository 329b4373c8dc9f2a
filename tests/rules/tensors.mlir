// Tensors of buffers: what operations make of their destinations, those with regions, too.

#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#same = affine_map<(d0) -> (d0)>

func.func @forall(%x: f32) -> tensor<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<16xf32> to tensor<16xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<16xf32>) {
    %s = tensor.extract_slice %o[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    }
  }
  memref.dealloc %a : memref<16xf32>
  // expected-warning @below [possible-use-after-free] {{%r is used}}
  return %r : tensor<16xf32>
}

// The second result is the second destination, or a copy of it.
func.func @second_destination(%x: f32) -> (tensor<16xf32>, tensor<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<16xf32> to tensor<16xf32>
  %u = bufferization.to_tensor %b restrict writable : memref<16xf32> to tensor<16xf32>
  %r:2 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      outs(%t, %u : tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%o: f32, %p: f32):
    linalg.yield %p, %o : f32, f32
  } -> (tensor<16xf32>, tensor<16xf32>)
  %c = tensor.empty() : tensor<16xf32>
  %kept = linalg.copy ins(%r#0 : tensor<16xf32>) outs(%c : tensor<16xf32>) -> tensor<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  // expected-warning @below [possible-use-after-free] {{%r#1 is used}}
  return %kept, %r#1 : tensor<16xf32>, tensor<16xf32>
}

func.func @mapped(%x: f32) -> tensor<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<16xf32> to tensor<16xf32>
  %r = linalg.map { math.exp } ins(%t : tensor<16xf32>) outs(%t : tensor<16xf32>)
  memref.dealloc %a : memref<16xf32>
  // expected-warning @below [possible-use-after-free] {{%r is used}}
  return %r : tensor<16xf32>
}

func.func @cast(%x: f32) -> tensor<16xi32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<16xf32> to tensor<16xf32>
  %r = tensor.bitcast %t : tensor<16xf32> to tensor<16xi32>
  return %r : tensor<16xi32>
}

// To use the old buffer is undefined, whether or not it was too small.
func.func @grows(%n: index, %x: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %b = memref.alloc(%c16) : memref<?xf64>
  %p, %np = sparse_tensor.push_back %c0, %b, %x : index, memref<?xf64>, f64
  %q, %nq = sparse_tensor.push_back %np, %p, %x, %n : index, memref<?xf64>, f64, index
  return %q : memref<?xf64>
}

func.func @has_grown(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %b = memref.alloc(%c16) : memref<?xf64>
  // expected-warning @below [leak] {{buffer %p is never freed}}
  %p, %n = sparse_tensor.push_back %c0, %b, %x : index, memref<?xf64>, f64
  // expected-error @below [use-after-free] {{%b is used}}
  %v = memref.load %b[%c0] : memref<?xf64>
  return %v : f64
}

// A sparse tensor consists of all of what it is assembled from.
func.func @assembled(%x: f64) -> tensor<8x8xf64, #CSR> {
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<9xindex>
  %c = memref.alloc() : memref<8xindex>
  %v = memref.alloc() : memref<8xf64>
  linalg.fill ins(%c0 : index) outs(%p : memref<9xindex>)
  linalg.fill ins(%c0 : index) outs(%c : memref<8xindex>)
  linalg.fill ins(%x : f64) outs(%v : memref<8xf64>)
  %tp = bufferization.to_tensor %p restrict : memref<9xindex> to tensor<9xindex>
  %tc = bufferization.to_tensor %c restrict : memref<8xindex> to tensor<8xindex>
  %tv = bufferization.to_tensor %v restrict : memref<8xf64> to tensor<8xf64>
  %s = sparse_tensor.assemble (%tp, %tc), %tv
      : (tensor<9xindex>, tensor<8xindex>), tensor<8xf64> to tensor<8x8xf64, #CSR>
  return %s : tensor<8x8xf64, #CSR>
}

func.func @converted(%x: f64) -> tensor<8x8xf64, #CSR> {
  %a = memref.alloc() : memref<8x8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8x8xf64>)
  %t = bufferization.to_tensor %a restrict : memref<8x8xf64> to tensor<8x8xf64>
  memref.dealloc %a : memref<8x8xf64>
  // expected-error @below [use-after-free] {{%t is used}}
  %s = sparse_tensor.convert %t : tensor<8x8xf64> to tensor<8x8xf64, #CSR>
  return %s : tensor<8x8xf64, #CSR>
}

// A region without a terminator hands on what its one operation gives.
func.func @masked(%m: vector<4xi1>, %v: vector<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %r = vector.mask %m { vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32> } : vector<4xi1> -> tensor<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-warning @below [possible-use-after-free] {{%r is used}}
  return %r : tensor<4xf32>
}

func.func @masked_read(%m: vector<4xi1>, %x: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %r = vector.mask %m { vector.transfer_read %a[%c0], %x : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %r : vector<4xf32>
}

func.func @packed(%s: tensor<128x256xf32>, %p: f32) -> tensor<16x8x8x32xf32> {
  %a = memref.alloc() : memref<16x8x8x32xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<16x8x8x32xf32> to tensor<16x8x8x32xf32>
  %r = linalg.pack %s padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]
      into %t : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  memref.dealloc %a : memref<16x8x8x32xf32>
  // expected-warning @below [possible-use-after-free] {{%r is used}}
  return %r : tensor<16x8x8x32xf32>
}

func.func @unpacked_of_old(%s: tensor<16x8x8x32xf32>) -> tensor<128x256xf32> {
  %a = memref.alloc() : memref<128x256xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<128x256xf32> to tensor<128x256xf32>
  %r = tensor.unpack %s inner_dims_pos = [0, 1] inner_tiles = [8, 32]
      into %t : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  memref.dealloc %a : memref<128x256xf32>
  // expected-warning @below [possible-use-after-free] {{%r is used}}
  return %r : tensor<128x256xf32>
}

// Tensors have no buffers of their own yet; what they are made of stays what it was.
func.func @no_buffer_yet(%f: f32, %i: index) -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %dropped = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %u = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %v = tensor.insert %f into %u[%i] : tensor<4xf32>
  bufferization.dealloc_tensor %t : tensor<4xf32>
  return %v : tensor<4xf32>
}
func.func @returned_as_a_tensor(%f: f32) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func @dropped_as_a_tensor(%f: f32, %i: index) -> f32 {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %v = tensor.extract %t[%i] : tensor<4xf32>
  return %v : f32
}
func.func @written_into(%t: tensor<4xf32>, %given: memref<4xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %given : (tensor<4xf32>, memref<4xf32>) -> ()
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  bufferization.materialize_in_destination %t in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
