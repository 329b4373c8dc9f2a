// Arguments that are one buffer: what the function does to both is told at the call, where its own text knows no better.

// ---- a function that may be called from elsewhere

func.func @both(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  memref.dealloc %b : memref<4xf32>  // expected-warning [argument-free] {{%b}}
  return
}

func.func @passed_twice() {
  %x = memref.alloc() : memref<4xf32>
  // expected-error @below [double-free] {{the call frees the buffer of %x twice}}
  call @both(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @passed_two() {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  call @both(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Freed before, both are freed again; that says it all.
func.func @freed_before() {
  %x = memref.alloc() : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  // expected-error @below [double-free] {{the buffer of %x is freed a second time}}
  call @both(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @perhaps_one(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%y}}
  %z = arith.select %c, %x, %y : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the call frees the buffer of %x twice on some path}}
  call @both(%x, %z) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @around(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%y}}
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%m = %y) -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  }
  // expected-warning @below [possible-double-free] {{the call frees the buffer of %x twice on some path}}
  call @both(%x, %z) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// ---- views

func.func @both_sized(%a: memref<4xf32>, %b: memref<?xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  memref.dealloc %b : memref<?xf32>  // expected-warning [argument-free] {{%b}}
  return
}

func.func @a_cast() {
  %x = memref.alloc() : memref<4xf32>
  %v = memref.cast %x : memref<4xf32> to memref<?xf32>
  // expected-error @below [double-free] {{the call frees the buffer of %x twice}}
  call @both_sized(%x, %v) : (memref<4xf32>, memref<?xf32>) -> ()
  return
}

func.func @a_part(%n: index) {
  %x = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<4xf32> to memref<?xf32>
  // expected-error @below [double-free] {{the call frees the buffer of %x twice}}
  call @both_sized(%x, %v) : (memref<4xf32>, memref<?xf32>) -> ()
  return
}

// ---- used after it was freed

func.func @last_look(%a: memref<4xf32>, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  %v = memref.load %b[%c0] : memref<4xf32>
  return %v : f32
}

func.func @looked_at(%f: f32) -> f32 {
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<4xf32>)
  // expected-error @below [use-after-free] {{the call uses the buffer of %x after it has freed it}}
  %r = call @last_look(%x, %x) : (memref<4xf32>, memref<4xf32>) -> f32
  return %r : f32
}

// What it gives back is gone, and no more is wrong with that than that it is freed again.
func.func @gives(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  return %b : memref<4xf32>  // expected-remark [borrowed-return] {{%b}}
}

func.func @given() {
  %x = memref.alloc() : memref<4xf32>
  %y = call @gives(%x, %x) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.dealloc %y : memref<4xf32>  // expected-error [double-free] {{%y}}
  return
}

// ---- on some path

func.func @perhaps_both(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  scf.if %c {
    memref.dealloc %b : memref<4xf32>  // expected-warning [argument-free] {{%b}}
  }
  return
}

func.func @some(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  // expected-warning @below [possible-double-free] {{twice on some path}}
  call @perhaps_both(%c, %x, %x) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @this_one() {
  %true = arith.constant true
  %x = memref.alloc() : memref<4xf32>
  // expected-error @below [double-free] {{twice}}
  call @perhaps_both(%true, %x, %x) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @not_this_one() {
  %false = arith.constant false
  %x = memref.alloc() : memref<4xf32>
  call @perhaps_both(%false, %x, %x) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// ---- through other functions

func.func @hands_on(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-warning @below [argument-free] {{%a}} expected-warning @below [argument-free] {{%b}}
  call @both(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @far() {
  %x = memref.alloc() : memref<4xf32>
  // expected-error @below [double-free] {{the call frees the buffer of %x twice}}
  call @hands_on(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Which is which changes in each round of the recursion.
func.func @swaps(%n: index, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  scf.if %last {
    memref.dealloc %b : memref<4xf32>  // expected-warning [argument-free] {{%b}}
    memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  } else {
    %less = arith.subi %n, %c1 : index
    // expected-warning @below [argument-free] {{%a}} expected-warning @below [argument-free] {{%b}}
    func.call @swaps(%less, %b, %a) : (index, memref<4xf32>, memref<4xf32>) -> ()
  }
  return
}

func.func @swapped(%n: index) {
  %x = memref.alloc() : memref<4xf32>
  // expected-error @below [double-free] {{twice}}
  call @swaps(%n, %x, %x) : (index, memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @swapped_two(%n: index) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  call @swaps(%n, %x, %y) : (index, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// ---- a function that is wrong whatever it is passed: told there

func.func @wrong(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}}
  memref.dealloc %a : memref<4xf32>  // expected-warning [argument-free] {{%a}} expected-error [double-free] {{%a}}
  return
}

func.func @not_ours() {
  %x = memref.alloc() : memref<4xf32>
  call @wrong(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// ---- private functions are followed as they are called, as far as the text of the caller says which names are one

func.func private @own(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-remark [argument-free] {{%a}}
  // expected-remark @below [argument-free] {{%b}} expected-error @below [double-free] {{the buffer of %b}}
  memref.dealloc %b : memref<4xf32>
  return
}

func.func @calls_own() {
  %x = memref.alloc() : memref<4xf32>
  call @own(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func private @own_perhaps(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-remark [argument-free] {{%a}}
  memref.dealloc %b : memref<4xf32>  // expected-remark [argument-free] {{%b}}
  return
}

func.func @calls_own_perhaps(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%y}}
  %z = arith.select %c, %x, %y : memref<4xf32>
  // expected-warning @below [possible-double-free] {{the call frees the buffer of %x twice on some path}}
  call @own_perhaps(%x, %z) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func private @own_inner(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>  // expected-remark [argument-free] {{%a}}
  memref.dealloc %b : memref<4xf32>  // expected-remark [argument-free] {{%b}}
  return
}

func.func private @own_outer(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%a}} expected-error @below [double-free] {{frees the buffer of %a twice}}
  call @own_inner(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

func.func @calls_own_outer() {
  %x = memref.alloc() : memref<4xf32>
  call @own_outer(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Called in many ways, which differ in numbers.
func.func private @own_numbered(%n: index, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c4 = arith.constant 4 : index
  %small = arith.cmpi ult, %n, %c4 : index
  scf.if %small {
    memref.dealloc %a : memref<4xf32>  // expected-remark [argument-free] {{%a}}
    // expected-remark @below [argument-free] {{%b}} expected-error @below [double-free] {{the buffer of %b}}
    memref.dealloc %b : memref<4xf32>
  } else {
    memref.dealloc %b : memref<4xf32>  // expected-remark [argument-free] {{%b}}
  }
  return
}

func.func @calls_own_numbered() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %x0 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c0, %x0, %x0) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x1 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c1, %x1, %x1) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x2 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c2, %x2, %x2) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x3 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c3, %x3, %x3) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x4 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c4, %x4, %x4) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x5 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c5, %x5, %x5) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x6 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c6, %x6, %x6) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x7 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c7, %x7, %x7) : (index, memref<4xf32>, memref<4xf32>) -> ()
  %x8 = memref.alloc() : memref<4xf32>
  call @own_numbered(%c8, %x8, %x8) : (index, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// ---- pointers

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @frees_both(%a: !llvm.ptr, %b: !llvm.ptr) {
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-remark [argument-free] {{%a}}
  llvm.call @free(%b) : (!llvm.ptr) -> ()  // expected-remark [argument-free] {{%b}}
  llvm.return
}

llvm.func @pointed_to_twice(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-error @below [double-free] {{the call frees the buffer of %p twice}}
  llvm.call @frees_both(%p, %p) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// ---- a function that passes one buffer twice to itself: told there, though the call's answer rests on itself

func.func @again(%c: i1, %n: index, %x: memref<8xi64>, %y: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c0] : memref<8xi64>
  scf.if %c {
    memref.dealloc %y : memref<8xi64>  // expected-warning [argument-free] {{%y}}
  } else {
    memref.dealloc %y : memref<8xi64>  // expected-warning [argument-free] {{%y}}
  }
  %more = arith.cmpi ne, %n, %c0 : index
  scf.if %more {
    %less = arith.subi %n, %c1 : index
    // expected-warning @+3 [argument-free] {{%x}}
    // expected-warning @+2 [possible-use-after-free] {{%x is used after its buffer was freed}}
    // expected-warning @below [possible-double-free] {{%x is freed a second time}}
    func.call @again(%c, %less, %x, %x) : (i1, index, memref<8xi64>, memref<8xi64>) -> ()
  }
  return
}
