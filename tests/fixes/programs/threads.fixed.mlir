// What several threads share is freed behind them: inside, each of them would free it, also where a flag is asked for.
func.func @by_all(%x: memref<4xf32>, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %r, %own = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  } else {
    scf.yield %x, %false : memref<4xf32>, i1
  }
  omp.parallel {
    memref.copy %r, %x : memref<4xf32> to memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    memref.copy %x, %t : memref<4xf32> to memref<4xf32>
    memref.copy %t, %x : memref<4xf32> to memref<4xf32>
    memref.dealloc %t : memref<4xf32>
    omp.terminator
  }
  scf.if %c {
    memref.dealloc %r : memref<4xf32>
  }
  return
}

// A loop that is divided among threads: its wrapper holds the loop and nothing else.
func.func @divided(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      memref.copy %b, %x : memref<4xf32> to memref<4xf32>
      %t = memref.alloc() : memref<4xf32>
      memref.copy %x, %t : memref<4xf32> to memref<4xf32>
      memref.copy %t, %x : memref<4xf32> to memref<4xf32>
      memref.dealloc %t : memref<4xf32>
      omp.yield
    }
  }
  memref.dealloc %b : memref<4xf32>
  return
}

// The same for the loop of a shared piece of work, which is all that its wrapper holds, too.
func.func @wrapped(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  omp.workshare {
    omp.workshare.loop_wrapper {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.copy %b, %x : memref<4xf32> to memref<4xf32>
        %t = memref.alloc() : memref<4xf32>
        memref.copy %x, %t : memref<4xf32> to memref<4xf32>
        memref.copy %t, %x : memref<4xf32> to memref<4xf32>
        memref.dealloc %t : memref<4xf32>
        omp.yield
      }
    }
    memref.dealloc %b : memref<4xf32>
    omp.terminator
  }
  return
}
