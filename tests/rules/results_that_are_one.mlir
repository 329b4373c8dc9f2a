// Results of one call that are one buffer: who frees both frees it twice, and one deallocation is enough.

func.func private @same() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>  // expected-warning [aliased-results] {{%a}}
}

func.func private @either(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %b : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>  // expected-warning [aliased-results] {{%a}}
^bb2:
  return %a, %b : memref<4xf32>, memref<4xf32>
}

func.func private @through() -> (memref<4xf32>, memref<4xf32>) {
  %r:2 = call @same() : () -> (memref<4xf32>, memref<4xf32>)
  return %r#1, %r#0 : memref<4xf32>, memref<4xf32>  // expected-warning [aliased-results] {{%r#0}}
}

func.func private @swap(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %x = arith.select %c, %a, %b : memref<4xf32>
  %y = arith.select %c, %b, %a : memref<4xf32>
  return %x, %y : memref<4xf32>, memref<4xf32>
}

func.func @freed_twice_on_some_way(%c: i1) {
  %r:2 = call @either(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>  // expected-warning [possible-double-free] {{%r#1 is freed a second time on some path}}
  return
}

func.func @freed_once_each_way(%c: i1) {
  %r:2 = call @either(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  scf.if %c {
  } else {
    memref.dealloc %r#1 : memref<4xf32>
  }
  return
}

func.func @used_behind() {
  %r:2 = call @through() : () -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  %x = arith.constant 0 : index
  // expected-error @below [use-after-free] {{%r#1}}
  %v = memref.load %r#1[%x] : memref<4xf32>
  return
}

func.func @two_whichever(%c: i1) {
  %r:2 = call @swap(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}

func.func @one_of_two(%c: i1) {
  %r:2 = call @swap(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)  // expected-warning [leak] {{%r#1}}
  memref.dealloc %r#0 : memref<4xf32>
  return
}

func.func @rec(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %s:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %r:2 = func.call @rec(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %r#0, %r#1 : memref<4xf32>, memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a, %a : memref<4xf32>, memref<4xf32>
  }
  return %s#0, %s#1 : memref<4xf32>, memref<4xf32>  // expected-warning [aliased-results] {{%s#1}}
}

func.func @around(%c: i1) {
  %r:2 = call @rec(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>  // expected-error [double-free] {{%r#1 is freed a second time}}
  return
}

func.func @lost_once() {
  %r:2 = call @same() : () -> (memref<4xf32>, memref<4xf32>)  // expected-warning [leak] {{%r#0}}
  return
}

func.func @freed_twice() {
  %r:2 = call @same() : () -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>  // expected-error [double-free] {{%r#1 is freed a second time}}
  return
}

func.func @freed_once() {
  %r:2 = call @same() : () -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#1 : memref<4xf32>
  return
}

func.func @without_names() {
  call @same() : () -> (memref<4xf32>, memref<4xf32>)  // expected-warning [leak] {{without a name}}
  return
}

// Two that a call gives are lost each by itself, where one name may be either as well.
func.func private @two() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  return %a, %b : memref<4xf32>, memref<4xf32>
}

func.func @both_are_lost(%c: i1, %x: f32, %i: index) {
  // expected-warning @+2 [leak] {{%r#0}}
  // expected-warning @+1 [leak] {{%r#1}}
  %r:2 = call @two() : () -> (memref<4xf32>, memref<4xf32>)
  %s = arith.select %c, %r#0, %r#1 : memref<4xf32>
  memref.store %x, %s[%i] : memref<4xf32>
  return
}

func.func @either_is_lost(%c: i1, %x: f32, %i: index) {
  // expected-warning @+2 [possible-leak] {{%r#0}}
  // expected-warning @+1 [possible-leak] {{%r#1}}
  %r:2 = call @two() : () -> (memref<4xf32>, memref<4xf32>)
  %s = arith.select %c, %r#0, %r#1 : memref<4xf32>
  memref.store %x, %s[%i] : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  return
}

// On some paths one, on others two.
func.func private @one_or_two(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = scf.if %c -> (memref<4xf32>) {
    %d = memref.alloc() : memref<4xf32>
    scf.yield %d : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %a, %b : memref<4xf32>, memref<4xf32>  // expected-warning [aliased-results] {{%b}}
}

func.func @both_if_there_are_two(%c: i1) {
  // expected-warning @+2 [leak] {{%r#0}}
  // expected-warning @+1 [leak] {{%r#1}}
  %r:2 = call @one_or_two(%c) : (i1) -> (memref<4xf32>, memref<4xf32>)
  return
}
