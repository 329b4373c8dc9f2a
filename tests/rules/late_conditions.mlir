// config: ignore=["redundant-dealloc-check"]
// What ownership-based deallocation prints: all buffers of a block are freed at its end by one operation, each under a flag.
// A flag that is constantly true is no condition, and nothing is freed under one that is constantly false.

func.func @one_by_one(%x: f32, %out: memref<8xf32>) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  bufferization.dealloc (%a : memref<8xf32>) if (%true)  // expected-warning [late-free] {{%a of 32 bytes is held over 2 operations}}
  bufferization.dealloc (%b : memref<8xf32>) if (%true)
  return
}

// Each buffer of a list dies where it dies.
func.func @together(%x: f32, %out: memref<8xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%out : memref<8xf32>)
  %out_base, %0, %1, %2 = memref.extract_strided_metadata %out : memref<8xf32> -> memref<f32>, index, index, index
  %a_base, %3, %4, %5 = memref.extract_strided_metadata %a : memref<8xf32> -> memref<f32>, index, index, index
  %b_base, %6, %7, %8 = memref.extract_strided_metadata %b : memref<8xf32> -> memref<f32>, index, index, index
  // expected-warning @below [late-free] {{%b of 32 bytes is held over 3 operations}}
  bufferization.dealloc (%out_base, %a_base, %b_base : memref<f32>, memref<f32>, memref<f32>) if (%false, %true, %true)  // expected-warning [late-free] {{%a of 32 bytes is held over 5 operations}}
  return
}

// Nothing is freed, so that it leaks.
func.func @never(%x: f32) {
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>  // expected-warning [leak] {{%a}}
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  bufferization.dealloc (%a : memref<8xf32>) if (%false)
  return
}

func.func private @use(memref<8xf32>)
func.func private @flag() -> i1

// A deallocation under a flag keeps its flag, and can be moved up to where nothing names the buffer any more.
func.func @owned_or_lent(%x: f32, %out: memref<8xf32>, %p: i1) {
  %b:2 = scf.if %p -> (memref<8xf32>, i1) {
    %true = arith.constant true
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    scf.yield %a, %true : memref<8xf32>, i1
  } else {
    %false = arith.constant false
    scf.yield %out, %false : memref<8xf32>, i1
  }
  func.call @use(%b#0) : (memref<8xf32>) -> ()
  "test.work"(%x) : (f32) -> ()
  bufferization.dealloc (%b#0 : memref<8xf32>) if (%b#1)  // expected-warning [late-free] {{%a of 32 bytes is held over 1 operation after its last use}}
  return
}

// Not past a use of what it may be, nor past the operation that makes its flag.
func.func @in_time(%x: f32, %out: memref<8xf32>, %p: i1) {
  %true = arith.constant true
  %b:2 = scf.if %p -> (memref<8xf32>, i1) {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    scf.yield %a, %true : memref<8xf32>, i1
  } else {
    %false = arith.constant false
    scf.yield %out, %false : memref<8xf32>, i1
  }
  func.call @use(%b#0) : (memref<8xf32>) -> ()
  "test.work"(%x) : (f32) -> ()
  func.call @use(%out) : (memref<8xf32>) -> ()
  bufferization.dealloc (%b#0 : memref<8xf32>) if (%b#1)
  return
}

func.func @behind_its_flag(%x: f32) {
  %true = arith.constant true
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %p = func.call @flag() : () -> i1
  bufferization.dealloc (%a : memref<8xf32>) if (%p)
  return
}

// What is retained is another buffer, whose flag the operation gives: what it frees may be freed before.
func.func @beside_what_is_retained(%x: f32, %p: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  %own = bufferization.dealloc (%a : memref<8xf32>) if (%true) retain (%b : memref<8xf32>)  // expected-warning [late-free] {{%a of 32 bytes is held over 2 operations}}
  func.call @use(%b) : (memref<8xf32>) -> ()
  memref.dealloc %b : memref<8xf32>
  return
}

// What may be retained is not freed.
func.func @perhaps_retained(%x: f32, %p: i1, %out: memref<8xf32>) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %b = arith.select %p, %a, %out : memref<8xf32>
  "test.work"(%x) : (f32) -> ()
  %own = bufferization.dealloc (%a : memref<8xf32>) if (%true) retain (%b : memref<8xf32>)
  func.call @use(%b) : (memref<8xf32>) -> ()
  bufferization.dealloc (%b : memref<8xf32>) if (%own)
  return
}

// What is retained under its own name is not freed, whatever the flag.
func.func @retained(%x: f32) -> f32 {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>  // expected-warning [leak] {{%a}}
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %own = bufferization.dealloc (%a : memref<8xf32>) if (%true) retain (%a : memref<8xf32>)
  return %v : f32
}
