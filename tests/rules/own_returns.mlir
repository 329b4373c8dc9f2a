// What ends regions and functions alike hands its operands to the caller where it ends the function.
// config: op."my.func".function="host"
// config: op."my.end".exits=true
// config: op."my.region".regions=["entry -> 0", "0 -> results"]

my.func @freed() {
  %r = my.region {
    %a = memref.alloc() : memref<4xf32>
    my.end %a : memref<4xf32>
  } : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  my.end
}

my.func @lost() {
  %r = my.region {
    // expected-warning @below [leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    my.end %a : memref<4xf32>
  } : memref<4xf32>
  my.end
}

my.func @handed_out() -> memref<4xf32> {
  %r = my.region {
    %a = memref.alloc() : memref<4xf32>
    my.end %a : memref<4xf32>
  } : memref<4xf32>
  my.end %r : memref<4xf32>
}

my.func @lent(%x: memref<4xf32>) {
  %r = my.region {
    my.end %x : memref<4xf32>
  } : memref<4xf32>
  my.end
}
