// What a person would write: no comment is lost, no condition asked twice or for nothing, no flag that nothing reads.
func.func private @touch(memref<4xf32>)
func.func private @sink(memref<4xf32>)
func.func private @cond() -> i1

func.func @a_note(%p: i1) {
  %b = memref.alloc() : memref<4xf32>
  scf.if %p {
    // the caller asked for it: keep this note
    memref.dealloc %b : memref<4xf32>  // trailing note
  }
  return
}

func.func @empty_else(%p: i1) {
  %b = memref.alloc() : memref<4xf32>
  scf.if %p {
    memref.dealloc %b : memref<4xf32>
  } else {
  }
  return
}

func.func @a_note_in_the_else(%p: i1) {
  %b = memref.alloc() : memref<4xf32>
  scf.if %p {
    memref.dealloc %b : memref<4xf32>
  } else {
    // TODO(jane): why is nothing freed here? see bug 77
  }
  return
}

func.func @from_a_condition(%p: i1, %b: memref<4xf32>) {
  %m = scf.if %p -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  call @touch(%m) : (memref<4xf32>) -> ()
  call @touch(%b) : (memref<4xf32>) -> ()
  scf.if %p {
    memref.dealloc %m : memref<4xf32>
  }
  return
}

func.func @chosen(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  func.call @sink(%s) : (memref<4xf32>) -> ()
  return
}

func.func @crossed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %c = func.call @cond() : () -> i1
    %m = memref.alloc() : memref<4xf32>
    %s:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
      scf.yield %x, %m : memref<4xf32>, memref<4xf32>
    } else {
      scf.yield %m, %y : memref<4xf32>, memref<4xf32>
    }
    scf.yield %s#0, %s#1 : memref<4xf32>, memref<4xf32>
  }
  return
}

func.func @while_two(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.while (%x = %a, %y = %a) : (memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
    %0 = func.call @cond() : () -> i1
    scf.condition(%0) %x, %y : memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %x, %b : memref<?xf32>, memref<?xf32>
  }
  return
}

func.func @for_two(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (memref<4xf32>, memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %x, %b : memref<4xf32>, memref<4xf32>
  }
  return
}
