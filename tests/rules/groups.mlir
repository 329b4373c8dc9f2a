// Work that is added to a group is waited for with it.

func.func @waited_for(%size: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %group = async.create_group %size : !async.group
  %work = async.execute {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %rank = async.add_to_group %work, %group : !async.token
  async.await_all %group
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @all_of_a_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %group = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %work = async.execute {
      memref.store %x, %a[%i] : memref<16xf32>
      async.yield
    }
    %rank = async.add_to_group %work, %group : !async.token
  }
  async.await_all %group
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @not_waited_for(%size: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %group = async.create_group %size : !async.group
  %other = async.create_group %size : !async.group
  %work = async.execute {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %rank = async.add_to_group %work, %group : !async.token
  async.await_all %other
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<16xf32>
  async.await_all %group
  return
}

// Who is passed the group may wait for it.
func.func private @wait(!async.group)

func.func @waited_for_elsewhere(%size: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %group = async.create_group %size : !async.group
  %work = async.execute {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %rank = async.add_to_group %work, %group : !async.token
  func.call @wait(%group) : (!async.group) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
