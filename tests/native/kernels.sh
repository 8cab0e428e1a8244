#!/usr/bin/env bash
# Check the kernels for a GPU: two builds are equal and contain no path, ptxas accepts them, and their stacks are bounded.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$repository/src" "$work"
bash "$repository/src/gpu/build.sh" ptx "$work/one.ptx"
(cd / && bash "$work/src/gpu/build.sh" ptx "$work/two.ptx")
cmp "$work/one.ptx" "$work/two.ptx"
! grep -F -e "$repository" -e "$work" -e "$HOME" "$work/one.ptx"
ptxas=$("$python" -c "import nvidia, pathlib; print(*[path for each in nvidia.__path__ for path in pathlib.Path(each).rglob('bin/ptxas')])")
for card in sm_80 sm_90 sm_100 sm_120; do
  "$ptxas" -arch="$card" -v -o "$work/cubin" "$work/one.ptx" 2>"$work/said"
  # `lay_out` recurses at most four levels deep, so the stack has at most five frames of each function.
  PYTHONPATH=$repository/src "$python" - "$card" "$work/said" <<'PYTHON'
import re
import sys
from pathlib import Path
from valletta_rules.native.cuda import DEEP_STACK, STACK

for kernel in re.split("Compiling entry function '", Path(sys.argv[2]).read_text())[1:]:
    name, (first, *others) = kernel.split("'")[0], map(int, re.findall(r"(\d+) bytes stack frame", kernel))
    limit = DEEP_STACK if name == "gpu_rollouts" else STACK
    assert first + 5 * sum(others) <= limit, f"{name} needs more than {limit} bytes of stack on {sys.argv[1]}"
PYTHON
done
echo "ptxas accepts the kernels ($(wc -c <"$work/one.ptx") bytes of PTX) for four GPU architectures"
