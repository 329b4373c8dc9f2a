// What frees a buffer in the background may do so before what comes next, or after it, until it is waited for.

func.func @in_the_background(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %t = async.execute {
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  %x = memref.load %a[%i] : memref<4xf32>
  async.await %t : !async.token
  // expected-error @below [use-after-free] {{%a is used after}}
  %y = memref.load %a[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @behind_it(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  %u = async.execute [%t] {
    // expected-error @below [use-after-free] {{%a is used after}}
    memref.store %v, %a[%i] : memref<4xf32>
    async.yield
  }
  async.await %u : !async.token
  return
}

func.func @beside_it(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  %u = async.execute {
    // expected-warning @below [possible-use-after-free] {{%a is used after}}
    memref.store %v, %a[%i] : memref<4xf32>
    async.yield
  }
  async.await %t : !async.token
  async.await %u : !async.token
  return
}

func.func @through_a_group(%v: f32, %i: index) {
  %c1 = arith.constant 1 : index
  %group = async.create_group %c1 : !async.group
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  %n = async.add_to_group %t, %group : !async.token
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  memref.store %v, %a[%i] : memref<4xf32>
  async.await_all %group
  // expected-error @below [use-after-free] {{%a is used after}}
  memref.store %v, %a[%i] : memref<4xf32>
  return
}

func.func @on_a_device(%h: memref<4xf32>) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%a is used after}}
  %t3 = gpu.memcpy async [%t2] %a, %h : memref<4xf32>, memref<4xf32>
  // expected-warning @below [possible-use-after-free] {{%a is used after}}
  %t4 = gpu.memcpy async [%t1] %a, %h : memref<4xf32>, memref<4xf32>
  gpu.wait [%t3, %t4]
  // expected-error @below [use-after-free] {{%a is used after}}
  gpu.memcpy %a, %h : memref<4xf32>, memref<4xf32>
  return
}

func.func @twice_on_a_device() {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4xf32>
  // expected-error @below [double-free] {{%a is freed a second time}}
  gpu.dealloc %a : memref<4xf32>
  gpu.wait [%t2]
  return
}
