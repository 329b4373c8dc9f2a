// Buffers that are freed late, over blocks and regions: freed where they die.

func.func @next_block(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  cf.br ^next
^next:
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^last
^last:
  return
}

// On the way past the work that needs it, it is not needed from where the ways part.
func.func @one_way_needs_it(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^needs, ^does_not
^needs:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^does_not:
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  return
}

// It is freed right after its last use on one of the ways: not always late.
func.func @in_time_on_one_way(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^needs, ^does_not
^needs:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^does_not:
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  memref.dealloc %a : memref<64xf32>
  return
}

func.func @at_the_start_of_each_branch(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^left, ^right
^left:
  memref.dealloc %a : memref<64xf32>
  cf.br ^end
^right:
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  return
}

func.func @behind_a_loop_of_blocks(%in: memref<64xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  return
}

// Each round has a buffer of its own; what another loop does behind its last use is more than one round.
func.func @in_a_loop_of_blocks(%in: memref<64xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  cf.br ^latch
^latch:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
  return
}

func.func @switch(%in: memref<64xf32>, %out: memref<64xf32>, %k: i32) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.switch %k : i32, [
    default: ^other,
    1: ^one,
    2: ^two
  ]
^one:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^two:
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^other:
  memref.dealloc %a : memref<64xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64xf32>)
  cf.br ^end
^end:
  return
}

// On a way that leads from several blocks to several others only a block of its own will do.
func.func @critical_edge(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1, %d: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^first, ^free1
^free1:
  memref.dealloc %a : memref<64xf32>
  cf.br ^meet
^first:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^meet
^meet:
  memref.copy %out, %in : memref<64xf32> to memref<64xf32>
  return
}

// Freed in either of two branches behind its last use: one deallocation is enough.
func.func @in_both_branches(%p: i1, %x: f32) {
  %out = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%out : memref<16xf32>)
  memref.dealloc %out : memref<16xf32>
  %stage = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%stage : memref<16xf32>)
  memref.dealloc %stage : memref<16xf32>
  %true = arith.constant true
  %not = arith.xori %p, %true : i1
  return
}

// Of what is handed over what receives it is freed, or where it is needed no more what it is made of.
func.func @handed_over(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.br ^meet(%a : memref<64xf32>)
^right:
  %b = memref.alloc() : memref<64xf32>
  memref.copy %out, %b : memref<64xf32> to memref<64xf32>
  cf.br ^meet(%b : memref<64xf32>)
^meet(%m: memref<64xf32>):
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %m : memref<64xf32>
  cf.br ^work
^work:
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  return
}

func.func @handed_over_for_nothing(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %m = scf.if %c -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    memref.dealloc %a : memref<64xf32>
    memref.copy %in, %out : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %out, %b : memref<64xf32> to memref<64xf32>
    memref.dealloc %b : memref<64xf32>
    memref.copy %in, %out : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  return
}

// One buffer in each round, handed to the next one, which frees it behind work of its own.
func.func @carried(%in: memref<64xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<64xf32>
  memref.copy %in, %first : memref<64xf32> to memref<64xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%held = %first) -> (memref<64xf32>) {
    %next = memref.alloc() : memref<64xf32>
    memref.copy %held, %next : memref<64xf32> to memref<64xf32>
    memref.dealloc %held : memref<64xf32>
    memref.copy %in, %out : memref<64xf32> to memref<64xf32>
    scf.yield %next : memref<64xf32>
  }
  memref.copy %last, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %last : memref<64xf32>
  return
}

// What may be somebody else's has to be freed where that is known.
func.func @perhaps_borrowed(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %m = scf.if %c -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %in : memref<64xf32>
  }
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  scf.if %c {
    memref.dealloc %m : memref<64xf32>
  }
  return
}
// The name under which it is freed is not there yet where it dies.
func.func @freed_under_another_name(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
