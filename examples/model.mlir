// Three layers of a model, on tensors: x + exp(x * w). No buffer is written down; bufferization makes them.

func.func @model(
    %x: tensor<8x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<8x64xf32>, tensor<64x64xf32>)
    outs(%start : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e0 = linalg.exp ins(%m0 : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %x1 = linalg.add ins(%e0, %x : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x64xf32>, tensor<64x64xf32>)
    outs(%start : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e1 = linalg.exp ins(%m1 : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %x2 = linalg.add ins(%e1, %x1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x64xf32>, tensor<64x64xf32>)
    outs(%start : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e2 = linalg.exp ins(%m2 : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %x3 = linalg.add ins(%e2, %x2 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %x3 : tensor<8x64xf32>
}
