// A call that may throw gives something where it returns, and nothing where the exception arrives.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @_Znwm(i64) -> !llvm.ptr
llvm.func @_ZdlPv(!llvm.ptr)
llvm.func @make() -> !llvm.ptr
llvm.func @use(!llvm.ptr)
llvm.func @free(!llvm.ptr)
llvm.func @__gxx_personality_v0(...) -> i32

llvm.func @freed() attributes {personality = @__gxx_personality_v0} {
  %a = llvm.invoke @make() to ^made unwind ^caught : () -> !llvm.ptr
^made:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

llvm.func @freed_with_delete(%n: i64) attributes {personality = @__gxx_personality_v0} {
  %a = llvm.invoke @_Znwm(%n) to ^made unwind ^caught : (i64) -> !llvm.ptr
^made:
  llvm.call @_ZdlPv(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

// Where it is made it is lost, each time.
llvm.func @lost(%n: i64) attributes {personality = @__gxx_personality_v0} {
  // expected-warning @below [leak] {{%a of %n bytes is never freed}}
  %a = llvm.invoke @_Znwm(%n) to ^made unwind ^caught : (i64) -> !llvm.ptr
^made:
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

// What another function gives is lost as well, each time, if it is the caller's.
llvm.func @lost_perhaps() attributes {personality = @__gxx_personality_v0} {
  // expected-warning @below [possible-leak] {{%a is never freed, if it is the caller's}}
  %a = llvm.invoke @make() to ^made unwind ^caught : () -> !llvm.ptr
^made:
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

// What was made before is still there when something else throws.
llvm.func @lost_on_the_way() attributes {personality = @__gxx_personality_v0} {
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.invoke @make() to ^made unwind ^caught : () -> !llvm.ptr
^made:
  llvm.invoke @use(%a) to ^used unwind ^caught : (!llvm.ptr) -> ()
^used:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

llvm.func @again_and_again(%c: i1) attributes {personality = @__gxx_personality_v0} {
  llvm.br ^try
^try:
  %a = llvm.invoke @make() to ^made unwind ^caught : () -> !llvm.ptr
^made:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.cond_br %c, ^try, ^done
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.br ^try
^done:
  llvm.return
}

// The exception of a later round ends a run in which a buffer was made before, and freed.
llvm.func @until_it_throws(%n: i64, %p: !llvm.ptr) attributes {personality = @__gxx_personality_v0} {
  llvm.br ^try
^try:
  // expected-warning @below [possible-leak] {{%a of %n bytes is not freed on some path}}
  %a = llvm.invoke @_Znwm(%n) to ^made unwind ^caught : (i64) -> !llvm.ptr
^made:
  %c = llvm.load %p : !llvm.ptr -> i1
  llvm.cond_br %c, ^free, ^done
^free:
  llvm.call @_ZdlPv(%a) : (!llvm.ptr) -> ()
  llvm.br ^try
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
^done:
  llvm.return
}

// Each round loses what it makes: the exception ends runs that have lost something, or made nothing.
llvm.func @lost_until_it_throws(%n: i64) attributes {personality = @__gxx_personality_v0} {
  llvm.br ^try
^try:
  // expected-warning @below [leak] {{%a of %n bytes is never freed}}
  %a = llvm.invoke @_Znwm(%n) to ^try unwind ^caught : (i64) -> !llvm.ptr
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

// Where the exception goes on to the caller, what was made here is lost. The caller does not come back to the call.
llvm.func @lost_where_it_goes_on(%n: i64) attributes {personality = @__gxx_personality_v0} {
  // expected-warning @below [possible-leak] {{%a of %n bytes is not freed on some path}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.invoke @use(%a) to ^used unwind ^caught : (!llvm.ptr) -> ()
^used:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %e : !llvm.struct<(ptr, i32)>
}
llvm.func @freed_where_it_goes_on(%n: i64) attributes {personality = @__gxx_personality_v0} {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.invoke @use(%a) to ^used unwind ^caught : (!llvm.ptr) -> ()
^used:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.resume %e : !llvm.struct<(ptr, i32)>
}
llvm.func internal @frees_or_throws(%a: !llvm.ptr) attributes {personality = @__gxx_personality_v0} {
  llvm.invoke @use(%a) to ^used unwind ^caught : (!llvm.ptr) -> ()
^used:
  // expected-remark @below [argument-free] {{frees its argument %a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
^caught:
  %e = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %e : !llvm.struct<(ptr, i32)>
}
llvm.func @calls_one_that_throws(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @frees_or_throws(%a) : (!llvm.ptr) -> ()
  llvm.return
}
