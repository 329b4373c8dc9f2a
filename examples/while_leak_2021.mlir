// The loop of while_leak.mlir as a tensor compiler printed it in 2021: `func` without its dialect, generic
// operations of a dialect that is gone, regions in `( {`. It is read like any other text.

func @while_leak_2021(%square: memref<f32>, %root: memref<f32>) {
  %first = memref.alloc() : memref<f32>
  "lmhlo.copy"(%square, %first) : (memref<f32>, memref<f32>) -> ()
  %last = scf.while (%estimate = %first) : (memref<f32>) -> (memref<f32>) {
    %product = memref.alloc() : memref<f32>
    "lmhlo.multiply"(%estimate, %estimate, %product) : (memref<f32>, memref<f32>, memref<f32>) -> ()
    %close = memref.alloc() : memref<i1>
    "lmhlo.compare"(%product, %square, %close) {comparison_direction = "GT"}
        : (memref<f32>, memref<f32>, memref<i1>) -> ()
    memref.dealloc %product : memref<f32>
    %go_on = memref.load %close[] : memref<i1>
    memref.dealloc %close : memref<i1>
    scf.condition(%go_on) %estimate : memref<f32>
  } do {
  ^bb0(%estimate: memref<f32>):  // no predecessors
    %next = memref.alloc() : memref<f32>
    "lmhlo.fusion"() ( {
      %quotient = memref.alloc() : memref<f32>
      "lmhlo.divide"(%square, %estimate, %quotient) : (memref<f32>, memref<f32>, memref<f32>) -> ()
      "lmhlo.add"(%estimate, %quotient, %next) : (memref<f32>, memref<f32>, memref<f32>) -> ()
      memref.dealloc %quotient : memref<f32>
      "lmhlo.terminator"() : () -> ()
    }) : () -> ()
    scf.yield %next : memref<f32>
  }
  "lmhlo.copy"(%last, %root) : (memref<f32>, memref<f32>) -> ()
  memref.dealloc %last : memref<f32>
  return
}
