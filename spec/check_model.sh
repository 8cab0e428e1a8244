#!/usr/bin/env bash
# Checks the formal specification with its own tools, which takes some minutes:
#   1. every module passes Quint's type checker;
#   2. every instance, explored exhaustively, keeps the invariants and has the figures of explored.json.
#
# After a change of the model `python -m spec.checks accept model` regenerates explored.json.
# Needs Node and, once, `npm ci` in spec/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for module in quint/*.qnt; do node_modules/.bin/quint typecheck "$module"; done
node tools/explore.js all
