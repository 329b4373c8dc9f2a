// config: ignore=["late-free"]
// What an op with two regions gives is chosen by its flag: where that holds, it is what one of them yields, also of
// buffers that are made inside other regions.

// As ownership-based deallocation has it: a buffer may be freed if it is owned, which goes with where it comes from.
func.func @each_round_goes_one_way(%c: i1, %n: index) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = scf.if %c -> (i1) {
    scf.yield %true : i1
  } else {
    scf.yield %false : i1
  }
  %other = arith.xori %flag, %true : i1
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    scf.if %c {
      memref.dealloc %a : memref<8xf32>
    }
    scf.if %other {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

func.func @holds_around(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %flag = scf.if %c -> (i1) {
    scf.yield %true : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    scf.if %flag {
      memref.dealloc %a : memref<8xf32>
    }
    // expected-warning @below [leak] {{buffer %b of 32 bytes is never freed}}
    %b = memref.alloc() : memref<8xf32>
    %not = arith.xori %flag, %true : i1
    scf.if %not {
      memref.dealloc %b : memref<8xf32>
    }
  }
  return
}

// What is computed inside is known outside where it is computed of what is there.
func.func @computed_inside(%c: i1, %d: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %both = scf.if %c -> (i1) {
    %inner = scf.if %d -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %no = arith.xori %c, %c : i1
      scf.yield %no : i1
    }
    scf.yield %inner : i1
  } else {
    %false = arith.constant false
    scf.yield %false : i1
  }
  %same = arith.andi %c, %d : i1
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    scf.if %both {
      memref.dealloc %a : memref<8xf32>
    }
    %true = arith.constant true
    %rest = arith.xori %same, %true : i1
    scf.if %rest {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

func.func @numbers(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %way = scf.if %c -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %c2 : index
  }
  %first = arith.cmpi eq, %way, %c1 : index
  %second = arith.cmpi eq, %way, %c2 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    scf.if %first {
      memref.dealloc %a : memref<8xf32>
    }
    scf.if %second {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

// What is loaded inside is not known outside, nor what a loop around gives in another round.
func.func @loaded_inside(%c: i1, %m: memref<i1>, %n: index) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = scf.if %c -> (i1) {
    %loaded = memref.load %m[] : memref<i1>
    scf.yield %loaded : i1
  } else {
    scf.yield %true : i1
  }
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
    %a = memref.alloc() : memref<8xf32>
    scf.if %flag {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

func.func @in_each_round(%n: index, %m: memref<?xi1>) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %true) -> (i1) {
    %c = memref.load %m[%i] : memref<?xi1>
    %flag = scf.if %c -> (i1) {
      scf.yield %before : i1
    } else {
      scf.yield %false : i1
    }
    // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
    %a = memref.alloc() : memref<8xf32>
    scf.if %flag {
      memref.dealloc %a : memref<8xf32>
    }
    scf.yield %flag : i1
  }
  return
}
