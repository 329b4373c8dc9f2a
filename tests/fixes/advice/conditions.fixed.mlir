// config: select = ["redundant-dealloc-check"]
// Conditions that are known go, and with them what depends on nothing else.

func.func @always(%x: memref<8xf32>) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>  // all of it
  return
}

func.func @never(%x: memref<8xf32>) {
  %false = arith.constant false
  return
}

// One is freed always, one never, one is to be asked for.
func.func @several(%x: memref<8xf32>, %q: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%b : memref<8xf32>) if (%q)
  %n = arith.xori %q, %true : i1
  bufferization.dealloc (%b : memref<8xf32>) if (%n)
  return
}

// Who owns what is retained is known with it.
func.func @retained(%x: memref<8xf32>) -> i1 {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %own = arith.constant false
  return %own : i1
}

// Two names that may be one buffer free it once: that is what the check is for.
func.func @aliases(%x: memref<8xf32>, %q: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %one = arith.select %q, %a, %b : memref<8xf32>
  memref.copy %one, %x : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%a, %b, %one : memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%true, %true, %true)  // left: no fix
  return
}
