#!/usr/bin/env bash
# Test the published TypeScript types.  Sample documents and the vectors of the conformance suite must have these types,
# and the example page must compile with them.  A switch without a case for a member of a union must not compile.
# Needs Node; PYTHON=... chooses a Python.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
tools=$repository/src/javascript
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "$tools/node_modules/.bin/tsc" ] || (cd "$tools" && npm ci --silent --no-audit --no-fund)
(cd "$repository" && "${PYTHON:-python3}" -m tests.consumer.documents "$work")
mkdir "$work/dist"
(cd "$repository" && "${PYTHON:-python3}" -m spec.javascript_tables "$work/dist")
cp "$tools"/{index,game,words,sentences}.d.ts "$repository"/examples/javascript/*.js "$work"
cp "$repository/src/valletta_rules/schema/valletta.d.ts" "$work/dist"
cat >"$work/tsconfig.json" <<JSON
{
  "extends": "$repository/examples/javascript/tsconfig.json",
  "compilerOptions": {
    "exactOptionalPropertyTypes": true,
    "paths": {
      "valletta": ["$work/dist/valletta.d.ts"], "conformance": ["$repository/spec/conformance/conformance.d.ts"],
      "valletta-rules": ["$work/index.d.ts"], "valletta-rules/game": ["$work/game.d.ts"], "valletta-rules/words": ["$work/sentences.d.ts"],
      "valletta-rules/words/*": ["$work/words.d.ts"]
    }
  },
  "include": ["$work/*.ts", "$work/*.js"]
}
JSON
compile() { "$tools/node_modules/.bin/tsc" --project "$work"; }

echo "compiling documents, vectors and the example page"
compile

echo "checking that a switch without one of the cases does not compile"
forgotten=(SitePrompt Decline GoodsGiven Violation)
for each in "${forgotten[@]}"; do sed -i "/^    case '$each':$/d" "$work/cases.ts"; done
if compile >"$work/output"; then exit 1; fi
[ "$(grep -c "not assignable to parameter of type 'never'" "$work/output")" -eq ${#forgotten[@]} ] || { cat "$work/output"; exit 1; }

echo "checking that no type has the name of a global of browsers"
taken=$(grep -hoP '^(declare (var|function|class)|interface|type) \K\w+' "$tools"/node_modules/typescript/lib/lib.{dom,es5,es20*}.d.ts)
names=$(grep -oP '^export (type|interface) \K\w+' "$repository/src/valletta_rules/schema/valletta.d.ts")
shadowed=$(comm -12 <(sort -u <<<"$taken") <(sort -u <<<"$names"))
[ -z "$shadowed" ] || { echo "$shadowed"; exit 1; }
