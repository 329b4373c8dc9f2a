// unique_names.mlir with a fourth operation that needs neither temporary: both are freed late, 524,288 bytes each.

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @unique_names_late(%input: memref<512x512xbf16>) -> memref<512x512xbf16> {
  %doubled = memref.alloc() : memref<512x512xbf16>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%input : memref<512x512xbf16>) outs(%doubled : memref<512x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %value = arith.addf %in, %in : bf16
    linalg.yield %value : bf16
  }
  %negated = memref.alloc() : memref<512x512xbf16>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%doubled : memref<512x512xbf16>) outs(%negated : memref<512x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %value = arith.negf %in : bf16
    linalg.yield %value : bf16
  }
  %product = memref.alloc() : memref<512x512xbf16>
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%doubled, %negated : memref<512x512xbf16>, memref<512x512xbf16>) outs(%product : memref<512x512xbf16>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
    %value = arith.mulf %in, %in_0 : bf16
    linalg.yield %value : bf16
  }
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]}
      outs(%product : memref<512x512xbf16>) {
  ^bb0(%out: bf16):
    %value = math.absf %out : bf16
    linalg.yield %value : bf16
  }
  memref.dealloc %doubled : memref<512x512xbf16>
  memref.dealloc %negated : memref<512x512xbf16>
  return %product : memref<512x512xbf16>
}
