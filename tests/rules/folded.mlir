// Conditions made of constants, in the width of their types.

func.func @divided() {
  %c7 = arith.constant 7 : i32
  %m7 = arith.constant -7 : i32
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %c28 = arith.constant 28 : i32
  %m3 = arith.constant -3 : i32
  %m4 = arith.constant -4 : i32
  %rest = arith.remui %c7, %c2 : i32
  %odd = arith.cmpi eq, %rest, %c1 : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %odd {
    memref.dealloc %a : memref<4xf32>
  }
  %signed = arith.remsi %m7, %c2 : i32
  %negative = arith.cmpi eq, %signed, %m1 : i32
  %b = memref.alloc() : memref<4xf32>
  scf.if %negative {
    memref.dealloc %b : memref<4xf32>
  }
  %shifted = arith.shli %c7, %c2 : i32
  %more = arith.cmpi eq, %shifted, %c28 : i32
  %c = memref.alloc() : memref<4xf32>
  scf.if %more {
    memref.dealloc %c : memref<4xf32>
  }
  %towards = arith.divsi %m7, %c2 : i32
  %third = arith.cmpi eq, %towards, %m3 : i32
  %d = memref.alloc() : memref<4xf32>
  scf.if %third {
    memref.dealloc %d : memref<4xf32>
  }
  %down = arith.floordivsi %m7, %c2 : i32
  %fourth = arith.cmpi eq, %down, %m4 : i32
  %e = memref.alloc() : memref<4xf32>
  scf.if %fourth {
    memref.dealloc %e : memref<4xf32>
  }
  return
}

func.func @cut_off() {
  %c256 = arith.constant 256 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0 : i8
  %low = arith.trunci %c256 : i32 to i8
  %none = arith.cmpi eq, %low, %zero : i8
  %a = memref.alloc() : memref<4xf32>
  scf.if %none {
    memref.dealloc %a : memref<4xf32>
  }
  %even = arith.trunci %c2 : i32 to i1
  %b = memref.alloc() : memref<4xf32>
  scf.if %even {
  } else {
    memref.dealloc %b : memref<4xf32>
  }
  %c100 = arith.constant 100 : i8
  %sum = arith.addi %c100, %c100 : i8
  %wrapped = arith.cmpi slt, %sum, %zero : i8
  %c = memref.alloc() : memref<4xf32>
  scf.if %wrapped {
    memref.dealloc %c : memref<4xf32>
  }
  %m1 = arith.constant -1 : i8
  %c255 = arith.constant 255 : i32
  %wide = arith.extui %m1 : i8 to i32
  %positive = arith.cmpi eq, %wide, %c255 : i32
  %d = memref.alloc() : memref<4xf32>
  scf.if %positive {
    memref.dealloc %d : memref<4xf32>
  }
  return
}

// Whether a number is odd is not whether it is zero.
func.func @lowest_bit(%n: i32) {
  %c2 = arith.constant 2 : i32
  %two = arith.cmpi eq, %n, %c2 : i32
  scf.if %two {
    %odd = arith.trunci %n : i32 to i1
    // expected-warning @below [leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    scf.if %odd {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// As a signed number, true is -1.
func.func @flag_as_index(%c: i1) {
  %c0 = arith.constant 0 : index
  %i = arith.index_cast %c : i1 to index
  %less = arith.cmpi slt, %i, %c0 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %less {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// A wider number of the same sign is the same number.
func.func @wider(%n: i32) {
  %zero = arith.constant 0 : i32
  %zero_i64 = arith.constant 0 : i64
  %wide = arith.extsi %n : i32 to i64
  %none = arith.cmpi eq, %n, %zero : i32
  %some = arith.cmpi ne, %wide, %zero_i64 : i64
  %a = memref.alloc() : memref<4xf32>
  scf.if %none {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %some {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Flags have one bit: what they add up to is whether they differ, and with a sign true is the least.
func.func @sum_of_flags(%c: i1) {
  %none = arith.addi %c, %c : i1
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %none {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @least_of_flags(%c: i1, %d: i1) {
  %either = arith.minsi %c, %d : i1
  %a = memref.alloc() : memref<4xf32>
  scf.if %either {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %c {
  } else {
    scf.if %d {
    } else {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @compared_flags(%c: i1) {
  %false = arith.constant false
  %any = arith.cmpi ule, %false, %c : i1
  %a = memref.alloc() : memref<4xf32>
  scf.if %any {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// The last bit of a number is not the number.
func.func @last_bit_of_a_number(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = memref.alloc() : memref<4xf32>
  %p = arith.andi %n, %c1 : i32
  %even = arith.cmpi eq, %p, %c0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  scf.if %even {
    scf.if %positive {
      memref.dealloc %m : memref<4xf32>
    }
    // expected-warning @below [possible-double-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  } else {
    memref.dealloc %m : memref<4xf32>
  }
  return
}

func.func @last_bit_of_an_index(%n: index) {
  %two = arith.constant 2 : index
  %m = memref.alloc() : memref<4xf32>
  %odd = arith.index_cast %n : index to i1
  %is_two = arith.cmpi eq, %n, %two : index
  scf.if %odd {
    memref.dealloc %m : memref<4xf32>
  } else {
    scf.if %is_two {
      memref.dealloc %m : memref<4xf32>
    }
    // expected-warning @below [possible-double-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  return
}

// Bounds that are compared as unsigned numbers.
func.func @unsigned_bounds() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant -1 : i32
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %c1 : i32 {
    %first = arith.cmpi eq, %i, %c0 : i32
    scf.if %first {
      memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 2 operations}}
    }
  }
  return
}

// One of two numbers that a condition tells, and a flag as a number.
func.func @chosen(%c: i1, %n: index) {
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %true = arith.constant true
  %which = arith.select %c, %c3, %c7 : i32
  %small = arith.cmpi slt, %which, %c7 : i32
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %small {
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  %signed = arith.extsi %c : i1 to i8
  %again = arith.trunci %signed : i8 to i1
  %not = arith.xori %again, %true : i1
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  scf.if %not {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

// One of two numbers in the width of its type: what is cut off, and what a sign becomes that none asks for.
func.func @chosen_and_widened(%c: i1, %n: index) {
  %c255 = arith.constant 255 : i32
  %zero = arith.constant 0 : i32
  %signed = arith.extsi %c : i1 to i8
  %wide = arith.extui %signed : i8 to i32
  %all = arith.cmpi eq, %wide, %c255 : i32
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %all {
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
    memref.dealloc %a : memref<?xf32>
  }
  %some = arith.cmpi sgt, %wide, %zero : i32
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %some {
  } else {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

func.func @chosen_and_cut_off(%c: i1, %n: index) {
  %c256 = arith.constant 256 : i32
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %zero_i8 = arith.constant 0 : i8
  %which = arith.select %c, %c256, %zero : i32
  %low = arith.trunci %which : i32 to i8
  %none = arith.cmpi eq, %low, %zero_i8 : i8
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %none {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
    // expected-error @below [double-free] {{%a}}
    memref.dealloc %a : memref<?xf32>
  }
  %one_or_two = arith.select %c, %c2, %c1 : i32
  %odd = arith.trunci %one_or_two : i32 to i1
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %odd {
    memref.dealloc %b : memref<?xf32>
  }
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

func.func @chosen_and_computed_with(%c: i1, %n: index) {
  %c100 = arith.constant 100 : i8
  %c1 = arith.constant 1 : i8
  %zero = arith.constant 0 : i8
  %c255 = arith.constant 255 : i32
  %which = arith.select %c, %c100, %c1 : i8
  %sum = arith.addi %which, %c100 : i8
  %wrapped = arith.cmpi slt, %sum, %zero : i8
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %wrapped {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  %signed = arith.extsi %c : i1 to i8
  %odd = arith.ori %signed, %c1 : i8
  %wide = arith.extui %odd : i8 to i32
  %all = arith.cmpi eq, %wide, %c255 : i32
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %all {
    memref.dealloc %b : memref<?xf32>
  }
  scf.if %c {
  } else {
    memref.dealloc %b : memref<?xf32>
  }
  return
}

// Without a sign, -1 is the largest number.
func.func @chosen_and_compared(%c: i1, %n: index) {
  %zero = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %m1 = arith.constant -1 : i8
  %signed = arith.extsi %c : i1 to i8
  %above = arith.cmpi ugt, %signed, %zero : i8
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %above {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %c {
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  %below = arith.cmpi ult, %signed, %c1 : i8
  %b = memref.alloc(%n) : memref<?xf32>
  scf.if %below {
    memref.dealloc %b : memref<?xf32>
  }
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
  }
  %largest = arith.cmpi uge, %signed, %m1 : i8
  %d = memref.alloc(%n) : memref<?xf32>
  scf.if %largest {
    memref.dealloc %d : memref<?xf32>
  }
  scf.if %c {
  } else {
    memref.dealloc %d : memref<?xf32>
  }
  return
}

// Without a sign a negative number is a large one: as a constant, and where nobody knows which it is.
func.func @negative_without_sign(%x: i32) {
  %m8 = arith.constant -8 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %half = arith.constant 2147483644 : i32
  %third = arith.constant 1431655762 : i32
  %shifted = arith.shrui %m8, %c1 : i32
  %same = arith.cmpi eq, %shifted, %half : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %same {
    memref.dealloc %a : memref<4xf32>
  }
  %divided = arith.divui %m8, %c3 : i32
  %again = arith.cmpi eq, %divided, %third : i32
  %b = memref.alloc() : memref<4xf32>
  scf.if %again {
    memref.dealloc %b : memref<4xf32>
  }
  %largest = arith.maxui %m8, %c3 : i32
  %negative = arith.cmpi slt, %largest, %zero : i32
  %c = memref.alloc() : memref<4xf32>
  scf.if %negative {
    memref.dealloc %c : memref<4xf32>
  }
  %most = arith.cmpi uge, %x, %m8 : i32
  %any = arith.cmpi sge, %x, %zero : i32
  %d = memref.alloc() : memref<4xf32>
  scf.if %most {
    scf.if %any {
    } else {
      memref.dealloc %d : memref<4xf32>
    }
  } else {
    memref.dealloc %d : memref<4xf32>
  }
  return
}

func.func @widened_without_sign(%x: i32) {
  %zero = arith.constant 0 : i32
  %zero_i64 = arith.constant 0 : i64
  %wide = arith.extui %x : i32 to i64
  %negative = arith.cmpi slt, %x, %zero : i32
  %positive = arith.cmpi sge, %wide, %zero_i64 : i64
  %a = memref.alloc() : memref<4xf32>
  scf.if %negative {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %positive {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  %least = arith.constant 2147483648 : i64
  %large = arith.cmpi uge, %wide, %least : i64
  %b = memref.alloc() : memref<4xf32>
  scf.if %negative {
    memref.dealloc %b : memref<4xf32>
  }
  scf.if %large {
  } else {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

func.func @widened_twice(%x: i8, %y: i8) {
  %i = arith.extui %x : i8 to i32
  %j = arith.extui %y : i8 to i32
  %less = arith.cmpi slt, %i, %j : i32
  %not_less = arith.cmpi uge, %x, %y : i8
  %a = memref.alloc() : memref<4xf32>
  scf.if %less {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %not_less {
    memref.dealloc %a : memref<4xf32>
  }
  %back = arith.trunci %i : i32 to i8
  %zero = arith.constant 0 : i8
  %negative = arith.cmpi slt, %x, %zero : i8
  %positive = arith.cmpi sge, %back, %zero : i8
  %b = memref.alloc() : memref<4xf32>
  scf.if %negative {
    memref.dealloc %b : memref<4xf32>
  }
  scf.if %positive {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// Numbers that are not the same may have the same last bits.
func.func @rest_of_a_number(%x: i64) {
  %zero = arith.constant 0 : i32
  %zero_i64 = arith.constant 0 : i64
  %low = arith.trunci %x : i64 to i32
  %none = arith.cmpi eq, %low, %zero : i32
  %some = arith.cmpi ne, %x, %zero_i64 : i64
  %a = memref.alloc() : memref<4xf32>
  scf.if %none {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %some {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  scf.if %some {
    scf.if %none {
    } else {
      memref.dealloc %b : memref<4xf32>
    }
  } else {
    scf.if %none {
      memref.dealloc %b : memref<4xf32>
    }
  }
  return
}

// What counts the rounds of a loop is as many as it was before it was widened.
func.func @rounds_without_sign(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %count = arith.index_castui %n : i32 to index
  %some = arith.cmpi ne, %n, %zero : i32
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %count step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 2 operations}}
    }
  }
  scf.if %some {
  } else {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}

// No number without a sign is below zero.
func.func @below_nothing(%c: i1, %n: i32) {
  %zero = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %below = arith.cmpi ult, %n, %zero : i32
  %above = arith.cmpi ugt, %n, %m1 : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %below {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %above {
    memref.dealloc %a : memref<4xf32>
  }
  %any = arith.cmpi uge, %n, %zero : i32
  %b = memref.alloc() : memref<4xf32>
  scf.if %any {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

func.func @freed_where_none_is_below(%c: i1, %n: i32) {
  %zero = arith.constant 0 : i32
  %below = arith.cmpi ult, %n, %zero : i32
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    scf.if %below {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// What is as wide as an index keeps its sign as one.
func.func @as_an_index(%n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : i64
  %none = arith.index_castui %m1 : i64 to index
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %none step %c1 {
    memref.dealloc %a : memref<4xf32>
  }
  // expected-warning @below [possible-leak] {{buffer %b of 16 bytes is not freed on some path}}
  %b = memref.alloc() : memref<4xf32>
  %m = arith.index_castui %n : i64 to index
  %positive = arith.cmpi sge, %m, %c0 : index
  scf.if %positive {
    memref.dealloc %b : memref<4xf32>
  }
  return
}
func.func @narrower_than_an_index(%n: i32) {
  %c0 = arith.constant 0 : index
  %m = arith.index_castui %n : i32 to index
  %b = memref.alloc() : memref<4xf32>
  %positive = arith.cmpi sge, %m, %c0 : index
  scf.if %positive {
    memref.dealloc %b : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}
