#!/usr/bin/env bash
# Checks the formal specification with its own tools, which takes some minutes:
#   1. every module passes the type checker;
#   2. every instance, explored exhaustively, keeps the invariants and has the figures of explored.json;
#   3. fixtures/, from which the tests replay the instances without Node, holds what was just explored;
#
# After a change of the model `python -m spec.checks accept model` regenerates explored.json and fixtures/.
#
# usage: bash spec/check.sh
#
# Exit code 0: all is well; 1: something is not; 2: wrong usage, or the tools are not installed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

say() { printf '\n=== specification: %s\n' "$*"; }
stop() { printf 'spec/check.sh: %s\n' "$2" >&2; exit "$1"; }

[ "$#" -eq 0 ] || stop 2 "usage: bash spec/check.sh"
command -v node >/dev/null || stop 2 "Node is not installed"
[ -d node_modules/@informalsystems/quint ] || stop 2 "the tools are missing: run 'npm ci' in spec/ first"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/fixtures"

say "types"
node tools/typecheck.js || stop 1 "a module does not pass the type checker: see above"

say "exhaustive exploration of the instances"
node tools/explore.js all --fixtures "$work/fixtures" ||
  stop 1 "the exploration failed or differs from explored.json: see above; if the change is meant, run 'python -m spec.checks accept model'"

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
[ "$bad" -eq 0 ] || stop 1 "fixtures/ is out of date: run 'python -m spec.checks accept model'"
echo "all as committed"

say "all is well"
