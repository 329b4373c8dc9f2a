// Numbers are no memory, of whatever type, nor are values of dialects of which nothing is known, or no operation of
// which allocates or frees.
// expected-nothing
// config: ignore=["unknown-effects"]

func.func private @signed() -> si32
func.func private @float8() -> f8E4M3FN
func.func private @float4() -> f4E2M1FN
func.func private @pair() -> tuple<i32, f32>
func.func private @size() -> !emitc.size_t
func.func private @tile() -> !amx.tile<16x16xf32>
func.func private @matrix() -> !gpu.mma_matrix<16x16xf16, "AOp">
func.func private @integer() -> !torch.int
func.func private @register() -> !riscv.reg

func.func @given() {
  %0 = call @signed() : () -> si32
  %1 = call @float8() : () -> f8E4M3FN
  %2 = call @float4() : () -> f4E2M1FN
  %3 = call @pair() : () -> tuple<i32, f32>
  %4 = call @size() : () -> !emitc.size_t
  %5 = call @tile() : () -> !amx.tile<16x16xf32>
  %6 = call @matrix() : () -> !gpu.mma_matrix<16x16xf16, "AOp">
  %7 = call @integer() : () -> !torch.int
  %8 = call @register() : () -> !riscv.reg
  return
}

func.func @returned_twice(%a: ui8, %b: !lwe.ct) -> (ui8, ui8, !lwe.ct, !lwe.ct) {
  return %a, %a, %b, %b : ui8, ui8, !lwe.ct, !lwe.ct
}

func.func @used_behind_the_free(%i: index, %z: ui8) {
  %m = memref.alloc() : memref<4xui8>
  memref.store %z, %m[%i] : memref<4xui8>
  %x = foo.conv %m : memref<4xui8> -> ui8
  memref.dealloc %m : memref<4xui8>
  foo.use %x : ui8
  return
}

func.func @of_the_stack(%z: si32, %i: index) -> si32 {
  %m = memref.alloca() : memref<4xsi32>
  memref.store %z, %m[%i] : memref<4xsi32>
  %x = foo.reduce %m : memref<4xsi32> -> si32
  return %x : si32
}
