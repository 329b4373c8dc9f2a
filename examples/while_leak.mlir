// Newton's method for a square root. The loop carries its estimate in a buffer; each round allocates the next one,
// and the one before is never freed. The last one is freed after the loop: the leak is real whenever the body runs.

func.func @while_leak(%square: memref<f32>, %root: memref<f32>) {
  %half = arith.constant 5.0e-01 : f32
  %tolerance = arith.constant 1.0e-03 : f32
  %first = memref.alloc() : memref<f32>
  memref.copy %square, %first : memref<f32> to memref<f32>
  %last = scf.while (%estimate = %first) : (memref<f32>) -> memref<f32> {
    %product = memref.alloc() : memref<f32>
    %x = memref.load %estimate[] : memref<f32>
    %xx = arith.mulf %x, %x : f32
    memref.store %xx, %product[] : memref<f32>
    %y = memref.load %product[] : memref<f32>
    memref.dealloc %product : memref<f32>
    %s = memref.load %square[] : memref<f32>
    %difference = arith.subf %y, %s : f32
    %error = math.absf %difference : f32
    %go_on = arith.cmpf ogt, %error, %tolerance : f32
    scf.condition(%go_on) %estimate : memref<f32>
  } do {
  ^bb0(%estimate: memref<f32>):
    %next = memref.alloc() : memref<f32>
    %x = memref.load %estimate[] : memref<f32>
    %s = memref.load %square[] : memref<f32>
    %quotient = arith.divf %s, %x : f32
    %twice = arith.addf %x, %quotient : f32
    %mean = arith.mulf %twice, %half : f32
    memref.store %mean, %next[] : memref<f32>
    scf.yield %next : memref<f32>
  }
  memref.copy %last, %root : memref<f32> to memref<f32>
  memref.dealloc %last : memref<f32>
  return
}
