#!/usr/bin/env bash
# Proves the contracts of the native backend with Frama-C.  By default, proves the contracts that have changed since their
# last proof.  With --all, proves all contracts, which takes an hour of CPU time.
#
# usage: bash spec/prove.sh [--all] [--write] [FUNCTION...]
#
# If a tool is missing, installs Frama-C, Why3, Z3 and CVC4, provided that it runs as root and apt-get exists.
#
# Exit code 0: all contracts are proved; 1: a contract is not proved; 2: wrong usage, or a tool is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing() { for tool in frama-c why3 z3 cvc4; do command -v $tool >/dev/null || echo $tool; done; }

if [ -n "$(missing)" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  apt-get -qq update && apt-get -qq install -y --no-install-recommends frama-c-base why3 z3 cvc4 >/dev/null
fi
[ -z "$(missing)" ] || { echo "spec/prove.sh: these tools are not installed: $(missing | xargs)" >&2; exit 2; }

python -m spec.checks.proofs "$@"
