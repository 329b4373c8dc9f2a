// Types and attributes have names in a file: what these stand for is what counts.

#zero = affine_map<() -> (0)>
#four = affine_map<() -> (4)>
#near = 3 : i32
!element = f32
!buffer = memref<16x!element>
!local = memref<16xf32, #near>
!view = memref<?xf32, strided<[1], offset: ?>>

func.func @lost() {
  // expected-warning @below [leak] {{buffer %a of 64 bytes is never freed}}
  %a = memref.alloc() : !buffer
  // expected-warning @below [leak] {{buffer %b of 64 bytes is never freed}}
  %b = memref.alloc() : !local
  return
}

// An argument of such a type is a buffer of the caller.
func.func @freed(%a: !buffer) {
  // expected-warning @below [argument-free] {{%a}}
  memref.dealloc %a : !buffer
  return
}

// So is what an operation that nobody described gives back, or takes.
func.func @used_later(%i: index) -> f32 {
  %a = memref.alloc() : !buffer
  // expected-remark @below [unknown-effects] {{unknown operation own.part}}
  %v = "own.part"(%a) : (!buffer) -> !view
  memref.dealloc %a : !buffer
  // expected-warning @below [possible-use-after-free] {{%v is used after its buffer was freed on some path}}
  %x = memref.load %v[%i] : !view
  return %x : f32
}

func.func private @take(!buffer)

func.func @passed() {
  %a = memref.alloc() : !buffer
  call @take(%a) : (!buffer) -> ()
  memref.dealloc %a : !buffer
  return
}

// The generic form names maps: the loop runs, and what it does in each round happens.
func.func @rounds() {
  %a = memref.alloc() : !buffer
  "affine.for"() <{lowerBoundMap = #zero, upperBoundMap = #four, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
    memref.dealloc %a : !buffer
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
