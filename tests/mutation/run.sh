#!/bin/sh
# Mutate the rules in a scratch folder and see which mutants nobody notices; see README.md.
set -eu
cd "$(dirname "$0")/../.."
exec python -m tests.mutation.run "${1:-$(mktemp -d)/work}"
