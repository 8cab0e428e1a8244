#!/usr/bin/env bash
# Test the JavaScript package in other environments: in jest with jsdom, in Bun, and in bundles of Vite and esbuild.
# Needs the built package (src/javascript).
set -euo pipefail
script_dir=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$script_dir"/hosts/*.js* "$work"
cd "$work"
npm ci --silent --no-audit --no-fund
npm pack "$script_dir/../../src/javascript" --silent --ignore-scripts >/dev/null
mkdir node_modules/valletta-rules
tar --extract --gzip --strip-components 1 --directory node_modules/valletta-rules --file valletta-rules-*.tgz

NODE_OPTIONS=--experimental-vm-modules node_modules/.bin/jest --env jsdom
node_modules/.bin/vite build --logLevel error
node_modules/.bin/esbuild main.js --bundle --format=cjs --log-level=error --outfile=esbuild.cjs
for played in "node_modules/.bin/bun main.js" "node dist/vite.js" "node esbuild.cjs"; do
  $played | grep -q 'clause: ["'\'']SCO-' || { echo "did not play a game: $played" >&2; exit 1; }
  echo "played a game: $played"
done
