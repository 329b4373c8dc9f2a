// Values of a type of which nothing says what it is: followed where they are other names of buffers, or freed.

func.func private @drop(%x: !foo.buf) {
  %m = builtin.unrealized_conversion_cast %x : !foo.buf to memref<4xf32>
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @dropped(%i: index, %z: f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %z, %a[%i] : memref<4xf32>
  %b = builtin.unrealized_conversion_cast %a : memref<4xf32> to !foo.buf
  func.call @drop(%b) : (!foo.buf) -> ()
  return
}

func.func @used_then(%i: index, %z: f32) {
  %a = memref.alloc() : memref<4xf32>
  %b = builtin.unrealized_conversion_cast %a : memref<4xf32> to !foo.buf
  func.call @drop(%b) : (!foo.buf) -> ()
  // expected-error @below [use-after-free] {{%a}}
  memref.store %z, %a[%i] : memref<4xf32>
  return
}

func.func private @made() -> !foo.buf

func.func @perhaps_a_number() {
  %x = call @made() : () -> !foo.buf
  return
}

func.func @memory_since_it_is_freed(%c: i1) {
  // expected-warning @below [possible-leak] {{%x}}
  %x = call @made() : () -> !foo.buf
  scf.if %c {
    func.call @drop(%x) : (!foo.buf) -> ()
  }
  return
}
