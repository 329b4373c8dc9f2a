// What control has passed before decides what comes later: no late deallocation rests on an execution that cannot be.

func.func private @abort()
func.func @assert_false(%x: f32, %i: index) {
  %f = arith.constant false
  cf.assert %f, "never"
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.dealloc %l : memref<4xf32>
  return
}
func.func @assert_true(%x: f32, %i: index) {
  %t = arith.constant true
  cf.assert %t, "always"
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
  memref.dealloc %l : memref<4xf32>
  return
}
func.func @assert_false_around(%c: i1, %x: f32, %i: index) {
  %f = arith.constant false
  cf.assert %f, "never"
  scf.if %c {
    %l = memref.alloc() : memref<4xf32>
    memref.store %x, %l[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.dealloc %l : memref<4xf32>
  }
  return
}
func.func @assert_false_in_branch(%c: i1, %x: f32, %i: index) {
  %f = arith.constant false
  scf.if %c {
    cf.assert %f, "never"
  }
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
  memref.dealloc %l : memref<4xf32>
  return
}
func.func @if_in_else(%c: i1, %x: f32, %i: index) {
  scf.if %c {
  } else {
    scf.if %c {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.dealloc %l : memref<4xf32>
    }
  }
  return
}
func.func @if_in_then(%c: i1, %x: f32, %i: index) {
  scf.if %c {
    scf.if %c {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
      memref.dealloc %l : memref<4xf32>
    }
  }
  return
}
func.func @negated(%c: i1, %x: f32, %i: index) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %c {
    scf.if %n {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.dealloc %l : memref<4xf32>
    }
  }
  return
}
func.func @both(%c: i1, %d: i1, %x: f32, %i: index) {
  %b = arith.andi %c, %d : i1
  scf.if %b {
    scf.if %d {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
      memref.dealloc %l : memref<4xf32>
    } else {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.dealloc %l : memref<4xf32>
    }
  }
  return
}
func.func @compared(%n: index, %x: f32, %i: index) {
  %five = arith.constant 5 : index
  %low = arith.cmpi slt, %n, %five : index
  scf.if %low {
    %high = arith.cmpi sgt, %n, %five : index
    scf.if %high {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.dealloc %l : memref<4xf32>
    }
  }
  return
}
func.func @asserted(%c: i1, %x: f32, %i: index) {
  cf.assert %c, "holds"
  scf.if %c {
  } else {
    %l = memref.alloc() : memref<4xf32>
    memref.store %x, %l[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.dealloc %l : memref<4xf32>
  }
  return
}
func.func @blocks(%c: i1, %x: f32, %i: index) {
  cf.cond_br %c, ^one, ^end
^one:
  cf.cond_br %c, ^end, ^two
^two:
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^end:
  return
}
func.func @blocks_in_between(%c: i1, %d: i1, %x: f32, %i: index) {
  cf.cond_br %c, ^one, ^fail
^one:
  cf.cond_br %d, ^two, ^three
^two:
  cf.br ^three
^three:
  cf.cond_br %c, ^end, ^never
^never:
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^fail:
  call @abort() : () -> ()
  llvm.unreachable
^end:
  return
}
func.func @joined_again(%c: i1, %x: f32, %i: index) {
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^three
^two:
  cf.br ^three
^three:
  cf.cond_br %c, ^end, ^more
^more:
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^end:
  return
}
func.func @switch(%n: i32, %x: f32, %i: index) {
  cf.switch %n : i32, [ default: ^end, 1: ^one ]
^one:
  cf.switch %n : i32, [ default: ^end, 2: ^two ]
^two:
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.dealloc %l : memref<4xf32>
  cf.br ^end
^end:
  return
}
func.func @index_switch(%n: index, %x: f32, %i: index) {
  scf.index_switch %n
  case 1 {
    scf.index_switch %n
    case 1 {
      scf.yield
    }
    default {
      %l = memref.alloc() : memref<4xf32>
      memref.store %x, %l[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.dealloc %l : memref<4xf32>
    }
    scf.yield
  }
  default {
  }
  return
}
func.func @other_each_round(%flags: memref<4xi1>, %n: index, %x: f32, %i: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %c = memref.load %flags[%i] : memref<4xi1>
    scf.if %c {
      scf.for %m = %zero to %n step %one {
        %d = memref.load %flags[%m] : memref<4xi1>
        scf.if %d {
        } else {
          %l = memref.alloc() : memref<4xf32>
          memref.store %x, %l[%i] : memref<4xf32>
          %y = arith.addf %x, %x : f32
          // expected-warning @below [late-free] {{buffer %l of 16 bytes is held over 1 operation after its last use}}
          memref.dealloc %l : memref<4xf32>
        }
      }
    }
  }
  return
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @lowered(%c: i1, %x: f32) {
  %size = llvm.mlir.constant(64 : i64) : i64
  llvm.cond_br %c, ^one, ^fail
^one:
  llvm.cond_br %c, ^end, ^never
^never:
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %x, %p : f32, !llvm.ptr
  %y = llvm.fadd %x, %x : f32
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^end
^fail:
  llvm.unreachable
^end:
  llvm.return
}
func.func @passed_over(%c: i1, %x: f32, %i: index) {
  // %l is freed at once where control comes: the branch over its use is never taken, so that nothing is late.
  cf.assert %c, "holds"
  %l = memref.alloc() : memref<4xf32>
  memref.store %x, %l[%i] : memref<4xf32>
  cf.cond_br %c, ^end, ^never
^never:
  %y = arith.addf %x, %x : f32
  cf.br ^end
^end:
  memref.dealloc %l : memref<4xf32>
  return
}
