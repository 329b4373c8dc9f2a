// config: ignore=["late-free"]
// A loop of blocks is in a round only if its first one began: what its header asked of what control came in with holds.

// Freed where the loop has no round, and behind it where it had some.
func.func @freed_where_there_is_none(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %some = arith.cmpi slt, %c0, %n : index
  cf.cond_br %some, ^head(%c0 : index), ^none
^none:
  memref.dealloc %a : memref<4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^round, ^behind
^round:
  memref.store %x, %a[%c0] : memref<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^behind:
  cf.cond_br %some, ^free, ^end
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}

// The same from a number that is not known, asked the other way round, and out of the loop where that holds.
func.func @from_any_number(%m: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %none = arith.cmpi sge, %m, %n : index
  cf.cond_br %none, ^early, ^enter
^early:
  memref.dealloc %a : memref<4xf32>
  cf.br ^enter
^enter:
  cf.br ^head(%m : index)
^head(%i: index):
  %done = arith.cmpi sge, %i, %n : index
  cf.cond_br %done, ^behind, ^round
^round:
  memref.store %x, %a[%c0] : memref<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^behind:
  cf.cond_br %none, ^end, ^free
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}

// Each round of the second loop comes behind one of the first: that is certain.
func.func @freed_in_a_loop_before(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  cf.br ^one(%c0 : index)
^one(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^free, ^between
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^between
^between:
  cf.br ^two(%c0 : index)
^two(%j: index):
  %again = arith.cmpi slt, %j, %n : index
  cf.cond_br %again, ^use, ^end
^use:
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  memref.store %x, %a[%c0] : memref<4xf32>
  %next = arith.addi %j, %c1 : index
  cf.br ^two(%next : index)
^end:
  return
}

// A header that is entered with either of two numbers: nothing of the first round is known.
func.func @entered_with_either(%c: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %some = arith.cmpi slt, %c0, %n : index
  cf.cond_br %some, ^enter, ^none
^none:
  memref.dealloc %a : memref<4xf32>
  cf.br ^enter
^enter:
  cf.cond_br %c, ^head(%c0 : index), ^other
^other:
  %less = arith.constant -1 : index
  cf.br ^head(%less : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^round, ^behind
^round:
  // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
  memref.store %x, %a[%c0] : memref<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^behind:
  cf.cond_br %some, ^free, ^end
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}

// A header with two ways into the loop: a round begins by either of them.
func.func private @done() -> i1
func.func @two_ways_on(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %some = arith.cmpi slt, %n, %c0 : index
  cf.cond_br %some, ^head(%c0 : index), ^freed
^freed:
  memref.dealloc %a : memref<4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %n, %i : index
  cf.cond_br %more, ^use, ^on
^use:
  // expected-warning @below [possible-use-after-free] {{%a is used after its buffer was freed on some path}}
  memref.store %x, %a[%c0] : memref<4xf32>
  cf.br ^on
^on:
  %next = arith.addi %i, %c1 : index
  %done = func.call @done() : () -> i1
  cf.cond_br %done, ^behind, ^head(%next : index)
^behind:
  cf.cond_br %some, ^free, ^end
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return
}

// What else asks whether there is a round asks it once.
func.func @freed_where_there_are_some(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %some = arith.cmpi slt, %c0, %n : index
  cf.cond_br %some, ^free, ^enter
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^enter
^enter:
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^round, ^end
^round:
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  memref.store %x, %a[%c0] : memref<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}

// The outer loop has one round, in which its counter is zero; so the inner one, which counts up to that, has none. What
// is in there never runs.
func.func @no_round_in_the_only_one() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^outer(%zero : index)
^outer(%k: index):
  %more = arith.cmpi slt, %k, %one : index
  cf.cond_br %more, ^round(%k : index), ^end
^round(%l: index):
  cf.br ^inner(%zero : index)
^inner(%i: index):
  %again = arith.cmpi slt, %i, %l : index
  cf.cond_br %again, ^read, ^next
^read:
  %v = memref.load %a[%i] : memref<4xf32>
  %j = arith.addi %i, %one : index
  cf.br ^inner(%j : index)
^next:
  %m = arith.addi %l, %one : index
  cf.br ^outer(%m : index)
^end:
  return
}

// Of two rounds the second has one.
func.func @one_round_in_the_second(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %x = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^outer(%zero : index)
^outer(%k: index):
  %more = arith.cmpi slt, %k, %two : index
  cf.cond_br %more, ^round(%k : index), ^end
^round(%l: index):
  cf.br ^inner(%zero : index)
^inner(%i: index):
  %again = arith.cmpi slt, %i, %l : index
  cf.cond_br %again, ^read, ^next
^read:
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  %v = memref.load %a[%i] : memref<4xf32>
  %j = arith.addi %i, %one : index
  cf.br ^inner(%j : index)
^next:
  %m = arith.addi %l, %one : index
  cf.br ^outer(%m : index)
^end:
  return
}

// A loop that has no round begins with another one.
func.func @an_inner_loop_at_once(%from: memref<8xf32>, %to: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^outer(%one : index)
^outer(%k: index):
  %more = arith.cmpi slt, %k, %one : index
  cf.cond_br %more, ^inner(%zero : index), ^end
^inner(%i: index):
  %again = arith.cmpi slt, %i, %four : index
  cf.cond_br %again, ^round, ^read
^round:
  %j = arith.addi %i, %one : index
  cf.br ^inner(%j : index)
^read:
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %l = arith.addi %k, %one : index
  cf.br ^outer(%l : index)
^end:
  return
}

// Every caller gives a number with which the loop has no round.
func.func private @of_every_caller(%from: memref<8xf32>, %to: memref<8xf32>, %n: index) {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^loop(%one : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^read, ^end
^read:
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %one : index
  cf.br ^loop(%j : index)
^end:
  return
}

// The same with a loop inside that does nothing: what follows on that is the next to happen in a round.
func.func private @with_one_inside(%from: memref<8xf32>, %to: memref<8xf32>, %n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^outer(%zero : index)
^outer(%k: index):
  %again = arith.cmpi slt, %k, %n : index
  cf.cond_br %again, ^round, ^end
^round:
  cf.br ^loop(%one : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^fill(%zero : index), ^next
^fill(%f: index):
  %some = arith.cmpi slt, %f, %n : index
  cf.cond_br %some, ^store, ^read
^store:
  memref.store %x, %to[%f] : memref<8xf32>
  %g = arith.addi %f, %one : index
  cf.br ^fill(%g : index)
^read:
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %one : index
  cf.br ^loop(%j : index)
^next:
  %l = arith.addi %k, %one : index
  cf.br ^outer(%l : index)
^end:
  return
}

// Some caller gives another one.
func.func private @of_some_caller(%from: memref<8xf32>, %to: memref<8xf32>, %n: index) {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^loop(%one : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^read, ^end
^read:
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %one : index
  cf.br ^loop(%j : index)
^end:
  return
}

func.func @caller(%from: memref<8xf32>, %to: memref<8xf32>, %x: f32) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  call @of_every_caller(%from, %to, %one) : (memref<8xf32>, memref<8xf32>, index) -> ()
  call @with_one_inside(%from, %to, %one, %x) : (memref<8xf32>, memref<8xf32>, index, f32) -> ()
  call @of_some_caller(%from, %to, %one) : (memref<8xf32>, memref<8xf32>, index) -> ()
  call @of_some_caller(%from, %to, %two) : (memref<8xf32>, memref<8xf32>, index) -> ()
  return
}

// A loop that is left behind its second round counts up to one: a loop from one up to that has no round.
func.func @up_to_what_another_counts(%from: memref<8xf32>, %to: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^outer(%zero : index)
^outer(%k: index):
  cf.br ^loop(%one : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %k : index
  cf.cond_br %more, ^read, ^next
^read:
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %one : index
  cf.br ^loop(%j : index)
^next:
  %again = arith.cmpi slt, %k, %one : index
  cf.cond_br %again, ^round(%k : index), ^end
^round(%m: index):
  %l = arith.addi %m, %one : index
  cf.br ^outer(%l : index)
^end:
  return
}

// It is left behind its third round.
func.func @up_to_two(%from: memref<8xf32>, %to: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %from, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^outer(%zero : index)
^outer(%k: index):
  cf.br ^loop(%one : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %k : index
  cf.cond_br %more, ^read, ^next
^read:
  // expected-error @below [use-after-free] {{%a is used after its buffer was freed}}
  memref.copy %a, %to : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %one : index
  cf.br ^loop(%j : index)
^next:
  %again = arith.cmpi slt, %k, %two : index
  cf.cond_br %again, ^round(%k : index), ^end
^round(%m: index):
  %l = arith.addi %m, %one : index
  cf.br ^outer(%l : index)
^end:
  return
}
