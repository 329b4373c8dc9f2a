// A small dialect in ODS, as a compiler of yours may have one: what its operations declare is what Memlane takes over.
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "mlir/IR/OpBase.td"

def Npu_Dialect : Dialect {
  let name = "npu";
  let cppNamespace = "npu";
}

class Npu_Op<string mnemonic, list<Trait> traits = []> : Op<Npu_Dialect, mnemonic, traits>;

def Npu_TakeOp : Npu_Op<"take"> {
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
}

def Npu_GiveOp : Npu_Op<"give"> {
  let arguments = (ins Arg<AnyMemRef, "", [MemFree]>:$buffer);
}

def Npu_RunOp : Npu_Op<"run"> {
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Arg<AnyMemRef, "", [MemWrite]>:$target);
}
