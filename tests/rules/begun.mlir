// What a function is given is in use until the token that it gives is waited for; which work that is, nobody knows.

func.func private @begin(memref<4xf32>) -> !async.token

func.func @waited(%out: memref<4xf32>, %value: f32) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %token = call @begin(%a) : (memref<4xf32>) -> !async.token
  memref.store %value, %out[%zero] : memref<4xf32>
  async.await %token : !async.token
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @early() {
  %a = memref.alloc() : memref<4xf32>
  %token = call @begin(%a) : (memref<4xf32>) -> !async.token
  // expected-warning @below [free-before-wait] {{the work on it}}
  memref.dealloc %a : memref<4xf32>
  async.await %token : !async.token
  return
}
