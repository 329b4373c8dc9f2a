// Work that a function begins, and does not wait for, goes on when it has come back.

func.func private @work(i64)

func.func private @start(%a: memref<8xi64>, %x: i64) {
  %c0 = arith.constant 0 : index
  %t = async.execute {
    memref.store %x, %a[%c0] : memref<8xi64>
    async.yield
  }
  return
}

func.func private @begin(%a: memref<8xi64>, %x: i64) {
  func.call @start(%a, %x) : (memref<8xi64>, i64) -> ()
  return
}

func.func @lost(%x: i64) {
  %a = memref.alloc() : memref<8xi64>
  func.call @start(%a, %x) : (memref<8xi64>, i64) -> ()
  return
}

func.func @lost_further_inside(%x: i64) {
  %a = memref.alloc() : memref<8xi64>
  func.call @begin(%a, %x) : (memref<8xi64>, i64) -> ()
  return
}

func.func @freed_at_the_end(%x: i64) {
  %a = memref.alloc() : memref<8xi64>
  func.call @begin(%a, %x) : (memref<8xi64>, i64) -> ()
  %y = arith.addi %x, %x : i64
  func.call @work(%y) : (i64) -> ()
  memref.dealloc %a : memref<8xi64>
  return
}
