// What is put into a container of the function, and never taken out to be freed, is lost with it.

func.func @never_freed(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<8xmemref<4xf32>>
  }
  return
}

func.func @used_and_never_freed(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %size = memref.dim %all, %c0 : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %size step %c1 {
    // expected-warning @below [leak] {{%a of 16 bytes is never freed}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  scf.for %i = %c0 to %size step %c1 {
    %a = memref.load %all[%i] : memref<?xmemref<4xf32>>
    %part = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    memref.store %f, %part[%c0] : memref<2xf32, strided<[1]>>
  }
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}

// Others may free them: whoever is given the container, or is passed what was in it.
func.func @given_away(%n: index) -> memref<?xmemref<4xf32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  }
  return %all : memref<?xmemref<4xf32>>
}
func.func private @drop_all(memref<?xmemref<4xf32>>)
func.func @passed_on(%n: index, %k: index) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  call @drop_all(%all) : (memref<?xmemref<4xf32>>) -> ()
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func private @drop(memref<4xf32>)
func.func @taken_out(%n: index, %k: index) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  %b = memref.load %all[%k] : memref<?xmemref<4xf32>>
  memref.dealloc %all : memref<?xmemref<4xf32>>
  call @drop(%b) : (memref<4xf32>) -> ()
  return
}
func.func @handed_on(%n: index, %k: index, %c: i1) -> memref<?xmemref<4xf32>> {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  %given = scf.execute_region -> memref<?xmemref<4xf32>> {
    scf.yield %all : memref<?xmemref<4xf32>>
  }
  return %given : memref<?xmemref<4xf32>>
}
func.func @copied(%n: index, %k: index, %to: memref<?xmemref<4xf32>>) {
  %all = memref.alloc(%n) : memref<?xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<?xmemref<4xf32>>
  memref.copy %all, %to : memref<?xmemref<4xf32>> to memref<?xmemref<4xf32>>
  memref.dealloc %all : memref<?xmemref<4xf32>>
  return
}
func.func @put_elsewhere_as_well(%k: index, %others: memref<8xmemref<4xf32>>) {
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  memref.store %a, %others[%k] : memref<8xmemref<4xf32>>
  return
}
func.func @in_an_argument(%k: index, %all: memref<8xmemref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  return
}
func.func @freed_by_its_own_name(%k: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%k] : memref<8xmemref<4xf32>>
  %b = memref.load %all[%k] : memref<8xmemref<4xf32>>
  memref.store %f, %b[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
