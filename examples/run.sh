#!/bin/sh
# Lowers a program with the tools of LLVM and runs its @main, which returns an i32:
#     examples/run.sh FILE [KILOBYTES]     KILOBYTES: of address space, all that the program may take
set -eu
lowered=$(mktemp)
trap 'rm -f "$lowered"' EXIT
mlir-opt "$1" --convert-linalg-to-loops --expand-strided-metadata --lower-affine --convert-scf-to-cf \
  --convert-math-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm \
  --convert-cf-to-llvm --reconcile-unrealized-casts -o "$lowered"
(
  ulimit -v "${2:-unlimited}"
  mlir-runner -e main --entry-point-result=i32 "$lowered" || exit $?
) 2>/dev/null || {
  echo "the program died: exit code $?"
  exit 1
}
