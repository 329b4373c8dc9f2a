// What an executable of IREE is bound to is memory of its caller.
// expected-nothing

func.func @scaled(%i: index) {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : memref<4xf32>
  %v = memref.load %0[%i] : memref<4xf32>
  memref.store %v, %0[%i] : memref<4xf32>
  return
}
