#!/usr/bin/env bash
# Checks the formal specification with its own tools, which takes some minutes:
#   1. every module passes the type checker;
#   2. every instance, explored exhaustively, keeps the invariants and has the figures of explored.json;
#   3. fixtures/, from which the tests replay the instances without Node, holds what was just explored;
#   4. every deliberate mistake is noticed, in the way that mutations.json says.
#
# usage: bash spec/check.sh            check
#        bash spec/check.sh --accept   write explored.json, fixtures/ and mutations.json anew, after a change of the model
#
# Exit code 0: all is well; 1: something is not; 2: wrong usage, or the tools are not installed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

say() { printf '\n=== specification: %s\n' "$*"; }
stop() { printf 'spec/check.sh: %s\n' "$2" >&2; exit "$1"; }

accept=
case "$#,${1-}" in
  0,) ;;
  1,--accept) accept=yes ;;
  *) stop 2 "usage: bash spec/check.sh [--accept]" ;;
esac
command -v node >/dev/null || stop 2 "Node is not installed"
[ -d node_modules/@informalsystems/quint ] || stop 2 "the tools are missing: run 'npm ci' in spec/ first"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/fixtures"

if [ -n "$accept" ]; then
  say "writing explored.json and fixtures/"
  node tools/explore.js all --write-summary --fixtures "$work/fixtures" || stop 1 "nothing accepted: see above"
  mkdir -p fixtures && rm -f fixtures/*.json.gz && cp "$work"/fixtures/*.json.gz fixtures/ || exit 1
  say "writing mutations.json"
  node tools/mutations.js --write-summary || stop 1 "a deliberate mistake was not noticed: see above"
  exit 0
fi

say "types"
node tools/typecheck.js || stop 1 "a module does not pass the type checker: see above"

say "exhaustive exploration of the instances"
node tools/explore.js all --fixtures "$work/fixtures" ||
  stop 1 "the exploration failed or differs from explored.json: see above; if the change is meant, run 'bash spec/check.sh --accept'"

say "fixtures"
# The text is compared, not the compressed bytes, which another release of zlib may choose differently.
bad=0
for name in $( (ls "$work/fixtures"; ls fixtures 2>/dev/null) | sort -u); do
  new=$work/fixtures/$name old=fixtures/$name
  if [ ! -f "$old" ]; then echo "fixtures/$name is missing"; bad=1
  elif [ ! -f "$new" ]; then echo "fixtures/$name belongs to no instance"; bad=1
  elif ! cmp -s <(gzip -dc "$new") <(gzip -dc "$old"); then echo "fixtures/$name is not what the specification says now"; bad=1
  fi
done
[ "$bad" -eq 0 ] || stop 1 "fixtures/ is out of date: run 'bash spec/check.sh --accept'"
echo "all as committed"

say "deliberate mistakes"
node tools/mutations.js ||
  stop 1 "a deliberate mistake was not noticed, or differs from mutations.json: see above; if the change is meant, run 'bash spec/check.sh --accept'"

say "all is well"
