#!/usr/bin/env bash
# Compiles the rules as GPU kernels.
#
#   bash src/gpu/build.sh ptx FILE     write PTX; needs zig (pip install ziglang; PYTHON=... chooses a Python)
#   bash src/gpu/build.sh host FILE    write a library for the CPU, in which each kernel is a loop
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
native=$here/../native
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$native" && grep -LE '#include "(binding|search|thread)\.h"' ./*.c) | LC_ALL=C sort | sed 's/.*/#include "&"/' >"$work/rules.c"
case $1 in
  host)
    # shellcheck disable=SC2086 # several flags
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -ffp-contract=off ${CFLAGS:--O1} -DHOST -fPIC -fvisibility=hidden \
      -shared -I"$native" -I"$work" -o "$2" "$here/device.c"
    ;;
  ptx) # -O3 inlines so many functions that ptxas takes many minutes for `gpu_step`
    zig=("${PYTHON:-python3}" -m ziglang)
    headers=$("${zig[@]}" env | sed -n 's/.*lib_dir.*"\(.*\)".*/\1/p')/include
    "${zig[@]}" cc -target nvptx64-cuda-none -mcpu=sm_80 -std=c11 -Os -g0 -ffreestanding -nostdinc -isystem "$headers" \
      -I"$here/shim" -I"$native" -I"$work" -S -o "$2" "$here/device.c" 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
    ;;
esac
