// A dialect without a description. Its operations are read by their shape; what they do to memory is unknown, so
// no error rests on them. `memlane.toml`, beside this file, describes the two that matter: then the leak is found.

func.func @freed(%input: memref<16xf32>) {
  %buffer = my.alloc() : memref<16xf32>
  memref.copy %input, %buffer : memref<16xf32> to memref<16xf32>
  my.consume %buffer {times = 3 : i32} : memref<16xf32>
  my.free %buffer : memref<16xf32>
  return
}

func.func @leaked(%input: memref<16xf32>) {
  %buffer = my.alloc() : memref<16xf32>
  memref.copy %input, %buffer : memref<16xf32> to memref<16xf32>
  my.consume %buffer {times = 3 : i32} : memref<16xf32>
  return
}
