// What asynchronous work gives is what a later piece of work takes in: `(%value as %argument : ...)`.

func.func private @look(memref<8xf32>)

func.func @freed_inside(%x: f32, %before: !async.token) {
  %t, %v = async.execute [%before] -> !async.value<memref<8xf32>> {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    async.yield %a : memref<8xf32>
  }
  %u, %w = async.execute [%before] -> !async.value<memref<8xf32>> {
    // expected-warning @below [leak] {{%b of 32 bytes is never freed}}
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
    async.yield %b : memref<8xf32>
  }
  %t2 = async.execute [%before] (%v as %m : !async.value<memref<8xf32>>, %w as %k : !async.value<memref<8xf32>>) {
    func.call @look(%m) : (memref<8xf32>) -> ()
    memref.dealloc %m : memref<8xf32>
    func.call @look(%k) : (memref<8xf32>) -> ()
    async.yield
  }
  async.await %t2 : !async.token
  return
}

func.func @freed_twice(%x: f32) {
  %t, %v = async.execute -> !async.value<memref<8xf32>> {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    async.yield %a : memref<8xf32>
  }
  %t2 = async.execute (%v as %m : !async.value<memref<8xf32>>) {
    memref.dealloc %m : memref<8xf32>
    async.yield
  }
  async.await %t2 : !async.token
  %w = async.await %v : !async.value<memref<8xf32>>
  // expected-error @below [double-free] {{freed a second time}}
  memref.dealloc %w : memref<8xf32>
  return
}

// The same in generic form.
func.func @generic(%x: f32, %before: !async.token) {
  %t, %v = async.execute -> !async.value<memref<8xf32>> {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    async.yield %a : memref<8xf32>
  }
  %t2 = "async.execute"(%before, %v) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%m: memref<8xf32>):
    memref.dealloc %m : memref<8xf32>
    "async.yield"() : () -> ()
  }) : (!async.token, !async.value<memref<8xf32>>) -> !async.token
  async.await %t2 : !async.token
  return
}
