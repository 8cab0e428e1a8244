#!/usr/bin/env bash
# Checks the formal specification with its own tools, which takes some minutes:
#   1. every module passes the type checker;
#   2. every instance, explored exhaustively, keeps the invariants and has the figures of explored.json;
#
# After a change of the model `python -m spec.checks accept model` regenerates explored.json.
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

say "types"
node tools/typecheck.js || stop 1 "a module does not pass the type checker: see above"

say "exhaustive exploration of the instances"
node tools/explore.js all ||
  stop 1 "the exploration failed or differs from explored.json: see above; if the change is meant, run 'python -m spec.checks accept model'"

say "all is well"
