// C, as it is written before it is printed: functions are called by a name that is a string, and well-known ones do what
// they do elsewhere. Whatever others are passed they may keep.

func.func @never_freed(%n: !emitc.size_t) {
  // expected-warning @below [leak] {{buffer %p of %n bytes is never freed}}
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<!emitc.opaque<"void">>
  %q = emitc.cast %p : !emitc.ptr<!emitc.opaque<"void">> to !emitc.ptr<f32>
  return
}

func.func @freed_by_both_names(%n: !emitc.size_t) {
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<!emitc.opaque<"void">>
  %q = emitc.cast %p : !emitc.ptr<!emitc.opaque<"void">> to !emitc.ptr<f32>
  emitc.call_opaque "free"(%p) : (!emitc.ptr<!emitc.opaque<"void">>) -> ()
  // expected-error @below [double-free] {{the buffer of %q is freed a second time}}
  emitc.call_opaque "free"(%q) : (!emitc.ptr<f32>) -> ()
  return
}

// In functions of the dialect its operations need no name before theirs, at the start of a line either.
emitc.func @element_of_what_is_freed(%n: !emitc.size_t, %i: index, %x: f32) {
  %p = call_opaque "calloc"(%n, %n) : (!emitc.size_t, !emitc.size_t) -> !emitc.ptr<!emitc.opaque<"void">>
  %q = cast %p : !emitc.ptr<!emitc.opaque<"void">> to !emitc.ptr<f32>
  %d = subscript %q[%i] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
  assign %x : f32 to %d : !emitc.lvalue<f32>
  call_opaque "free"(%p) : (!emitc.ptr<!emitc.opaque<"void">>) -> ()
  verbatim "/* gone */"
  %e = subscript %q[%i] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
  // expected-error @below [use-after-free] {{%e is used after its buffer was freed}}
  assign %x : f32 to %e : !emitc.lvalue<f32>
  return
}

func.func @in_one_branch(%n: !emitc.size_t, %c: i1) {
  // expected-warning @below [possible-leak] {{buffer %p of %n bytes is not freed on some path}}
  %p = "emitc.call_opaque"(%n) <{callee = "malloc"}> : (!emitc.size_t) -> !emitc.ptr<f32>
  emitc.if %c {
    "emitc.call_opaque"(%p) <{callee = "free"}> : (!emitc.ptr<f32>) -> ()
  }
  return
}

// The C++ operators are other functions.
func.func @of_another_allocator(%n: !emitc.size_t) {
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  // expected-error @below [mismatched-free] {{%p}}
  emitc.call_opaque "_ZdlPv"(%p) : (!emitc.ptr<f32>) -> ()
  return
}

// Nothing is wrong with these.
emitc.func @given_back(%n: !emitc.size_t) -> !emitc.ptr<f32> {
  %p = call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  return %p : !emitc.ptr<f32>
}

emitc.func @of_a_function(%n: !emitc.size_t) {
  %p = call @given_back(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  call_opaque "free"(%p) : (!emitc.ptr<f32>) -> ()
  return
}

func.func @kept_by_another(%n: !emitc.size_t) {
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  emitc.call_opaque "keep"(%p) : (!emitc.ptr<f32>) -> ()
  return
}

func.func @of_an_object() {
  %p = emitc.call_opaque "data"() : () -> !emitc.ptr<f32>
  emitc.call_opaque "use"(%p) : (!emitc.ptr<f32>) -> ()
  return
}

func.func @in_a_variable(%n: !emitc.size_t) {
  %v = "emitc.variable"() <{value = #emitc.opaque<"NULL">}> : () -> !emitc.lvalue<!emitc.ptr<f32>>
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  emitc.assign %p : !emitc.ptr<f32> to %v : !emitc.lvalue<!emitc.ptr<f32>>
  %q = emitc.load %v : !emitc.lvalue<!emitc.ptr<f32>>
  emitc.call_opaque "free"(%q) : (!emitc.ptr<f32>) -> ()
  return
}

func.func @each_round(%n: !emitc.size_t, %lo: index, %hi: index, %st: index) {
  emitc.for %i = %lo to %hi step %st {
    %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
    emitc.call_opaque "free"(%p) : (!emitc.ptr<f32>) -> ()
  }
  return
}

// Where there is no memory, nothing is to be given back.
func.func @asked_for_null(%n: !emitc.size_t) {
  %null = "emitc.constant"() <{value = #emitc.opaque<"NULL">}> : () -> !emitc.ptr<f32>
  %p = emitc.call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  %c = emitc.cmp ne, %p, %null : (!emitc.ptr<f32>, !emitc.ptr<f32>) -> i1
  emitc.if %c {
    emitc.call_opaque "free"(%p) : (!emitc.ptr<f32>) -> ()
  }
  return
}
emitc.func @inside_an_expression(%n: !emitc.size_t) {
  %p = expression %n : (!emitc.size_t) -> !emitc.ptr<f32> {
    %0 = call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
    yield %0 : !emitc.ptr<f32>
  }
  call_opaque "free"(%p) : (!emitc.ptr<f32>) -> ()
  return
}

// The type of what is loaded stands in brackets: a number is no memory.
emitc.func @number_of_what_is_freed(%n: !emitc.size_t, %i: index) {
  %v = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<!emitc.ptr<f32>>
  %p = call_opaque "malloc"(%n) : (!emitc.size_t) -> !emitc.ptr<f32>
  assign %p : !emitc.ptr<f32> to %v : <!emitc.ptr<f32>>
  %q = load %v : <!emitc.ptr<f32>>
  %d = subscript %q[%i] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
  %x = emitc.load %d : <f32>
  call_opaque "free"(%q) : (!emitc.ptr<f32>) -> ()
  call_opaque "show"(%x) : (f32) -> ()
  return
}
