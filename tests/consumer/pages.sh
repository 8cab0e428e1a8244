#!/usr/bin/env bash
# Check the types of the scripts of the table with the TypeScript compiler, which reads JSDoc comments.
# The types of documents, messages and phrases are declared in other files.  A script that does not
# handle a message must not compile.  Each phrase must be used.  Needs Node; PYTHON=... chooses a Python.
set -euo pipefail
script_dir=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$script_dir/../../src/javascript" && pwd)
pages=$(cd "$script_dir/../../src/valletta_rules/web/pages" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "$tools/node_modules/.bin/tsc" ] || (cd "$tools" && npm ci --silent --no-audit --no-fund)
mkdir -p "$work/schema" "$work/web"
cp "$pages/../../schema/valletta.d.ts" "$work/schema/"
cp -r "$pages" "$work/web/pages"
"${PYTHON:-python3}" - >"$work/web/pages/phrases.d.ts" <<'PYTHON'
from valletta_rules.words import ENGLISH

print("/** The fixed phrases of a page. */\nexport interface Phrases {")
print(*(f"  readonly {name}: string;" for name in ENGLISH.table('page.phrases')), "}", sep="\n")
PYTHON
cat >"$work/tsconfig.json" <<JSON
{
  "extends": "$script_dir/../../examples/javascript/tsconfig.json",
  "compilerOptions": {
    "noImplicitAny": true, "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true,
    "noUnusedParameters": true, "paths": {}
  },
  "include": ["$work/web/pages/*"]
}
JSON
compile() { "$tools/node_modules/.bin/tsc" --project "$work"; }

echo "checking the types of the scripts"
compile

echo "checking that a script without a case for a message does not compile"
sed -i "s/^    case 'presence'.*/    case 'pong': return {/" "$work/web/pages/game.js"
if compile >"$work/output"; then exit 1; fi
grep -q "not assignable to parameter of type 'never'" "$work/output" || { cat "$work/output"; exit 1; }

echo "checking that each phrase is used"
for phrase in $(grep -oP '^  readonly \K\w+' "$work/web/pages/phrases.d.ts"); do
  grep -qw "t\.$phrase" "$pages"/*.js || { echo "no page uses the phrase $phrase"; exit 1; }
done
