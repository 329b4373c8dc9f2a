// A call means the function in its own module, whatever those in others are called.

func.func private @kill(%m: memref<8xf32>) {
  // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
  memref.dealloc %m : memref<8xf32>
  return
}

func.func @outside() {
  %r = memref.alloc() : memref<8xf32>
  func.call @kill(%r) : (memref<8xf32>) -> ()
  // expected-error @below [double-free] {{freed a second time}}
  memref.dealloc %r : memref<8xf32>
  return
}

module @inner {
  func.func private @kill(%m: memref<8xf32>) {
    return
  }
  func.func @inside() {
    // expected-warning @below [leak] {{%r of 32 bytes is never freed}}
    %r = memref.alloc() : memref<8xf32>
    func.call @kill(%r) : (memref<8xf32>) -> ()
    return
  }
}

// The same where the module comes first.
module @before {
  module @innermost {
    func.func private @keep(%m: memref<8xf32>) {
      return
    }
    func.func @inside() {
      %r = memref.alloc() : memref<8xf32>
      func.call @keep(%r) : (memref<8xf32>) -> ()
      memref.dealloc %r : memref<8xf32>
      return
    }
  }
  func.func private @keep(%m: memref<8xf32>) {
    // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
    memref.dealloc %m : memref<8xf32>
    return
  }
  func.func @outside() {
    %r = memref.alloc() : memref<8xf32>
    func.call @keep(%r) : (memref<8xf32>) -> ()
    return
  }
}
