// What a function without a body gives may be what it was passed, also behind functions that only call it: to free it
// once more would be wrong then.

func.func private @make(memref<8xi64>) -> memref<8xi64>

func.func private @wrapper(%a: memref<8xi64>) -> memref<8xi64> {
  %r = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}

func.func private @outer(%a: memref<8xi64>) -> memref<8xi64> {
  %r = func.call @wrapper(%a) : (memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}

func.func private @remake(%a: memref<8xi64>) {
  %r = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %r : memref<8xi64>
  return
}

func.func private @remake_outer(%a: memref<8xi64>) {
  %r = func.call @outer(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %r : memref<8xi64>
  return
}

func.func private @remake_twice(%a: memref<8xi64>) {
  func.call @remake_outer(%a) : (memref<8xi64>) -> ()
  return
}

func.func @of_the_caller(%x: memref<8xi64>) {
  %b = func.call @wrapper(%x) : (memref<8xi64>) -> memref<8xi64>
  return
}

func.func @freed_by_the_new_name() {
  %a = memref.alloc() : memref<8xi64>
  %b = func.call @outer(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  return
}

func.func @handed_to_the_caller() -> memref<8xi64> {
  %a = memref.alloc() : memref<8xi64>
  %b = func.call @wrapper(%a) : (memref<8xi64>) -> memref<8xi64>
  return %b : memref<8xi64>
}

func.func @freed_inside() {
  %a = memref.alloc() : memref<8xi64>
  func.call @remake(%a) : (memref<8xi64>) -> ()
  return
}

func.func @freed_further_inside() {
  %a = memref.alloc() : memref<8xi64>
  func.call @remake_twice(%a) : (memref<8xi64>) -> ()
  return
}

func.func private @drop(%a: memref<8xi64>) {
  memref.dealloc %a : memref<8xi64>
  return
}

func.func @freed_by_a_function() {
  %a = memref.alloc() : memref<8xi64>
  %b = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  func.call @drop(%b) : (memref<8xi64>) -> ()
  return
}

func.func private @remake_by_a_function(%a: memref<8xi64>) {
  %r = func.call @wrapper(%a) : (memref<8xi64>) -> memref<8xi64>
  func.call @drop(%r) : (memref<8xi64>) -> ()
  return
}

func.func @freed_inside_by_a_function() {
  %a = memref.alloc() : memref<8xi64>
  func.call @remake_by_a_function(%a) : (memref<8xi64>) -> ()
  return
}

func.func private @new() -> memref<8xi64> {
  %a = memref.alloc() : memref<8xi64>
  return %a : memref<8xi64>
}

func.func @made_by_a_function() {
  %a = func.call @new() : () -> memref<8xi64>
  %b = func.call @make(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  return
}
