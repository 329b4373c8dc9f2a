// Types of which the file has names of its own: what an allocation gives is a memref, whatever that is called.
!small = memref<4xf32>
func.func @leaks(%v: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !small
  memref.store %v, %a[%c0] : !small
  scf.if %c {
    %b = memref.alloc() : !small
    memref.copy %a, %b : !small to !small
    memref.dealloc %b : !small
    memref.dealloc %a : !small
  } else {
    memref.dealloc %a : !small
  }
  return
}
