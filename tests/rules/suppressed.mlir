// Comments that silence findings, and what is said about those that do not.

func.func @behind(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak] the runtime frees it
  %b = memref.alloc() : memref<4xf32>  // memlane: ignore[ALL]
  %c = memref.alloc() : memref<4xf32>  // memlane: ignore[le*]
  %d = memref.alloc() : memref<4xf32>  // some words // memlane: ignore[leak] // more words
  // expected-warning @below [leak] {{%e of 16 bytes}}
  %e = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  memref.store %x, %d[%i] : memref<4xf32>
  memref.store %x, %e[%i] : memref<4xf32>
  return
}

// A statement of several lines is one, from its first line and from its last.
func.func @statements(%x: f32, %i: index) {
  // memlane: ignore[leak]
  // These words stand between.

  %a =
      memref.alloc()
      : memref<4xf32>
  %b = memref.alloc()
      : memref<4xf32>  // memlane: ignore[leak]
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  return
}

// What is in a string says nothing, and a comment on a loop is not about what is in it.
func.func @reach(%x: f32, %i: index, %n: index, %c1: index) {
  // expected-warning @below [leak] {{%a of}}
  %a = memref.alloc() {note = "// memlane: ignore[leak]"} : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  // expected-remark @below [unused-suppression] {{leak finds nothing here}}
  // memlane: ignore[leak]
  scf.for %j = %i to %n step %c1 {
    // expected-warning @below [leak] {{%b of}}
    %b = memref.alloc() : memref<4xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// memlane: off[leak] from here
func.func @range(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  // memlane: on[leak]
  // expected-warning @below [leak] {{%b of}}
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  // expected-remark @below [unused-suppression] {{nothing is off here}}
  // memlane: on
  return
}

func.func @wrong(%x: f32, %i: index) {
  // expected-warning @below [unused-suppression] {{unknown rule leek; did you mean leak?}}
  // memlane: ignore[leek]
  // expected-warning @below [unused-suppression] {{it names no rule}}
  // memlane: ignore
  // expected-warning @below [unused-suppression] {{did you mean `ignore-file`?}}
  // memlane: ignore-fle[leak]
  // expected-warning @below [unused-suppression] {{`]` is missing}}
  // memlane: ignore[leak
  // memlane: assume %n = 1024
  // memlane: these are words
  // expected-warning @below [leak] {{%a of}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}

// expected-remark @below [unused-suppression] {{double-free finds nothing here}}
// memlane: ignore[leak, double-free]
func.func @several(%x: f32, %i: index) {
  // expected-remark @below [unused-suppression] {{double-free finds nothing here}}
  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[double-free, leak]
  memref.store %x, %a[%i] : memref<4xf32>
  // Off by default, so nobody asks whether it is needed; and one that is kept on purpose.
  %b = memref.alloc() : memref<4xf32>  // memlane: ignore[leak, unused-suppression, double-free]
  memref.store %x, %b[%i] : memref<4xf32>
  return
}

// -----

// A comment does not reach beyond its chunk.
// expected-remark @below [unused-suppression] {{leak finds nothing here}}
// memlane: ignore[leak]

// -----

func.func @next(%x: f32, %i: index) {
  // expected-warning @below [leak] {{%a of}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
