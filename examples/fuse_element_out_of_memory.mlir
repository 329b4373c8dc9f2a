// sqrt(%lhs) + %rhs as in fuse_element.mlir, but nothing is freed: each call loses the temporary, and the
// loop that calls it loses every result but the last.

func.func private @fuse_element(%lhs: memref<?x5xf32>, %rhs: memref<?x5xf32>) -> memref<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %rows = memref.dim %lhs, %c0 : memref<?x5xf32>
  %root = memref.alloc(%rows) : memref<?x5xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %x = memref.load %lhs[%i, %j] : memref<?x5xf32>
      %y = math.sqrt %x : f32
      memref.store %y, %root[%i, %j] : memref<?x5xf32>
    }
  }
  %sum = memref.alloc(%rows) : memref<?x5xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %x = memref.load %root[%i, %j] : memref<?x5xf32>
      %y = memref.load %rhs[%i, %j] : memref<?x5xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %sum[%i, %j] : memref<?x5xf32>
    }
  }
  return %sum : memref<?x5xf32>
}

// Adds sqrt(4) a thousand times, to 10,000 rows of 5 numbers, and returns one of them.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 1000 : index
  %rows = arith.constant 10000 : index
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %step = memref.alloc(%rows) : memref<?x5xf32>
  linalg.fill ins(%four : f32) outs(%step : memref<?x5xf32>)
  %first = memref.alloc(%rows) : memref<?x5xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<?x5xf32>)
  %last = scf.for %round = %c0 to %rounds step %c1 iter_args(%total = %first) -> (memref<?x5xf32>) {
    %next = func.call @fuse_element(%step, %total) : (memref<?x5xf32>, memref<?x5xf32>) -> memref<?x5xf32>
    scf.yield %next : memref<?x5xf32>
  }
  %number = memref.load %last[%c0, %c0] : memref<?x5xf32>
  %result = arith.fptosi %number : f32 to i32
  return %result : i32
}
