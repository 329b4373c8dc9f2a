// A number decides: a flag goes along to where the ways meet.
func.func @made_in_one_case(%i: i32, %x: memref<8xf32>) {
  %false = arith.constant false
  cf.switch %i : i32, [
    default: ^join(%x, %false : memref<8xf32>, i1),
    1: ^make,
    2: ^join(%x, %false : memref<8xf32>, i1)
  ]
^make:
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %true = arith.constant true
  cf.br ^join(%a, %true : memref<8xf32>, i1)
^join(%r: memref<8xf32>, %r_owned: i1):
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<8xf32>
  }
  return
}

// Used in one case, dead in the others.
func.func @dead_in_the_others(%i: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  cf.switch %i : i32, [
    default: ^idle,
    1: ^use
  ]
^use:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^end
^idle:
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  cf.br ^end
^end:
  return
}

func.func private @cond() -> i1

func.func @several_types(%x: memref<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r, %u, %r_owned = scf.index_switch %n -> memref<4xf32>, f32, i1
  case 1 {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %x, %k : memref<4xf32> to memref<4xf32>
    %z = memref.load %x[%c0] : memref<4xf32>
    scf.yield %k, %z, %true : memref<4xf32>, f32, i1
  }
  default {
    %c = func.call @cond() : () -> i1
    %z = memref.load %x[%c0] : memref<4xf32>
    %y, %y_owned = scf.if %c -> (memref<4xf32>, i1) {
      %k = memref.alloc() : memref<4xf32>
      memref.copy %x, %k : memref<4xf32> to memref<4xf32>
      scf.yield %k, %true : memref<4xf32>, i1
    } else {
      %false = arith.constant false
      scf.yield %x, %false : memref<4xf32>, i1
    }
    scf.yield %y, %z, %y_owned : memref<4xf32>, f32, i1
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<4xf32>
  }
  %w = arith.addf %v, %u : f32
  return %w : f32
}

// Which of two switches on one number used it last is asked by no flag: it is freed behind both.
func.func @by_either(%n: index) {
  %x = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  scf.index_switch %n
  case 2 {
    scf.yield
  }
  default {
    scf.index_switch %n
    case 1 {
      %b = memref.alloc() : memref<4xf32>
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
      memref.dealloc %b : memref<4xf32>
      scf.yield
    }
    default {
      scf.yield
    }
    scf.index_switch %n
    case 0 {
      %c = memref.alloc() : memref<4xf32>
      memref.copy %a, %c : memref<4xf32> to memref<4xf32>
      memref.dealloc %c : memref<4xf32>
      scf.yield
    }
    default {
      scf.yield
    }
    scf.yield
  }
  memref.dealloc %a : memref<4xf32>
  return
}
