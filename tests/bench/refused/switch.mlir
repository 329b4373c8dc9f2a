// `cf.switch` hands a new buffer or an older one on.
func.func private @pick(%k: i32, %x: memref<256xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  cf.switch %k : i32, [
    default: ^done(%x : memref<256xi32>),
    1: ^copy
  ]
^copy:
  %new = memref.alloc() : memref<256xi32>
  memref.copy %x, %new : memref<256xi32> to memref<256xi32>
  cf.br ^done(%new : memref<256xi32>)
^done(%m: memref<256xi32>):
  %v = memref.load %m[%c0] : memref<256xi32>
  return %v : i32
}

func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<256xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<256xi32>)
  %v = func.call @pick(%one, %a) : (i32, memref<256xi32>) -> i32
  %w = func.call @pick(%zero, %a) : (i32, memref<256xi32>) -> i32
  %s = arith.addi %v, %w : i32
  return %s : i32
}
