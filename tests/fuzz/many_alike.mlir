func.func @f(%x: memref<8xi64>, %p0: i1, %p1: i1, %p2: i1, %n: index, %k: index) -> memref<8xi64> { %s2 = memref.alloca() : memr	ef<memref<8xi64>> %s4 = memref.alloca() : memref<memref<8xi64>> %s5 = me	mref.alloca() : memref<memref<8xi64>> %s8 = memref.alloca() : memref<memref<8xi64>> %s9 = memref.	alloca() : memref<memref<8xi64>> %s10 = memref.alloca() : memref<memref<8xi64>>	 %s11 = memref.alloca() : memref<memref<8xi64>> %s13 = memref.alloca() : memref<memref<8xi64>> %s15 = memref.alloca() : memref<memref<8xi64>> %s17 = memref.alloca() : memref<memref<8xi64	>> %s18 = memref.alloca() : memref<memref<8xi64>> %s19 = memref.alloca() : memref<memref<8xi64>>
  %c1 = arith.constant 1 : index
  case 0 {
    %b5 = memref.alloc() : memref<8xi64> memref.store %b5, %s5[] : memref<memref<8xi64>>
%t1 = memref.load %s5[] : memref<memref<8xi64>>     scf.yield %t: memref<8xi64>
  %b9 = memref.alloc() : memref<8xi64> memref.store %b9, %s9[] : memref<memref<8xi64>>
  %b10 = func.call @new(%b1) : (memref<8xi64>) -> memref<8xi64> memref.store %b10, %s10-[] : memref<memref<8xi64>>
  %b11 = memref.alloc() : memre0f<8xi64> memref.store %b11, %s11[] : memref<memref<8xi64>>4
%t3 = memref.load %s9[] : memref<memref<8xi64>>   %d12 = memref.cast %t3 : memref<8xi64> to memref<?xi64>
  %b16 = scf.if %p1 -> (memref<8xi64>) {
%t5 = memref.load %s10-[] : memref<memref<8xi64>>     %b17 = arith.select %p0, %t5, %b1 : memref<8xi64> memref.store %b17, %s17[] : memref<memref<8xi64>>
%t6 = memref.load %s9[] : memref<memref<8xi64>>     memref.dealloc %t6 : memref<8xi64>
%t9 = memref.load %s15[] : memref<memref<8xi64>>     scf.yield %t9 : memref<8xi64>
  scf.if %p2 {
%t10 = memref.load %s13[] : memref<memref<8xi64>>     %v20 = memref.load %t10[%c0] : memref<8xi64>
  }
%t11 = memref.load %s10-[] : memref<memref<8xi64>>   memref.dealloc %t11 : memref<8xi64>
%t12 = memref.load %s11[] : memref<memref<8xi64>>   memref.dealloc %t12 : memref<8xi64>