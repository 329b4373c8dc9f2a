// Tokens of dialects that nobody described: they stand for no memory, and what is done may go on until they are asked.

func.func private @begin(memref<?xf32>) -> !air.async.token

// A function may give a token: it has no owner.
func.func @called(%n: index) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  %t = call @begin(%a) : (memref<?xf32>) -> !air.async.token
  return
}

func.func @handed_on(%n: index, %m: memref<?xf32>) -> !foo.token {
  // expected-remark @below [unknown-effects] {{foo.copy}}
  %t = "foo.copy"(%m) : (memref<?xf32>) -> !foo.token
  return %t : !foo.token
}

// Asked in between: the buffer is not held too long.
func.func @waited_for(%n: index, %lower: index, %upper: index, %step: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = "foo.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> !air.async.token
  %u = scf.for %i = %lower to %upper step %step iter_args(%v = %t) -> !air.async.token {
    %w = "foo.copy"(%v, %m, %a) : (!air.async.token, memref<?xf32>, memref<?xf32>) -> !air.async.token
    scf.yield %w : !air.async.token
  }
  "foo.wait"(%u) : (!air.async.token) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @not_waited_for(%n: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = "foo.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> !air.async.token
  // expected-warning @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<?xf32>
  "foo.wait"(%t) : (!air.async.token) -> ()
  return
}

// Perhaps it only says what comes after what.
func.func @in_order(%n: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = "foo.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> !foo.token
  memref.dealloc %a : memref<?xf32>
  %u = "foo.next"(%t) : (!foo.token) -> !foo.token
  return
}

// Custom forms leave the type of the token out, and the types behind them are those of what was given.
func.func @left_out(%n: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark @below [unknown-effects] {{air.channel.get}}
  %t = air.channel.get async @channel[] (%a[] [] []) : (memref<?xf32>)
  // expected-warning @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<?xf32>
  air.wait_all [%t]
  return
}

func.func @left_out_before_others(%n: index) {
  // expected-remark @below [unknown-effects] {{air.execute}}
  %t, %a = air.execute -> (memref<?xf32>) {
    // expected-warning @below [possible-leak] {{%b}}
    %b = memref.alloc(%n) : memref<?xf32>
    // expected-remark @below [unknown-effects] {{air.execute_terminator}}
    air.execute_terminator %b : memref<?xf32>
  }
  %u = air.execute [%t] {
    memref.dealloc %a : memref<?xf32>
  }
  air.wait_all [%u]
  return
}
