// Types of dialects that stand for no memory have no owner: what a function hands out of them is not lost.
// config: dialect.my.memory=["buffer"]

func.func private @begin(memref<4xf32>) -> !my.token
func.func private @number() -> !my.int<32>
func.func private @scaled() -> !quant.uniform<i8:f32, 1.0>
func.func private @make() -> !my.buffer<4xf32>
func.func private @other() -> !other.thing

func.func @numbers_and_tokens(%m: memref<4xf32>) {
  %t = func.call @begin(%m) : (memref<4xf32>) -> !my.token
  my.wait %t : !my.token
  %n = func.call @number() : () -> !my.int<32>
  %q = func.call @scaled() : () -> !quant.uniform<i8:f32, 1.0>
  return
}

func.func @memory() {
  // expected-warning @below [leak] {{%b}}
  %b = func.call @make() : () -> !my.buffer<4xf32>
  // Nothing is known of its dialect: its values may be anything, as a number or a tensor.
  %o = func.call @other() : () -> !other.thing
  return
}

func.func @undescribed(%b: !my.buffer<4xf32>, %n: !my.int<32>) {
  // expected-remark @below [unknown-effects] {{my.mystery}}
  my.mystery %b : !my.buffer<4xf32>
  my.count %n : !my.int<32>
  return
}

func.func @given_back(%n: !my.int<32>) -> !my.int<32> {
  return %n : !my.int<32>
}

func.func @lent(%b: !my.buffer<4xf32>) -> !my.buffer<4xf32> {
  // expected-remark @below [borrowed-return] {{%b}}
  return %b : !my.buffer<4xf32>
}
