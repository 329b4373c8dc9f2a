// config: ignore=["late-free"]
// expected-nothing
// Counters of `scf.while`: rounds of which no numbers give the end are not distinguished any longer than those of blocks,
// so that the flags beside them are followed to the end. What `-lift-cf-to-scf` prints, then what canonicalizing leaves.

func.func @as_printed(%arg0: index, %arg1: memref<4xf32>, %arg2: f32) {
  %0 = ub.poison : i1
  %1 = ub.poison : memref<4xf32>
  %2 = ub.poison : index
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %alloc = memref.alloc() : memref<4xf32>
  memref.copy %arg1, %alloc : memref<4xf32> to memref<4xf32>
  %3:5 = scf.while (%arg3 = %c0, %arg4 = %alloc, %arg5 = %false, %arg6 = %1, %arg7 = %0) : (index, memref<4xf32>, i1, memref<4xf32>, i1) -> (index, memref<4xf32>, i1, memref<4xf32>, i1) {
    %4 = arith.cmpi slt, %arg3, %arg0 : index
    %5:5 = scf.if %4 -> (index, memref<4xf32>, i1, i32, i32) {
      %7:5 = scf.while (%arg8 = %c0, %arg9 = %arg4, %arg10 = %false, %arg11 = %1, %arg12 = %0) : (index, memref<4xf32>, i1, memref<4xf32>, i1) -> (index, memref<4xf32>, i1, memref<4xf32>, i1) {
        %14 = arith.cmpi slt, %arg8, %arg0 : index
        %15:5 = scf.if %14 -> (index, memref<4xf32>, i1, i32, i32) {
          %alloc_1 = memref.alloc() : memref<4xf32>
          memref.copy %arg9, %alloc_1 : memref<4xf32> to memref<4xf32>
          scf.if %arg10 {
            memref.dealloc %arg9 : memref<4xf32>
          } else {
          }
          %17 = arith.addi %arg8, %c1 : index
          scf.yield %17, %alloc_1, %true, %c0_i32, %c1_i32 : index, memref<4xf32>, i1, i32, i32
        } else {
          scf.yield %2, %1, %0, %c1_i32, %c0_i32 : index, memref<4xf32>, i1, i32, i32
        }
        %16 = arith.trunci %15#4 : i32 to i1
        scf.condition(%16) %15#0, %15#1, %15#2, %arg9, %arg10 : index, memref<4xf32>, i1, memref<4xf32>, i1
      } do {
      ^bb0(%arg8: index, %arg9: memref<4xf32>, %arg10: i1, %arg11: memref<4xf32>, %arg12: i1):
        scf.yield %arg8, %arg9, %arg10, %arg11, %arg12 : index, memref<4xf32>, i1, memref<4xf32>, i1
      }
      %intptr = memref.extract_aligned_pointer_as_index %arg4 : memref<4xf32> -> index
      %intptr_0 = memref.extract_aligned_pointer_as_index %7#3 : memref<4xf32> -> index
      %8 = arith.cmpi ne, %intptr, %intptr_0 : index
      %9 = arith.andi %8, %arg5 : i1
      scf.if %9 {
        memref.dealloc %arg4 : memref<4xf32>
      } else {
      }
      %10 = arith.cmpi eq, %intptr, %intptr_0 : index
      %11 = arith.andi %10, %arg5 : i1
      %12 = arith.ori %11, %7#4 : i1
      %13 = arith.addi %arg3, %c1 : index
      scf.yield %13, %7#3, %12, %c0_i32, %c1_i32 : index, memref<4xf32>, i1, i32, i32
    } else {
      scf.yield %2, %1, %0, %c1_i32, %c0_i32 : index, memref<4xf32>, i1, i32, i32
    }
    %6 = arith.trunci %5#4 : i32 to i1
    scf.condition(%6) %5#0, %5#1, %5#2, %arg4, %arg5 : index, memref<4xf32>, i1, memref<4xf32>, i1
  } do {
  ^bb0(%arg3: index, %arg4: memref<4xf32>, %arg5: i1, %arg6: memref<4xf32>, %arg7: i1):
    scf.yield %arg3, %arg4, %arg5, %arg6, %arg7 : index, memref<4xf32>, i1, memref<4xf32>, i1
  }
  scf.if %3#4 {
    memref.dealloc %3#3 : memref<4xf32>
  } else {
  }
  memref.dealloc %alloc : memref<4xf32>
  return
}

func.func @lifted(%n: index, %source: memref<4x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %false = arith.constant false
  %first = memref.alloc() : memref<4x4xf32>
  memref.copy %source, %first : memref<4x4xf32> to memref<4x4xf32>
  %out:3 = scf.while (%i = %c1, %kept = %first, %own = %false) : (index, memref<4x4xf32>, i1) -> (index, memref<4x4xf32>, i1) {
    %12 = arith.cmpi slt, %i, %n : index
    scf.condition(%12) %i, %kept, %own : index, memref<4x4xf32>, i1
  } do {
  ^bb0(%i: index, %kept: memref<4x4xf32>, %own: i1):
    %copy = memref.alloc() : memref<4x4xf32>
    memref.copy %kept, %copy : memref<4x4xf32> to memref<4x4xf32>
    %12:3 = scf.while (%j = %c0, %made = %copy, %mine = %false) : (index, memref<4x4xf32>, i1) -> (index, memref<4x4xf32>, i1) {
      %22 = arith.cmpi slt, %j, %i : index
      scf.condition(%22) %j, %made, %mine : index, memref<4x4xf32>, i1
    } do {
    ^bb0(%j: index, %made: memref<4x4xf32>, %mine: i1):
      %new = memref.alloc() : memref<4x4xf32>
      %w = scf.while (%k = %c0) : (index) -> index {
        %24 = arith.cmpi slt, %k, %c4 : index
        scf.condition(%24) %k : index
      } do {
      ^bb0(%k: index):
        memref.store %x, %new[%k, %k] : memref<4x4xf32>
        %25 = arith.addi %k, %c1 : index
        scf.yield %25 : index
      }
      %made_base, %offset_35, %sizes_36:2, %strides_37:2 = memref.extract_strided_metadata %made : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
      scf.if %mine {
        memref.dealloc %made_base : memref<f32>
      }
      %23 = arith.addi %j, %c1 : index
      scf.yield %23, %new, %true : index, memref<4x4xf32>, i1
    }
    %kept_base, %offset_27, %sizes_28:2, %strides_29:2 = memref.extract_strided_metadata %kept : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
    %intptr_30 = memref.extract_aligned_pointer_as_index %kept_base : memref<f32> -> index
    %intptr_31 = memref.extract_aligned_pointer_as_index %12#1 : memref<4x4xf32> -> index
    %13 = arith.cmpi ne, %intptr_30, %intptr_31 : index
    %14 = arith.andi %13, %own : i1
    scf.if %14 {
      memref.dealloc %kept_base : memref<f32>
    }
    %15 = arith.cmpi eq, %intptr_30, %intptr_31 : index
    %16 = arith.andi %15, %own : i1
    %intptr_32 = memref.extract_aligned_pointer_as_index %copy : memref<4x4xf32> -> index
    %17 = arith.cmpi ne, %intptr_32, %intptr_31 : index
    scf.if %17 {
      memref.dealloc %copy : memref<4x4xf32>
    }
    %18 = arith.cmpi eq, %intptr_32, %intptr_31 : index
    %19 = arith.ori %16, %18 : i1
    %20 = arith.ori %19, %12#2 : i1
    %21 = arith.addi %i, %c1 : index
    scf.yield %21, %12#1, %20 : index, memref<4x4xf32>, i1
  }
  %first_at = memref.extract_aligned_pointer_as_index %first : memref<4x4xf32> -> index
  %out_at = memref.extract_aligned_pointer_as_index %out#1 : memref<4x4xf32> -> index
  %ne = arith.cmpi ne, %first_at, %out_at : index
  %fr = arith.andi %ne, %out#2 : i1
  memref.dealloc %first : memref<4x4xf32>
  scf.if %fr {
    memref.dealloc %out#1 : memref<4x4xf32>
  }
  return
}
