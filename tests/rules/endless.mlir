// Paths that never end: what is lost on them is told, and callers are told what is done on them to their buffers.

// ---- lost in each round

func.func @serve() {
  cf.br ^next
^next:
  %x = memref.alloc() : memref<4xf32>  // expected-warning [leak] {{%x}}
  cf.br ^next
}

func.func @serve_perhaps(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^done, ^next
^done:
  memref.dealloc %x : memref<4xf32>
  return
^next:
  %y = memref.alloc() : memref<4xf32>  // expected-warning [leak] {{%y}}
  cf.br ^next
}

func.func @serve_and_free() {
  cf.br ^next
^next:
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  cf.br ^next
}

// What has a name all the time is at hand, though nobody asks for it.
func.func @kept_for_ever() {
  %x = memref.alloc() : memref<4xf32>
  cf.br ^next
^next:
  cf.br ^next
}

// ---- what callers are told

func.func private @reads_and_stays(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  cf.br ^stay
^stay:
  cf.br ^stay
}

func.func private @frees_and_stays(%x: memref<4xf32>) {
  // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
  memref.dealloc %x : memref<4xf32>
  cf.br ^stay
^stay:
  cf.br ^stay
}

func.func private @reads_and_stays_if(%c: i1, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %v = memref.load %x[%c0] : memref<4xf32>
  }
  scf.while (%on = %c) : (i1) -> () {
    scf.condition(%on)
  } do {
    scf.yield %c : i1
  }
  return
}

func.func @read() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [use-after-free] {{%x}}
  call @reads_and_stays(%x) : (memref<4xf32>) -> ()
  return
}

func.func @freed() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [double-free] {{%x}}
  call @frees_and_stays(%x) : (memref<4xf32>) -> ()
  return
}

func.func @perhaps(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  // expected-warning @below [possible-use-after-free] {{%x}}
  call @reads_and_stays_if(%c, %x) : (i1, memref<4xf32>) -> ()
  return
}

func.func @given_up() {
  %x = memref.alloc() : memref<4xf32>
  call @frees_and_stays(%x) : (memref<4xf32>) -> ()
  return
}

// ---- who is called and does not come back does nothing to what comes behind

func.func private @stays_or_frees(%c: i1, %x: memref<4xf32>) {
  cf.cond_br %c, ^stay, ^go
^stay:
  cf.br ^stay
^go:
  // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
  memref.dealloc %x : memref<4xf32>
  return
}

func.func private @breaks_off_or_frees(%c: i1, %x: memref<4xf32>) {
  cf.cond_br %c, ^stay, ^go
^stay:
  llvm.unreachable
^go:
  // expected-remark @below [argument-free] {{callers must not use or free it afterwards}}
  memref.dealloc %x : memref<4xf32>
  return
}

func.func private @one_further(%x: memref<4xf32>) {
  call @frees_and_stays(%x) : (memref<4xf32>) -> ()  // expected-remark [argument-free] {{frees its argument}}
  return
}

func.func @nothing_is_lost(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  call @stays_or_frees(%c, %x) : (i1, memref<4xf32>) -> ()
  return
}

func.func @nothing_is_lost_either(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  call @breaks_off_or_frees(%c, %x) : (i1, memref<4xf32>) -> ()
  return
}

func.func @for_ever() {
  %x = memref.alloc() : memref<4xf32>
  call @reads_and_stays(%x) : (memref<4xf32>) -> ()
  return
}

func.func @freed_once_each_way(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  call @one_further(%x) : (memref<4xf32>) -> ()
  cf.br ^bb2
^bb2:
  memref.dealloc %x : memref<4xf32>
  return
}

func.func @freed_before() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [double-free] {{%x}}
  call @one_further(%x) : (memref<4xf32>) -> ()
  return
}
