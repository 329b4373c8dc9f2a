// Buffers in a container of which one is loaded, from a place that is not known: all of them are freed by their own names.
func.func private @sink(memref<4xf32>)

func.func @lent(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%c0] : memref<4xf32>
  memref.store %f, %b[%c0] : memref<4xf32>
  memref.store %a, %s[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %s[%c1] : memref<2xmemref<4xf32>>
  %k = arith.remui %n, %c2 : index
  %x = memref.load %s[%k] : memref<2xmemref<4xf32>>
  func.call @sink(%x) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @in_a_branch(%n: index, %c: i1, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%c0] : memref<4xf32>
  memref.store %f, %b[%c0] : memref<4xf32>
  memref.store %a, %s[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %s[%c1] : memref<2xmemref<4xf32>>
  %k = arith.remui %n, %c2 : index
  scf.if %c {
    %x = memref.load %s[%k] : memref<2xmemref<4xf32>>
    %part = memref.subview %x[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    memref.store %f, %part[%c1] : memref<2xf32, strided<[1]>>
  }
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %g = arith.addf %f, %f : f32
  return %g : f32
}

func.func @blocks(%n: index, %c: i1, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloca() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%c0] : memref<4xf32>
  memref.store %f, %b[%c0] : memref<4xf32>
  memref.store %a, %s[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %s[%c1] : memref<2xmemref<4xf32>>
  %k = arith.remui %n, %c2 : index
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.load %s[%k] : memref<2xmemref<4xf32>>
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %v : f32
^bb2:
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %f : f32
}

func.func @each_round(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = arith.remui %n, %c2 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %s = memref.alloc() : memref<2xmemref<4xf32>>
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.store %a, %s[%c0] : memref<2xmemref<4xf32>>
    memref.store %b, %s[%c1] : memref<2xmemref<4xf32>>
    %x = memref.load %s[%k] : memref<2xmemref<4xf32>>
    memref.dealloc %s : memref<2xmemref<4xf32>>
    memref.store %f, %x[%c0] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  return
}

func.func @never_taken_out(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = memref.alloca() : memref<8xmemref<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    memref.store %a, %s[%i] : memref<8xmemref<4xf32>>
    memref.dealloc %a : memref<4xf32>
  }
  return
}
