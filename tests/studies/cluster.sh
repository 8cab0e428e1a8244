#!/usr/bin/env bash
# Studies on Dask, with a worker killed in the middle, and ratings by openskill.
#
# Installs the package with the extras `cluster` and `ratings` into a fresh environment, and checks
# the types of what uses them.  Python may be chosen: PYTHON=python3.12.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH MYPYPATH
"$python" -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH"

echo "installing it"
python -m pip --disable-pip-version-check install --quiet "$repository[cluster,ratings]" \
  "hypothesis>=6.131" "mypy>=1.11" "pytest>=8.2"

cd "$repository"
echo "checking the types"
mypy --cache-dir="$work/mypy" --follow-imports=silent src/valletta_rules/studies/*.py tests/studies/*.py

echo "running the tests"
PYTHONPATH="$repository" python -m pytest -q -p no:cacheprovider -W default tests/studies/cluster.py
