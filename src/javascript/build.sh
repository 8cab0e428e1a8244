#!/usr/bin/env bash
# Builds what the package takes from elsewhere in the repository into dist/: the rules, compiled to
# WebAssembly by zig (pip install ".[javascript]"), tables, and types.  PYTHON=... chooses a Python.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-python3}
native=../native
rm -rf dist && mkdir dist
(cd ../.. && "$python" -m spec.javascript_tables src/javascript/dist)
cp ../valletta_rules/schema/valletta.d.ts dist/
cp ../../LICENSE .
mapfile -t sources < <(cd $native && grep -LE 'binding\.h|search\.h|thread\.h|game\.h|rollout\.h' ./*.c)
"$python" -m ziglang cc -target wasm32-wasi -mexec-model=reactor -Os -mllvm -inline-threshold=-50 -g0 -s -std=c11 -Wall -Wextra -Werror \
  -fvisibility=hidden -fno-sanitize=all -I $native -o dist/valletta.wasm wasm.c "${sources[@]/#/$native/}"
node -e "
const fs = require('fs'), bytes = require('zlib').deflateSync(fs.readFileSync('dist/valletta.wasm'), { level: 9 });
fs.writeFileSync('dist/wasm.js', '// The bytes of valletta.wasm, compressed.\nexport default \"' + bytes.toString('base64') + '\";\n');"
