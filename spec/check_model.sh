#!/usr/bin/env bash
# Checks the formal model, in a few minutes:
#   1. Quint's type checker must accept every module.
#   2. An exhaustive exploration of every instance must satisfy all invariants, and match its summary in explored.json.
#
# After a change of the model, `python -m spec.checks accept model` regenerates explored.json.
# Needs Node; run `npm ci` in spec/ once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for module in quint/*.qnt; do node_modules/.bin/quint typecheck "$module"; done
node tools/explore.js all
