// Buffers that are freed on some paths only.

func.func @one_branch(%c: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @below {{%c is false}}
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  // expected-note @below {{lost here}}
  return
}

// The same value decides both: when it is true, the buffer is there and is freed.
func.func @correlated(%c: i1, %x: memref<4xf32>) {
  %a = scf.if %c -> memref<4xf32> {
    %fresh = memref.alloc() : memref<4xf32>
    scf.yield %fresh : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @early_return(%c: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @below {{%c is true}}
  cf.cond_br %c, ^out, ^on
^on:
  memref.dealloc %a : memref<4xf32>
  return
^out:
  // expected-note @below {{lost here}}
  return
}
