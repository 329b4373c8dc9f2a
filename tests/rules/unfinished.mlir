// A branch to a block that is not written yet: what lies there nobody knows, so nothing is certain on that path.

func.func @not_written_yet(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  // expected-warning @below [possible-use-after-free] {{%a}}
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-error @below [undefined-block] {{'^next'}}
  cf.br ^next
}

func.func @one_of_two(%c: i1, %d: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  // expected-error @below [undefined-block] {{'^next'}}
  cf.cond_br %d, ^next, ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @half_a_branch(%c: i1, %d: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  cf.cond_br %d, ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @certain_before(%i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  // expected-error @below [use-after-free] {{%a}}
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-error @below [undefined-block] {{'^next'}}
  cf.br ^next
}

// The name of a block that is being typed ends the block before it.
func.func @half_a_label(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  // expected-error @below [undefined-block] {{'^else'}}
  cf.cond_br %c, ^then, ^else
^then:
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  cf.br ^join
// expected-error @below [syntax] {{expected ':' behind the name of a block}}
^el
  memref.dealloc %a : memref<4xi64>
  cf.br ^join
^join:
  return
}

// What stands before a brace that nothing opens is under the condition that lacks it.
func.func @half_a_condition(%c: i1) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<4xi64>
  // expected-error @below [syntax] {{expected '{'}}
  scf.if %c
    memref.dealloc %a : memref<4xi64>
  }
  scf.if %not {
    memref.dealloc %a : memref<4xi64>
  }
  return
}

// A constant that does not read as a number decides nothing for certain.
func.func @half_a_constant(%c: i1) {
  // expected-error @below [syntax] {{unknown keyword 'tru'}}
  %true = arith.constant tru
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    memref.dealloc %a : memref<4xi64>
    scf.if %not {
      // expected-warning @below [possible-double-free] {{%a}}
      memref.dealloc %a : memref<4xi64>
    }
  } else {
    memref.dealloc %a : memref<4xi64>
  }
  return
}

// A block whose name is not there yet at all: nothing leads to it.
func.func @no_label(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  // expected-error @below [undefined-block] {{'^else'}}
  cf.cond_br %c, ^then, ^else
^then:
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  // expected-error @below [syntax] {{must be the last operation of its block}}
  cf.br ^join

  memref.dealloc %a : memref<4xi64>
  cf.br ^join
^join:
  return
}

// What stands behind an exit is never executed.
func.func @exit_amid(%i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  // expected-error @below [syntax] {{'return' must be the last operation of its block: what follows is never executed}}
  return
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @freed_behind_the_exit(%i: index, %v: i64) {
  // expected-warning @below [leak] {{buffer %a of 32 bytes is never freed}}
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-error @below [syntax] {{must be the last operation of its block}}
  return
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @end_of_a_region_amid(%c: i1) {
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    memref.dealloc %a : memref<4xi64>
    // expected-error @below [syntax] {{'scf.yield' must be the last operation of its block}}
    scf.yield
    memref.dealloc %a : memref<4xi64>
  }
  return
}

// The same where several buffers are followed: what lies behind the name nobody knows.
func.func @no_label_for_two(%c: i1, %d: i1) {
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xi64>
  // expected-error @below [undefined-block] {{'^gone'}}
  cf.cond_br %c, ^gone, ^then
^then:
  // expected-warning @below [possible-leak] {{buffer %b of 32 bytes is not freed on some path}}
  %b = memref.alloc() : memref<4xi64>
  cf.cond_br %d, ^free, ^join
^free:
  memref.dealloc %b : memref<4xi64>
  cf.br ^join
^join:
  return
}

// Behind the last block that names it, too.
func.func @no_label_behind(%c: i1, %d: i1) {
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xi64>
  cf.br ^next
^next:
  // expected-error @below [undefined-block] {{'^gone'}}
  cf.cond_br %c, ^gone, ^then
^then:
  // expected-warning @below [possible-leak] {{buffer %b of 32 bytes is not freed on some path}}
  %b = memref.alloc() : memref<4xi64>
  cf.cond_br %d, ^free, ^join
^free:
  memref.dealloc %b : memref<4xi64>
  cf.br ^join
^join:
  return
}

func.func private @get() -> memref<4xi64>

// What a call gives has no type yet: it may be a number.
func.func @types_to_come() {
  %a = call @get() : () ->
  %b = call @get()
  return
}

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// What is taken out has no name yet.
llvm.func @not_named_yet(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %none = llvm.mlir.undef : !llvm.struct<(ptr, ptr)>
  %one = llvm.insertvalue %a, %none[0] : !llvm.struct<(ptr, ptr)>
  llvm.insertvalue %a, %one[1] : !llvm.struct<(ptr, ptr)>
  llvm.extractvalue %one[0] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// One of two is not written: which of them nobody knows.
func.func @perhaps_the_other(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  cf.cond_br %c, ^bb1
^bb1:
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

// Where the block is that is not written yet nobody knows: behind the first deallocation, perhaps.
func.func @perhaps_between(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  // expected-error @below [undefined-block] {{'^next'}}
  cf.cond_br %c, ^exit, ^next
^exit:
  memref.dealloc %a : memref<4xi64>
  // expected-warning @below [possible-use-after-free] {{%a}}
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

// A brace behind an operation that has its region already is not that of another one.
func.func @brace_behind(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    memref.store %v, %a[%i] : memref<4xi64>
  }
  // expected-error @below [syntax] {{expected an operation before '{'}}
  {
    memref.store %v, %a[%i] : memref<4xi64>
  }
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @name_behind(%c: i1, %i: index, %v: i64) {
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    memref.dealloc %a : memref<4xi64>
  }
  // expected-error @+2 [undefined-value] {{'%p' is not defined}}
  // expected-error @below [syntax] {{expected an operation before '{'}}
  %p {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xi64>
  }
  return
}

// Another way through a region may not be written yet.
func.func @way_through_a_region(%c: i1, %a: memref<4xi64>) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  scf.execute_region {
    // expected-error @below {{'^other' is not defined}}
    cf.cond_br %c, ^one, ^other
  ^one:
    memref.dealloc %b : memref<4xi64>
    scf.yield
  }
  // expected-warning @below [possible-double-free] {{%b}}
  memref.dealloc %b : memref<4xi64>
  return
}

// What stands before a deallocation is a use perhaps, as long as it is not told of what.
func.func private @sink(memref<4xi64>)

func.func @a_use_that_is_begun(%a: memref<4xi64>, %i: index, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  // expected-error @below [syntax] {{unknown operation 'mem'}}
  mem
  memref.dealloc %b : memref<4xi64>
  %c = memref.alloc() : memref<4xi64>
  memref.copy %a, %c : memref<4xi64> to memref<4xi64>
  memref.load
  memref.dealloc %c : memref<4xi64>
  %d = memref.alloc() : memref<4xi64>
  memref.copy %a, %d : memref<4xi64> to memref<4xi64>
  // expected-error @below [syntax] {{'(' is not closed}}
  linalg.fill ins(%v : i64) outs(
  memref.dealloc %d : memref<4xi64>
  %e = memref.alloc() : memref<4xi64>
  memref.copy %a, %e : memref<4xi64> to memref<4xi64>
  call @sink()
  memref.dealloc %e : memref<4xi64>
  %first = memref.alloc() : memref<4xi64>
  memref.copy %a, %first : memref<4xi64> to memref<4xi64>
  scf.for %j = %i to %i step %i {
    // expected-error @below [undefined-value] {{%fir}}
    memref.store %v, %fir
  }
  memref.dealloc %first : memref<4xi64>
  return
}

// What is said at once of an operation that is whole.
func.func @no_use(%a: memref<4xi64>, %i: index, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-warning @below [late-free] {{1 operation}}
  memref.dealloc %b : memref<4xi64>
  // expected-error @below [syntax] {{unknown operation 'mem'}}
  mem
  %c = memref.alloc() : memref<4xi64>
  memref.copy %a, %c : memref<4xi64> to memref<4xi64>
  gpu.barrier
  // expected-warning @below [late-free] {{1 operation}}
  memref.dealloc %c : memref<4xi64>
  return
}

// What a body reads is told by its arguments, once they are there.
func.func @a_body_that_is_begun(%a: memref<4xi64>, %i: index) {
  %b = memref.alloc() : memref<4xi64>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<4xi64>) outs(%b : memref<4xi64>) {
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<4xi64>) outs(%b : memref<4xi64>) {
  // expected-error @below [syntax] {{expected ':' behind the name of a block}}
  ^bb0(%in: i64)
  }
  memref.copy %b, %a : memref<4xi64> to memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  return
}

// A name may go on as long as nothing stands behind it: %b on the way to %b_0.
func.func @a_name_that_may_go_on(%a: memref<4xi64>, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  // expected-warning @below [leak] {{%b_0}}
  %b_0 = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  memref.copy %a, %b_0 : memref<4xi64> to memref<4xi64>
  memref.dealloc %b
  linalg.fill ins(%v : i64) outs(%b)
  memref.copy %b, %a : memref<4xi64> to memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  memref.dealloc %b
  memref.store %v, %b
  %c = memref.cast %b
  linalg.fill ins(%v : i64) outs(%b)
  // expected-error @+2 [syntax] {{expected a type}}
  // expected-error @below [double-free] {{%b}}
  memref.dealloc %b :
  return
}

// The same where it is passed to a function, or handed on to the next round: %b on the way to %b_0.
func.func private @take(%m: memref<4xi64>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xi64>
  return
}

func.func @a_name_that_is_passed(%a: memref<4xi64>, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  // expected-warning @below [leak] {{%b_0}}
  %b_0 = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  memref.copy %a, %b_0 : memref<4xi64> to memref<4xi64>
  call @take(%b)
  memref.copy %b, %a : memref<4xi64> to memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  call @take(%b)
  // expected-error @below [double-free] {{%b}}
  call @take(%b) : (memref<4xi64>) -> ()
  return
}

func.func @a_name_that_is_handed_on(%a: memref<4xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %b) -> (memref<4xi64>) {
    // expected-warning @below [leak] {{%b_0}}
    %b_0 = memref.alloc() : memref<4xi64>
    memref.copy %c, %b_0 : memref<4xi64> to memref<4xi64>
    memref.dealloc %c : memref<4xi64>
    scf.yield %b
  }
  memref.copy %r, %a : memref<4xi64> to memref<4xi64>
  memref.dealloc %r : memref<4xi64>
  return
}

// Whatever is written between other work and the last use, there is that work, too.
func.func @late_all_the_same(%a: memref<4xi64>, %i: index, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  // expected-error @below [syntax] {{unknown operation 'mem'}}
  mem
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-warning @below [late-free] {{%b}}
  memref.dealloc %b : memref<4xi64>
  %c = memref.alloc() : memref<4xi64>
  memref.copy %a, %c : memref<4xi64> to memref<4xi64>
  // expected-error @below [syntax] {{expected an operation}}
  %d =
  memref.copy %d, %a : memref<4xi64> to memref<4xi64>
  memref.dealloc %c : memref<4xi64>
  return
}

// What only frees uses nothing, whichever buffer it is that it frees.
func.func @freed_before(%a: memref<4xi64>, %i: index, %v: i64) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc
  // expected-warning @below [late-free] {{%b}}
  memref.dealloc %b : memref<4xi64>
  return
}

// A name that is given to nothing yet is not of an operation that never gives anything, nor is that in its region.
func.func @a_result_that_is_begun(%a: memref<4xi64>, %n: index) {
  %b = memref.alloc() : memref<4xi64>
  memref.copy %a, %b : memref<4xi64> to memref<4xi64>
  // expected-error @below [syntax] {{not closed}}
  affine.for %i = 0 to 4 {
    // expected-error @below [syntax] {{expected an operation}}
    %c =
  memref.dealloc %b : memref<4xi64>
  return
}

// An operation that ends a region is no type of the one before, nor is a call whose result has a name in its brackets.
func.func @a_type_that_is_to_come(%a: memref<4xi64>, %i: index, %v: i64) {
  %t = async.execute {
    // expected-error @below [syntax] {{expected a type}}
    memref.store %v, %a[%i] :
    async.yield
  }
  async.await %t : !async.token
  return
}

func.func private @flag() -> i1

func.func @a_bracket_that_is_open(%a: memref<4xi64>, %i: index, %v: i64) {
  // expected-error @below [syntax] {{not closed}}
  scf.for %j = %i to %i step %i {
    // expected-error @below [syntax] {{'[' is not closed}}
    %b = memref.load %a[
  %c = call @flag() : () -> i1
  scf.if %c {
    memref.store %v, %a[%i] : memref<4xi64>
  }
  return
}
