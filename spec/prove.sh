#!/usr/bin/env bash
# Proves the contracts of the native backend with Frama-C: those that have changed since they were proved, or with --all
# all of them, which takes an hour of CPU time.
#
# usage: bash spec/prove.sh [--all] [--write] [FUNCTION...]
#
# Frama-C, Why3, Z3 and CVC4 are installed where that can be done (Debian and its descendants, as root).
#
# Exit code 0: all is proved; 1: something is not, or is wrong; 2: wrong usage, or the tools are not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing() { for tool in frama-c why3 z3 cvc4; do command -v $tool >/dev/null || echo $tool; done; }

if [ -n "$(missing)" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  apt-get -qq update && apt-get -qq install -y --no-install-recommends frama-c-base why3 z3 cvc4 >/dev/null
fi
[ -z "$(missing)" ] || { echo "spec/prove.sh: these are not installed: $(missing | xargs)" >&2; exit 2; }

python -m spec.checks.proofs "$@"
