#!/usr/bin/env bash
# The environments for programs that learn: their types, and their tests with every branch covered.
#
# Installs the package with the extras `rl` and `openspiel` into a fresh environment, native twin
# included, so that a C compiler is needed.  Python may be chosen: PYTHON=python3.12.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH MYPYPATH
"$python" -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH" VALLETTA_NATIVE=1

echo "installing it"
python -m pip --disable-pip-version-check install --quiet "$repository[rl,openspiel]" \
  "hypothesis>=6.131" "mypy>=1.11" "pytest>=8.2" "pytest-cov>=5.0"

cd "$repository"
echo "checking the types"
mypy --cache-dir="$work/mypy" --follow-imports=silent --explicit-package-bases \
  src/valletta_rules/environments/*.py tests/environments/*.py examples/train_an_agent.py docs/studies/learn.py

echo "running the tests"
COVERAGE_FILE="$work/coverage" python -m pytest -q -p no:cacheprovider tests/environments \
  tests/edges/test_environments.py \
  "tests/test_examples.py::test_an_example_runs_without_input[train_an_agent.py]" \
  --cov=valletta_rules.environments --cov-branch \
  --cov-config=/dev/null --cov-report=term-missing:skip-covered --cov-fail-under=100
