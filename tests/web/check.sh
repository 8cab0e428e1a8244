#!/usr/bin/env bash
# The table in a browser: its types, its tests with every branch covered, and games in Chromium.
#
# Installs the package with the extra `web` into a fresh environment.  Python may be chosen:
# PYTHON=python3.12.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH MYPYPATH
"$python" -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH"

echo "installing it"
python -m pip --disable-pip-version-check install --quiet "$repository[web]" \
  "hypothesis>=6.131" "mypy>=1.11" "pytest>=8.2" "pytest-cov>=5.0"

cd "$repository"
echo "checking the types"
mypy --cache-dir="$work/mypy" --follow-imports=silent src/valletta_rules/web/*.py tests/web/*.py

echo "running the tests"
COVERAGE_FILE="$work/coverage" python -m pytest -q -p no:cacheprovider tests/web \
  --cov=valletta_rules.web --cov-branch \
  --cov-config=tests/web/coverage.toml --cov-report=term-missing:skip-covered --cov-fail-under=100
