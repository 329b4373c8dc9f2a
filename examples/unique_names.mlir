// Three operations in a row over 512 KiB matrices, as bufferization leaves them: each has a buffer of its own, and
// the two that are not returned are freed at the end, right after their last use.

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @unique_names(%input: memref<512x512xbf16>) -> memref<512x512xbf16> {
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
  memref.dealloc %doubled : memref<512x512xbf16>
  memref.dealloc %negated : memref<512x512xbf16>
  return %product : memref<512x512xbf16>
}
