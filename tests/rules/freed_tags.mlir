// The tag of a copy by DMA is memory itself: what frees it does not wait for the copy.

func.func @freed_right_behind_the_wait(%src: memref<1024xf32>, %buf: memref<64xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %tag = memref.alloc() : memref<1xi32>
    memref.dma_start %src[%i], %buf[%c0], %c64, %tag[%c0] : memref<1024xf32>, memref<64xf32, 1>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c64 : memref<1xi32>
    memref.dealloc %tag : memref<1xi32>
    %v = memref.load %buf[%c0] : memref<64xf32, 1>
    memref.store %v, %src[%i] : memref<1024xf32>
  }
  return
}

func.func @late(%src: memref<1024xf32>, %buf: memref<64xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %tag = memref.alloc() : memref<1xi32>
    memref.dma_start %src[%i], %buf[%c0], %c64, %tag[%c0] : memref<1024xf32>, memref<64xf32, 1>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c64 : memref<1xi32>
    %v = memref.load %buf[%c0] : memref<64xf32, 1>
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    // expected-warning @below [late-free] {{%tag}}
    memref.dealloc %tag : memref<1xi32>
  }
  return
}

func.func @affine(%src: memref<1024xf32>, %buf: memref<64xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  affine.for %i = 0 to 16 {
    %tag = memref.alloc() : memref<1xi32>
    affine.dma_start %src[%i], %buf[%c0], %tag[%c0], %c64 : memref<1024xf32>, memref<64xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%c0], %c64 : memref<1xi32>
    memref.dealloc %tag : memref<1xi32>
    %v = affine.load %buf[0] : memref<64xf32, 1>
    affine.store %v, %src[%i] : memref<1024xf32>
  }
  return
}

func.func @freed_behind_its_buffer(%src: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %tag = memref.alloc() : memref<1xi32>
    %buf = memref.alloc() : memref<64xf32, 1>
    memref.dma_start %src[%i], %buf[%c0], %c64, %tag[%c0] : memref<1024xf32>, memref<64xf32, 1>, memref<1xi32>
    %v = memref.load %src[%c0] : memref<1024xf32>
    memref.dma_wait %tag[%c0], %c64 : memref<1xi32>
    memref.dealloc %buf : memref<64xf32, 1>
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
    // expected-warning @below [late-free] {{%tag}}
    memref.dealloc %tag : memref<1xi32>
  }
  return
}

// Under another name something may still wait for the tag: its buffers live until it is freed.
func.func @renamed(%src: memref<1024xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tag = memref.alloc() : memref<2xi32>
  %buf = memref.alloc() : memref<64xf32, 1>
  memref.dma_start %src[%c0], %buf[%c0], %c64, %tag[%c1] : memref<1024xf32>, memref<64xf32, 1>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c64 : memref<2xi32>
  linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
  linalg.fill ins(%v : f32) outs(%src : memref<1024xf32>)
  %t2 = memref.cast %tag : memref<2xi32> to memref<?xi32>
  memref.dma_wait %t2[%c1], %c64 : memref<?xi32>
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buf : memref<64xf32, 1>
  return
}
