#!/usr/bin/env bash
# Builds dist/ from other parts of the repository: the rules, compiled to WebAssembly by zig
# (pip install ".[javascript]"), tables, and types.  PYTHON=... chooses a Python; a relative path
# starts at the caller's folder.  dist/ is replaced only after a successful build.
set -euo pipefail
python=$(cd "${INIT_CWD:-.}" && type -P "${PYTHON:-python3}") || { echo "the program ${PYTHON:-python3} does not exist; choose another with PYTHON=..." >&2; exit 1; }
[[ $python == /* ]] || python=$(realpath --no-symlinks "${INIT_CWD:-.}/$python")
cd "$(dirname "$0")"
native=../native
output=$(mktemp -d "$PWD/dist.XXXXXX")
trap 'rm -rf "$output"' EXIT
chmod 755 "$output"
(cd ../.. && "$python" -m spec.javascript_tables "$output")
cp ../valletta_rules/schema/valletta.d.ts "$output"
cp ../../LICENSE .
mapfile -t sources < <(cd $native && grep -LE 'binding\.h|search\.h|thread\.h|game\.h|rollout\.h' ./*.c)
"$python" -m ziglang cc -target wasm32-wasi -mexec-model=reactor -Os -mllvm -inline-threshold=-50 -g0 -s -std=c11 -Wall -Wextra -Werror \
  -fvisibility=hidden -fno-sanitize=all -I $native -o "$output/valletta.wasm" wasm.c "${sources[@]/#/$native/}"
node -e '
const folder = process.argv[1], fs = require("fs"), shift = 48; // most bytes are 0; shifted, they are text that compresses well
const text = Buffer.from(fs.readFileSync(folder + "/valletta.wasm").map(byte => byte + shift)).toString("latin1");
fs.writeFileSync(folder + "/wasm.js", `// The bytes of valletta.wasm.\nexport default () => Uint8Array.from(${JSON.stringify(text)}, each => each.charCodeAt(0) - ${shift});\n`);
' "$output"
rm -rf dist
mv "$output" dist
