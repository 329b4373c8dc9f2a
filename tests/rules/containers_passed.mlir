// config: ignore=["late-free"]
// The address of a container is passed to functions: what these do with what is in it.

// One that frees what is at an unknown place.
func.func private @free_at(%box: memref<2xmemref<4xf32>>, %k: index) {
  %x = memref.load %box[%k] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @t_free_at(%k: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<2xmemref<4xf32>>
  call @free_at(%box, %k) : (memref<2xmemref<4xf32>>, index) -> ()
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  return
}

// One that gives away what is in it.
func.func private @give(%box: memref<1xmemref<4xf32>>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  return %x : memref<4xf32>
}
func.func @t_give() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  %y = call @give(%box) : (memref<1xmemref<4xf32>>) -> memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  return
}
func.func @t_give_twice() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  %y = call @give(%box) : (memref<1xmemref<4xf32>>) -> memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  return
}

// One that puts another one in its place.
func.func private @replace(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.store %n, %box[%c0] : memref<1xmemref<4xf32>>
  return
}
func.func @t_replace() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @replace(%box) : (memref<1xmemref<4xf32>>) -> ()
  %y = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %y : memref<4xf32>
  return
}

// Through two calls.
func.func private @outer(%box: memref<1xmemref<4xf32>>) {
  call @inner(%box) : (memref<1xmemref<4xf32>>) -> ()
  return
}
func.func private @inner(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @t_two() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @outer(%box) : (memref<1xmemref<4xf32>>) -> ()
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @t_two_right() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloc() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @outer(%box) : (memref<1xmemref<4xf32>>) -> ()
  memref.dealloc %box : memref<1xmemref<4xf32>>
  return
}

// It depends on a flag.
func.func private @perhaps(%box: memref<1xmemref<4xf32>>, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
    memref.dealloc %x : memref<4xf32>
  }
  return
}
func.func @t_perhaps(%c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @perhaps(%box, %c) : (memref<1xmemref<4xf32>>, i1) -> ()
  scf.if %c {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @t_perhaps_wrong(%c: i1) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @perhaps(%box, %c) : (memref<1xmemref<4xf32>>, i1) -> ()
  return
}

// One that stores it elsewhere: there may be the same container.
func.func private @keep(%box: memref<1xmemref<4xf32>>, %other: memref<?xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.store %x, %other[%c0] : memref<?xmemref<4xf32>>
  return
}
func.func @t_keep(%other: memref<?xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @keep(%box, %other) : (memref<1xmemref<4xf32>>, memref<?xmemref<4xf32>>) -> ()
  return
}
func.func @t_keep_freed(%other: memref<?xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @keep(%box, %other) : (memref<1xmemref<4xf32>>, memref<?xmemref<4xf32>>) -> ()
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  return
}

// Used after that.
func.func @t_use() -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %z, %a[%c0] : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @inner(%box) : (memref<1xmemref<4xf32>>) -> ()
  %y = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  // expected-error @below [use-after-free] {{%y is used after its buffer was freed}}
  %v = memref.load %y[%c0] : memref<4xf32>
  return %v : f32
}

// One of two places.
func.func private @second(%box: memref<2xmemref<4xf32>>) {
  %c1 = arith.constant 1 : index
  %x = memref.load %box[%c1] : memref<2xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @t_second() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<2xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %box[%c1] : memref<2xmemref<4xf32>>
  call @second(%box) : (memref<2xmemref<4xf32>>) -> ()
  return
}

// One that passes it on to an unknown function.
func.func private @ext(memref<1xmemref<4xf32>>)
func.func private @on(%box: memref<1xmemref<4xf32>>) {
  call @ext(%box) : (memref<1xmemref<4xf32>>) -> ()
  return
}
func.func @t_on() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @on(%box) : (memref<1xmemref<4xf32>>) -> ()
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  memref.dealloc %a : memref<4xf32>
  return
}

// One in which an op is not described.
func.func private @odd(%box: memref<1xmemref<4xf32>>) {
  // expected-remark @below [unknown-effects] {{unknown operation odd.op: its effect on buffers is not declared}}
  "odd.op"(%box) : (memref<1xmemref<4xf32>>) -> ()
  return
}
func.func @t_odd() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  call @odd(%box) : (memref<1xmemref<4xf32>>) -> ()
  return
}

// One that others may call.
func.func @public(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}

// One that fills it.
func.func private @fill(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xf32>
  memref.store %x, %box[%c0] : memref<1xmemref<4xf32>>
  return
}
func.func @t_fill() {
  %c0 = arith.constant 0 : index
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  call @fill(%box) : (memref<1xmemref<4xf32>>) -> ()
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}

// Filled and cleared in each round.
func.func @t_rounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %box = memref.alloc() : memref<1xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
    func.call @inner(%box) : (memref<1xmemref<4xf32>>) -> ()
  }
  memref.dealloc %box : memref<1xmemref<4xf32>>
  return
}

// One container passed twice.
func.func private @clear_both(%p: memref<1xmemref<4xf32>>, %q: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %p[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  %y = memref.load %q[%c0] : memref<1xmemref<4xf32>>
  // expected-error @below [double-free] {{the buffer of %y is freed a second time}}
  memref.dealloc %y : memref<4xf32>
  return
}
func.func @t_same() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %p = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %p[%c0] : memref<1xmemref<4xf32>>
  call @clear_both(%p, %p) : (memref<1xmemref<4xf32>>, memref<1xmemref<4xf32>>) -> ()
  return
}

// Two containers may be one, of which one is stored in.
func.func @may_be_one(%p: memref<1xmemref<4xf32>>, %q: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %p[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  memref.store %n, %q[%c0] : memref<1xmemref<4xf32>>
  %y = memref.load %p[%c0] : memref<1xmemref<4xf32>>
  // expected-warning @below [possible-double-free] {{the buffer of %y is freed a second time on some path}}
  memref.dealloc %y : memref<4xf32>
  return
}

// Without dimensions.
func.func private @clear_one(%box: memref<memref<4xf32>>) {
  %x = memref.load %box[] : memref<memref<4xf32>>
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @t_no_dimensions() {
  %a = memref.alloc() : memref<4xf32>
  %p = memref.alloca() : memref<memref<4xf32>>
  memref.store %a, %p[] : memref<memref<4xf32>>
  call @clear_one(%p) : (memref<memref<4xf32>>) -> ()
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  memref.dealloc %a : memref<4xf32>
  return
}

// One that only reads what is in it.
func.func private @peek(%box: memref<1xmemref<4xf32>>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %x[%c0] : memref<4xf32>
  return %v : f32
}
func.func @t_peek(%z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %z, %a[%c0] : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  %v = call @peek(%box) : (memref<1xmemref<4xf32>>) -> f32
  return %v : f32
}
func.func @t_freed_before(%z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %z, %a[%c0] : memref<4xf32>
  %box = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  %v = call @peek(%box) : (memref<1xmemref<4xf32>>) -> f32
  return %v : f32
}
