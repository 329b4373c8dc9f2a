// Destinations without contents: which one could be an earlier one, and who reads one.
#id = affine_map<(i) -> (i)>

func.func @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  // %a is read by the op that writes here: its memory is not free yet.
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.abs ins(%a : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below [duplicate-empty] {{%e2 costs a buffer of 256 bytes: %a is not used any more}}
  %e2 = tensor.empty() : tensor<64xf32>
  %c = linalg.log ins(%b : tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  // The result of %e2 is where %a was; %b is the next that is free.
  // expected-remark @below [duplicate-empty] {{%e3 costs a buffer of 256 bytes: %b is not used any more}}
  %e3 = tensor.empty() : tensor<64xf32>
  %d = linalg.abs ins(%c : tensor<64xf32>) outs(%e3 : tensor<64xf32>) -> tensor<64xf32>
  return %d : tensor<64xf32>
}

// The same number of elements is the same size; another value may be another.
func.func @dynamic(%x: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %b = linalg.exp ins(%a : tensor<?xf32>) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %other = tensor.empty(%m) : tensor<?xf32>
  %c = linalg.exp ins(%x : tensor<?xf32>) outs(%other : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @below [duplicate-empty] {{%e2 costs a buffer of 4*%n bytes: %a is}}
  %e2 = tensor.empty(%n) : tensor<?xf32>
  %d = linalg.exp ins(%b : tensor<?xf32>) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  return %c, %d : tensor<?xf32>, tensor<?xf32>
}

// What is used later on, in a region or through a view, is not free; nor what leaves the block.
func.func @busy(%x: tensor<64xf32>, %c: i1) -> (tensor<64xf32>, tensor<64xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %view = tensor.expand_shape %a [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.exp ins(%x : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.if %c -> (tensor<64xf32>) {
    scf.yield %b : tensor<64xf32>
  } else {
    %e2 = tensor.empty() : tensor<64xf32>
    %d = linalg.exp ins(%x : tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %d : tensor<64xf32>
  }
  %e3 = tensor.empty() : tensor<64xf32>
  %f = linalg.exp ins(%x : tensor<64xf32>) outs(%e3 : tensor<64xf32>) -> tensor<64xf32>
  %e4 = tensor.empty() : tensor<8x8xf32>
  %g = linalg.exp ins(%view : tensor<8x8xf32>) outs(%e4 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %h = tensor.collapse_shape %g [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %s = linalg.add ins(%f, %h : tensor<64xf32>, tensor<64xf32>) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  return %s, %r : tensor<64xf32>, tensor<64xf32>
}

// Ops that read what they write to.
func.func @read(%x: tensor<64x64xf32>, %v: tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e0 = tensor.empty() : tensor<64x64xf32>
  // expected-warning @below [duplicate-empty] {{destination %e0 is read, and it has no contents}}
  %p = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  // expected-warning @below [duplicate-empty] {{destination %e1 is read}}
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%v : tensor<64xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%v : tensor<64xf32>) outs(%e2 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %twice = arith.addf %in, %in : f32
    linalg.yield %twice : f32
  } -> tensor<64xf32>
  return %p, %q, %r : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Filled first: nothing undefined is read.
func.func @filled(%x: tensor<64x64xf32>, %zero: f32) -> tensor<64x64xf32> {
  %e0 = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

// -----

// An empty sparse tensor holds zeros, and what becomes of a tensor with another encoding is not known.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#V = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

func.func @sparse(%a: tensor<4x4xf64, #CSR>, %b: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  %c = tensor.empty() : tensor<4x4xf64, #CSR>
  %d = linalg.matmul ins(%a, %b : tensor<4x4xf64, #CSR>, tensor<4x4xf64, #CSR>)
                     outs(%c : tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR>
  return %d : tensor<4x4xf64, #CSR>
}

func.func @sparse_chain(%x: tensor<64xf32, #V>) -> tensor<64xf32, #V> {
  %e0 = tensor.empty() : tensor<64xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>
  %a = linalg.exp ins(%x : tensor<64xf32, #V>) outs(%e0 : tensor<64xf32, #V>) -> tensor<64xf32, #V>
  %e1 = tensor.empty() : tensor<64xf32, #V>
  %b = linalg.abs ins(%a : tensor<64xf32, #V>) outs(%e1 : tensor<64xf32, #V>) -> tensor<64xf32, #V>
  %e2 = tensor.empty() : tensor<64xf32, #V>
  %c = linalg.log ins(%b : tensor<64xf32, #V>) outs(%e2 : tensor<64xf32, #V>) -> tensor<64xf32, #V>
  return %c : tensor<64xf32, #V>
}

func.func @allocated(%n: index, %a: tensor<?x4xf64, #CSR>, %b: tensor<4x4xf64, #CSR>) -> tensor<?x4xf64, #CSR> {
  %c = bufferization.alloc_tensor(%n) : tensor<?x4xf64, #CSR>
  %d = linalg.matmul ins(%a, %b : tensor<?x4xf64, #CSR>, tensor<4x4xf64, #CSR>)
                     outs(%c : tensor<?x4xf64, #CSR>) -> tensor<?x4xf64, #CSR>
  return %d : tensor<?x4xf64, #CSR>
}

func.func @others(%x: tensor<64xf32, 3 : i64>, %y: tensor<4x4xf32, "tiled">) -> tensor<64xf32, 3 : i64> {
  %e0 = tensor.empty() : tensor<64xf32, 3 : i64>
  %a = linalg.exp ins(%x : tensor<64xf32, 3 : i64>) outs(%e0 : tensor<64xf32, 3 : i64>) -> tensor<64xf32, 3 : i64>
  %e1 = tensor.empty() : tensor<64xf32, 3 : i64>
  %b = linalg.abs ins(%a : tensor<64xf32, 3 : i64>) outs(%e1 : tensor<64xf32, 3 : i64>) -> tensor<64xf32, 3 : i64>
  %e2 = tensor.empty() : tensor<64xf32, 3 : i64>
  %c = linalg.log ins(%b : tensor<64xf32, 3 : i64>) outs(%e2 : tensor<64xf32, 3 : i64>) -> tensor<64xf32, 3 : i64>
  %t = tensor.empty() : tensor<4x4xf32, "tiled">
  %m = linalg.matmul ins(%y, %y : tensor<4x4xf32, "tiled">, tensor<4x4xf32, "tiled">)
                     outs(%t : tensor<4x4xf32, "tiled">) -> tensor<4x4xf32, "tiled">
  "x.use"(%m) : (tensor<4x4xf32, "tiled">) -> ()
  return %c : tensor<64xf32, 3 : i64>
}

// Elements with commas in them are no encoding.
func.func @elements(%x: tensor<8x!x.pair<i32, i32>>) -> tensor<8x!x.pair<i32, i32>> {
  %e0 = tensor.empty() : tensor<8x!x.pair<i32, i32>>
  %a = linalg.copy ins(%x : tensor<8x!x.pair<i32, i32>>) outs(%e0 : tensor<8x!x.pair<i32, i32>>)
      -> tensor<8x!x.pair<i32, i32>>
  %e1 = tensor.empty() : tensor<8x!x.pair<i32, i32>>
  %b = linalg.copy ins(%a : tensor<8x!x.pair<i32, i32>>) outs(%e1 : tensor<8x!x.pair<i32, i32>>)
      -> tensor<8x!x.pair<i32, i32>>
  // expected-remark @below [duplicate-empty] {{%e2 costs a buffer: %a is not used any more}}
  %e2 = tensor.empty() : tensor<8x!x.pair<i32, i32>>
  %c = linalg.copy ins(%b : tensor<8x!x.pair<i32, i32>>) outs(%e2 : tensor<8x!x.pair<i32, i32>>)
      -> tensor<8x!x.pair<i32, i32>>
  return %c : tensor<8x!x.pair<i32, i32>>
}
