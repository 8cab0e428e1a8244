#!/usr/bin/env bash
# The types for TypeScript: documents of whole games have them, a client that forgets nothing is
# compiled by them, and one that forgets something is not.  Needs Node; Python may be chosen: PYTHON=…
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
client=$(cd "$here/../../examples/typescript" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "$client/node_modules/.bin/tsc" ] || (cd "$client" && npm ci --silent --no-audit --no-fund)
(cd "$here/../.." && "${PYTHON:-python3}" -m tests.consumer.documents) >"$work/documents.ts"
cat >"$work/tsconfig.json" <<JSON
{ "extends": "$client/tsconfig.json", "include": ["$work/*.ts", "$client/../../src/valletta_rules/schema/valletta.d.ts"] }
JSON
compile() { "$client/node_modules/.bin/tsc" --project "$work"; }

echo "documents of whole games, and the client"
cp "$client/client.ts" "$work/client.ts"
compile

echo "a client that forgets something is noticed, each time"
forgotten=(SitePrompt Hire GoodsGiven Violation)
for each in "${forgotten[@]}"; do sed -i "s/^    case '$each'.*//" "$work/client.ts"; done
if compile >"$work/said"; then exit 1; fi
[ "$(grep -c "not assignable to parameter of type 'never'" "$work/said")" -eq "${#forgotten[@]}" ] || { cat "$work/said"; exit 1; }

echo "no type has the name of something that browsers have"
taken=$(grep -hoP '^(declare (var|function|class)|interface|type) \K\w+' "$client"/node_modules/typescript/lib/lib.{dom,es5,es20*}.d.ts)
names=$(grep -oP '^export (type|interface) \K\w+' "$client/../../src/valletta_rules/schema/valletta.d.ts")
shadowed=$(comm -12 <(sort -u <<<"$taken") <(sort -u <<<"$names"))
[ -z "$shadowed" ] || { echo "$shadowed"; exit 1; }
