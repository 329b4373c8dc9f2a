// Before a deallocation a wait is being written: for what, nobody knows yet.

func.func @operand(%a: memref<4xf32>, %z: f32, %i: index) {
  %b = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %z, %b[%i] : memref<4xf32>
    async.yield
  }
  // expected-error @below [syntax] {{unexpected character}}
  async.await %
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @no_operand(%a: memref<4xf32>, %z: f32, %i: index) {
  %b = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %z, %b[%i] : memref<4xf32>
    async.yield
  }
  async.await : !async.token
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @name(%a: memref<4xf32>, %z: f32, %i: index) {
  %b = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %z, %b[%i] : memref<4xf32>
    async.yield
  }
  // expected-error @below [syntax] {{unknown operation 'async'}}
  async
  memref.dealloc %b : memref<4xf32>
  return
}

// What is being written elsewhere changes nothing.
func.func @elsewhere(%a: memref<4xf32>, %z: f32, %i: index) {
  // expected-error @below [syntax] {{unknown operation 'async'}}
  async
  %b = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %z, %b[%i] : memref<4xf32>
    async.yield
  }
  // expected-error @below [free-before-wait] {{%b}}
  memref.dealloc %b : memref<4xf32>
  // expected-error @below [syntax] {{unknown operation 'async'}}
  async
  return
}
