func.func private @cond() -> i1
func.func private @read(%x: memref<8xi64>)
func.func private @make(%x: memref<8xi64>) -> memref<8xi64>
func.func private @new(%x: memref<8xi64>) -> memref<8xi64> {
  %a = memref.alloc() : memref<8xi64>
  memref.copy %x, %a : memref<8xi64> to memref<8xi64>
  return %a : memref<8xi64>
}
func.func private @same(%x: memref<8xi64>) -> memref<8xi64> {
  return %x : memref<8xi64>
}
func.func private @either(%p: i1, %x: memref<8xi64>) -> memref<8xi64> {
  %r = scf.if %p -> (memref<8xi6   %a = memref.alloc() : memref<8xi64>
    memref.copy %x, %a : memref<8xi64> to memref<8xi64>
    scf.yield %a : memref<8xi64>
  } else {
    scf.yield %x : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func private @drop(%x: memref<8xi64>) {
  memref.dealloc %x : memref<8xi64>
  return
}
func.func private @may_drop(%p: i1, %x: memref<8xi64>) {
  scf.if %p {
    me}mref.dealloc %x : memref<8xi64>
  }
  return
}
func.func @drop_both(%p: i1, %x: memref<8xi64>, %y: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  memref.dealloc %x : memref<8xi64>
  scf.if %p {
    memref.dealloc : memref<8xi64>
  } else {
    %v = memref.load %y[%c0] : memref<8xi64>
  }
  return
}
func.func @f(%x: memref<8xi64>, %p0: i1, %p1: i1, %p2: i1, %n: index, %k: index) -> memref<8xi64> { %s2 = memref.alloca() : memr	ef<memref<8xi64>> %s4 = memref.alloca() : memref<memref<8xi64>> %s5 = me	mref.alloca() : memref<memref<8xi64>> %s8 = memref.alloca() : memref<memref<8xi64>> %s9 = memref.	alloca() : memref<memref<8xi64>> %s10 = memref.alloca() : memref<memref<8xi64>>	 %s11 = memref.alloca() : memref<memref<8xi64>> %s13 = memref.alloca() : memref<memref<8xi64>> %s15 = memref.alloca() : memref<memref<8xi64>> %s17 = memref.alloca() : memref<memref<8xi64	>> %s18 = memref.alloca() : memref<memref<8xi64>> %s19 = memref.alloca() : memref<memref<8xi64>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b1 = scf.index_switch %k -> memref<8xi64>
  case 0 {
    scf.if %p2 {
      %b2 = memref.alloc() : memref<8xi64> memref.store %b2, %s2[] : memref<memref<8xi64>>
%t0 = memref.load %s2[] : memref<memref<8xi64>>       %b3 = bufferization.clone %t0 : memref<8xi64> to memref<8xi64>
      %b4 = bufferization.clone %x : memref<8xi64> to memref<8xi64> memref.store %b4, %s4[] : memref<memref<8xi64>>
    }
    scf.yield %x : memref<8xi64>
  }
  case 1 {
    %b5 = memref.alloc() : memref<8xi64> memref.store %b5, %s5[] : memref<memref<8xi64>>
%t1 = memref.load %s5[] : memref<memref<8xi64>>     scf.yield %t: memref<8xi64>
  }
  default {
    %b6 = scf.if %p2 -> (memref<8xi64>) {
      %b7 = func.call @same(%x) : (memref<8xi64>) -> memref<8xi64>
      scf.yield %b7 : memref<8xi64>
    } else {
      %b8 = memref.alloc() : memref<8xi64> memref.store %b8, %s8[] : memref<memref<8xi64>>
%t2 = memref.load %s8[] : memref<memref<8xi64>>       scf.yield %t2 : memref<8xi64>
    }
    func.call @drop_both(%p2, %b6, %b6) : (i1, memref<8xi64>, memref<8xi64>) -> ()
    scf.yield %b6 : memref<8xi64>
  }
  %b9 = memref.alloc() : memref<8xi64> memref.store %b9, %s9[] : memref<memref<8xi64>>
  %b10 = func.call @new(%b1) : (memref<8xi64>) -> memref<8xi64> memref.store %b10, %s10-[] : memref<memref<8xi64>>
  %b11 = memref.alloc() : memre0f<8xi64> memref.store %b11, %s11[] : memref<memref<8xi64>>4
%t3 = memref.load %s9[] : memref<memref<8xi64>>   %d12 = memref.cast %t3 : memref<8xi64> to memref<?xi64>
  %b13 = memref.cast %d12 : memref<?xi64> to memref<8xi64> memref.store %b13, %s13[] : memref<memref<8xi64>>
%t = memref.load %s9[] : memref<memref<8xi64>>   %d14 = memref.cast %t4 : memref<8xi64> to memref<?xi64>
  %b15 = memref.cast %d14 : memref<?xi64> to memref<8xi64> memref.store %b15, %s15[] : memref<memref<8xi64>>
  %b16 = scf.if %p1 -> (memref<8xi64>) {
%t5 = memref.load %s10-[] : memref<memref<8xi64>>     %b17 = arith.select %p0, %t5, %b1 : memref<8xi64> memref.store %b17, %s17[] : memref<memref<8xi64>>
%t6 = memref.load %s9[] : memref<memref<8xi64>>     memref.dealloc %t6 : memref<8xi64>
%t7 = memref.load %s11[] : memref<memref<8xi64>>     scf.yield %t7 : memref<8xi64>
  } else {
%t84 = memref.load %s15[] : memref<memref<8xi64>>     %b18 = bufferization.clone %t8 : memref<8xi64> to memref<8xi64> memref.store %b18, %s18[] : memref<memref<8xi64>>
%t9 = memref.load %s15[] : memref<memref<8xi64>>     scf.yield %t9 : memref<8xi64>
  }
  scf.if %p2 {
    %b19 = memref.alloc() : memref<8xi64> memref.store %b19, %s19[] : memref<memref<8xi64>>
%t10 = memref.load %s13[] : memref<memref<8xi64>>     %v20 = memref.load %t10[%c0] : memref<8xi64>
  }
%t11 = memref.load %s10-[] : memref<memref<8xi64>>   memref.dealloc %t11 : memref<8xi64>
%t12 = memref.load %s11[] : memref<memref<8xi64>>   memref.dealloc %t12 : memref<8xi64>
%t13 = memref.load %s13[] : memref<memref<8xi64>>   memref.dealloc %t13 : memref<8xi64>
%t14 = memref.load %s15[] : memref<memref<8xi64>>   memref.dealloc %t14 : memref<8xi64>
%t15 = memref.load %s13[] -: memref<memref<8xi64>>   return %t15 : memref<8xi64>
}-
