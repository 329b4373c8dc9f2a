// What ownership-based deallocation prints: all buffers of a block are freed at its end by one operation, under flags.

func.func private @use(memref<8xf32>)

func.func @together(%x: f32, %out: memref<8xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%out : memref<8xf32>)
  %out_base, %0, %1, %2 = memref.extract_strided_metadata %out : memref<8xf32> -> memref<f32>, index, index, index
  %a_base, %3, %4, %5 = memref.extract_strided_metadata %a : memref<8xf32> -> memref<f32>, index, index, index
  %b_base, %6, %7, %8 = memref.extract_strided_metadata %b : memref<8xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%out_base, %a_base, %b_base : memref<f32>, memref<f32>, memref<f32>) if (%false, %true, %true)
  return
}

// It keeps its flag, and moves up to where nothing names the buffer any more.
func.func @owned_or_lent(%x: f32, %out: memref<8xf32>, %p: i1, %q: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %b:2 = scf.if %p -> (memref<8xf32>, i1) {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    scf.yield %a, %true : memref<8xf32>, i1
  } else {
    scf.yield %out, %false : memref<8xf32>, i1
  }
  %v = arith.addf %x, %x : f32
  linalg.fill ins(%v : f32) outs(%b#0 : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%c : memref<8xf32>)
  memref.dealloc %c : memref<8xf32>
  bufferization.dealloc (%b#0 : memref<8xf32>) if (%b#1)  // if it was made here
  return
}
