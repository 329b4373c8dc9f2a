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

// Work that waits for other work begins when that is done.
func.func @freed_by_the_last(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %first = async.execute {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %second = async.execute [%first] {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %last = async.execute [%second] {
    memref.dealloc %a : memref<16xf32>
    async.yield
  }
  async.await %last : !async.token
  return
}

func.func @freed_beside_it(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %first = async.execute {
    memref.store %x, %a[%c0] : memref<16xf32>
    async.yield
  }
  %other = async.execute {
    // expected-error @below [free-before-wait] {{%a}}
    memref.dealloc %a : memref<16xf32>
    async.yield
  }
  async.await %first : !async.token
  async.await %other : !async.token
  return
}

// A token that a loop hands on is not followed: the last use may be what is waited for.
func.func @handed_on(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %start = async.execute {
    async.yield
  }
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %start) -> (!async.token) {
    %work = async.execute [%before] {
      memref.store %x, %a[%i] : memref<16xf32>
      async.yield
    }
    scf.yield %work : !async.token
  }
  async.await %end : !async.token
  memref.dealloc %a : memref<16xf32>
  return
}

// A task has no token: whoever waits for it may come between the last name of the buffer and its end.
func.func @task(%x: f32) {
  %c0 = arith.constant 0 : index
  omp.parallel {
    %a = memref.alloc() : memref<4xf32>
    omp.task {
      memref.store %x, %a[%c0] : memref<4xf32>
      omp.terminator
    }
    omp.taskwait
    memref.dealloc %a : memref<4xf32>
    omp.terminator
  }
  return
}

// Blocks hand tokens on as loops do: who waits there is not told apart.
func.func @handed_to_blocks(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %start = async.execute {
    async.yield
  }
  cf.br ^bb1(%c0, %start : index, !async.token)
^bb1(%i: index, %before: !async.token):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %work = async.execute [%before] {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  %next = arith.addi %i, %c1 : index
  cf.br ^bb1(%next, %work : index, !async.token)
^bb3:
  async.await %before : !async.token
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @handed_on_once(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %work = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  cf.br ^bb1(%work : !async.token)
^bb1(%t: !async.token):
  async.await %t : !async.token
  memref.dealloc %a : memref<16xf32>
  return
}
